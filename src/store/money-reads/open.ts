import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import type { ConsoleStore } from "../../console/store.ts";
import { StorageError } from "../../lib/faults.ts";
import { Deadlines } from "../../lib/threads/deadlines.ts";
import { consoleReads } from "./console-reads.ts";
import type { MoneyReader } from "./reader.ts";

/** The console's own eyes on the money database, which must exist. */
interface OpenedReads {
  readonly reads: ConsoleStore;
  readonly reader: MoneyReader;
  close(): Promise<void>;
}

type ReadsConfig = Pick<Config, "databaseUrl" | "dataDir" | "limits">;

/** Nobody looks at a page for longer. */
function bounded(reader: MoneyReader, ms: number): MoneyReader {
  const deadlines = new Deadlines();
  const over = () => new StorageError(`storage has not answered for ${ms} ms`);
  return {
    nowMsSql: reader.nowMsSql,
    read: (statements) => deadlines.wait(reader.read(statements), { ms, over }),
    close: () => reader.close(),
  };
}

async function openReader(config: ReadsConfig): Promise<MoneyReader> {
  // Only the engine that is used is loaded.
  if (config.databaseUrl !== undefined) {
    const { PostgresMoneyReader } = await import("../postgres/money-reader.ts");
    return new PostgresMoneyReader(config.databaseUrl, config.limits.console_connections_max);
  }
  const { startReadThread } = await import("../sqlite/read-thread.ts");
  return startReadThread(join(resolve(config.dataDir), "faregate.sqlite"));
}

export async function openConsoleReads(config: ReadsConfig): Promise<OpenedReads> {
  const reader = bounded(await openReader(config), config.limits.console_storage_ms);
  return { reads: consoleReads(reader), reader, close: () => reader.close() };
}
