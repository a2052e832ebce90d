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

export async function withStore<T>(
  config: Config,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const store = await openStore(config, { create: false, serve: false });
  try {
    const { key_requests_per_minute } = config.limits;
    const accounts = new Accounts(store.accounts, systemClock, key_requests_per_minute);
    return await work({ config, store, accounts });
  } finally {
    await store.close();
  }
}
