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

/** Makes the operator's account; undefined where it is there, also by a server that was a moment faster. */
async function operatorOf(store: Store, accounts: Accounts) {
  if (await store.accounts.operatorAccount()) return undefined;
  try {
    return await accounts.createAccount("operator", { operator: true });
  } catch (thrown) {
    if (await store.accounts.operatorAccount()) return undefined;
    throw thrown;
  }
}

/** Makes the operator's account, its trial credit and its first key; undefined when they are there. */
export async function firstRun(
  store: Store,
  accounts: Accounts,
  clock: Clock,
): Promise<FirstRun | undefined> {
  const account = await operatorOf(store, accounts);
  if (!account) return undefined;
  await store.ledger.credit({
    id: `trial-${account.id}`,
    accountId: account.id,
    amount: TRIAL_CREDIT,
    kind: "trial",
    note: "trial credit of a new installation",
    createdAtMs: clock(),
  });
  const created = await accounts.createKey(account.id, { name: "first key", accountRead: true });
  if (!created) throw new Error("the operator account vanished while it was being made");
  return { key: created.key, credit: formatUsd(TRIAL_CREDIT) };
}
