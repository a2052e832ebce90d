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

/** Makes the operator's account, its trial credit and its first key; undefined when they are there. */
export async function firstRun(
  store: Store,
  accounts: Accounts,
  clock: Clock,
): Promise<FirstRun | undefined> {
  if (await store.accounts.operatorAccount()) return undefined;
  const account = await accounts.createAccount("operator", { operator: true });
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
