// The console's eyes on a money database of either engine, beside a store that writes to it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConsoleReads } from "../../src/store/money-reads/console-reads.ts";
import type { MoneyReader } from "../../src/store/money-reads/reader.ts";
import type { SearchLimits } from "../../src/store/money-reads/requests.ts";
import { PostgresMoneyReader } from "../../src/store/postgres/money-reader.ts";
import { openPostgres } from "../../src/store/postgres/open.ts";
import { openSqlite } from "../../src/store/sqlite/open.ts";
import { ReadThread } from "../../src/store/sqlite/read-thread.ts";
import type { Store } from "../../src/store/store.ts";
import { sharedPostgres } from "../postgres.ts";

export interface ReadSite {
  readonly store: Store;
  /** `limits` as a search has them that must not look at much. */
  reads(limits?: SearchLimits): ConsoleReads;
  remove(): Promise<void>;
}

function siteOf(store: Store, reader: MoneyReader, cleanUp: () => void): ReadSite {
  return {
    store,
    reads: (limits) => new ConsoleReads(reader, limits),
    async remove() {
      await reader.close();
      await store.close();
      cleanUp();
    },
  };
}

const OPTIONS = { create: true, serve: true };

export const READ_SITES: readonly { name: string; open(): Promise<ReadSite> }[] = [
  {
    name: "SQLite",
    async open() {
      const folder = mkdtempSync(join(tmpdir(), "faregate-reads-"));
      const store = await openSqlite(folder, OPTIONS);
      const reader = await ReadThread.start(join(folder, "faregate.sqlite"));
      return siteOf(store, reader, () => rmSync(folder, { recursive: true, force: true }));
    },
  },
  {
    name: "PostgreSQL",
    async open() {
      const url = await (await sharedPostgres()).createDatabase();
      const store = await openPostgres(url, OPTIONS);
      return siteOf(store, new PostgresMoneyReader(url), () => {});
    },
  },
];
