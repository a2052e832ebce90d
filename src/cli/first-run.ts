import type { Account } from "../accounts/account.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { formatUsd, type NanoUsd } from "../catalogue/money.ts";
import type { Clock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";

/** Enough to try everything, too little to hurt. */
const TRIAL_CREDIT: NanoUsd = 5_000_000_000n;

export interface FirstRun {
  readonly key: string;
  readonly credit: string;
}

/** One for each account: whoever comes second, after a start that died or beside one that runs, makes no other. */
const trialId = (account: Account) => `trial-${account.id}`;
const firstKeyId = (account: Account) => account.id.replace(/^acct_/, "key_");

/** The operator's account, made now or by a server that was a moment faster. */
async function madeOperator(store: Store, accounts: Accounts): Promise<Account> {
  try {
    return await accounts.createAccount("operator", { operator: true });
  } catch (thrown) {
    const other = await store.accounts.operatorAccount();
    if (other) return other;
    throw thrown;
  }
}

/** Its first key; undefined where a server was a moment faster. */
async function madeKey(store: Store, accounts: Accounts, account: Account) {
  const id = firstKeyId(account);
  try {
    return await accounts.createKey(account.id, { id, name: "first key", accountRead: true });
  } catch (thrown) {
    if (await store.accounts.describeKey(id)) return undefined;
    throw thrown;
  }
}

/**
 * Makes the operator's account, its trial credit and its first key; undefined when they are there. Where an earlier
 * one died on the way, this one goes on; an account that was ever used is left as it is.
 */
export async function firstRun(
  store: Store,
  accounts: Accounts,
  clock: Clock,
): Promise<FirstRun | undefined> {
  const account = (await store.accounts.operatorAccount()) ?? (await madeOperator(store, accounts));
  if (!(await store.accounts.isUnused(account.id, trialId(account)))) return undefined;
  await store.ledger.credit({
    id: trialId(account),
    accountId: account.id,
    amount: TRIAL_CREDIT,
    kind: "trial",
    note: "trial credit of a new installation",
    createdAtMs: clock(),
  });
  const created = await madeKey(store, accounts, account);
  return created && { key: created.key, credit: formatUsd(TRIAL_CREDIT) };
}
