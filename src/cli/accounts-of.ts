import { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import type { Store } from "../store/store.ts";

export function accountsOf(store: Pick<Store, "accounts">, config: Config): Accounts {
  return Accounts.within(store.accounts, systemClock, config.limits);
}
