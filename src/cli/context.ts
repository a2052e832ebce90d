import type { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import type { Store } from "../store/store.ts";
import { accountsOf } from "./accounts-of.ts";

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
  // What all rooms have of tables is not loaded by a server, which has the commands beside it.
  const { openStore } = await import("../store/open.ts");
  const store = await openStore(config, { create: false, serve: false });
  try {
    return await work({ config, store, accounts: accountsOf(store, config) });
  } finally {
    await store.close();
  }
}
