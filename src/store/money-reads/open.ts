import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import type { ConsoleStore } from "../../console/store.ts";
import { consoleReads } from "./console-reads.ts";
import type { MoneyReader } from "./reader.ts";

/** The console's own eyes on the money database, which must exist. */
interface OpenedReads {
  readonly reads: ConsoleStore;
  readonly reader: MoneyReader;
  close(): Promise<void>;
}

async function openReader(config: Pick<Config, "databaseUrl" | "dataDir">): Promise<MoneyReader> {
  // Only the engine that is used is loaded.
  if (config.databaseUrl !== undefined) {
    const { PostgresMoneyReader } = await import("../postgres/money-reader.ts");
    return new PostgresMoneyReader(config.databaseUrl);
  }
  const { startReadThread } = await import("../sqlite/read-thread.ts");
  return startReadThread(join(resolve(config.dataDir), "faregate.sqlite"));
}

export async function openConsoleReads(
  config: Pick<Config, "databaseUrl" | "dataDir">,
): Promise<OpenedReads> {
  const reader = await openReader(config);
  return { reads: consoleReads(reader), reader, close: () => reader.close() };
}
