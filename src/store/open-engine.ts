import type { Config } from "../config/config.ts";
import { withCreditLimit } from "../ledger/credit-limit.ts";
import type { OpenOptions, Store } from "./store.ts";

/** The database that the settings name: PostgreSQL by its address, otherwise files in a folder. */
export async function openEngine(config: Config, options: OpenOptions): Promise<Store> {
  const store = await engineOf(config, options);
  return { ...store, ledger: withCreditLimit(store.ledger) };
}

async function engineOf(config: Config, options: OpenOptions): Promise<Store> {
  // Only the engine that is used is loaded.
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import("./postgres/open.ts");
    const { limits } = config;
    return openPostgres(config.databaseUrl, options, limits.database_connections_max, limits);
  }
  const { openSqlite } = await import("./sqlite/open.ts");
  return openSqlite(config.dataDir, options);
}
