import { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import { openStore } from "../store/open.ts";
import type { Store } from "../store/store.ts";

/** What a command works with: the settings and the database, opened beside a server that may run. */
export interface CommandContext {
  readonly config: Config;
  readonly store: Store;
  readonly accounts: Accounts;
}

export function accountsOf(store: Store, config: Config): Accounts {
  return new Accounts(store.accounts, systemClock, config.limits.key_requests_per_minute);
}

export async function withStore<T>(
  config: Config,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const store = await openStore(config, { create: false, serve: false });
  try {
    return await work({ config, store, accounts: accountsOf(store, config) });
  } finally {
    await store.close();
  }
}
