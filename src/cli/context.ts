import { resolve } from "node:path";
import type { Accounts } from "../accounts/accounts.ts";
import type { Config } from "../config/config.ts";
import { asFullDisk } from "../lib/files/full-disk.ts";
import type { Store } from "../store/store.ts";
import { accountsOf } from "./accounts-of.ts";
import { UnknownOutcomeError } from "./terminal/unknown-outcome.ts";

/** What a command works with: the settings and the database, opened beside a server that may run. */
export interface CommandContext {
  readonly config: Config;
  readonly store: Store;
  readonly accounts: Accounts;
}

/** Also what a server beside it says of its disk. Whether something is done counts for more than why it is not known. */
function told({ databaseUrl, dataDir }: Config, thrown: unknown): unknown {
  if (databaseUrl !== undefined || thrown instanceof UnknownOutcomeError) return thrown;
  return asFullDisk(resolve(dataDir), thrown);
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
  } catch (thrown) {
    throw told(config, thrown);
  } finally {
    await store.close();
  }
}
