// How long the pages of the console take on a database that has seen many requests.
//
//   npm run bench:console -- --receipts 10000000 --engine both
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SQL } from "bun";
import type { Sql } from "../src/lib/sql/sql.ts";
import { consoleReads } from "../src/store/money-reads/console-reads.ts";
import { operatorBooks } from "../src/store/money-reads/operator-books.ts";
import { type MoneyReader, readRows, statement } from "../src/store/money-reads/reader.ts";
import { PostgresMoneyReader } from "../src/store/postgres/money-reader.ts";
import { openPostgres } from "../src/store/postgres/open.ts";
import { SearchReads } from "../src/store/reads/search.ts";
import { openSqlite } from "../src/store/sqlite/open.ts";
import { startReadThread } from "../src/store/sqlite/read-thread.ts";
import { startPostgres } from "../test/engines/postgres.ts";
import {
  type Timing,
  timeAccountPages,
  timeNewBudgets,
  timeOperatorPages,
  timePages,
} from "./console/pages.ts";
import { postgresSink, type Sink, seed, sqliteSink } from "./console/seed.ts";
import { Traffic } from "./console/traffic.ts";

const P95_MS_MAX = 100;

/** Only money grows by requests, so the console's own tables stay empty here. */
const NO_PEOPLE: Sql = {
  query: async () => [],
  nowMs: async () => Date.now(),
  transaction: (work) => work(NO_PEOPLE),
};

const HOUR_MS = 3_600_000;

const { values: flags } = parseArgs({
  options: {
    receipts: { type: "string", default: "200000" },
    turns: { type: "string", default: "40" },
    engine: { type: "string", default: "both" },
    // Where a database is kept for further runs: a folder for SQLite, an address for PostgreSQL.
    folder: { type: "string" },
    url: { type: "string" },
  },
});

function told(text: string): void {
  process.stderr.write(`${text}\n`);
}

interface Site {
  sink(): Sink;
  reader(): Promise<MoneyReader>;
  remove(): Promise<void>;
}

const OPTIONS = { create: true, serve: false };

async function sqliteSite(): Promise<Site> {
  const folder = flags.folder ?? mkdtempSync(join(tmpdir(), "faregate-bench-console-"));
  await (await openSqlite(folder, OPTIONS)).close();
  const path = join(folder, "faregate.sqlite");
  return {
    sink: () => sqliteSink(path),
    reader: () => startReadThread(path),
    async remove() {
      if (flags.folder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function postgresSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), "faregate-bench-console-"));
  chmodSync(folder, 0o755);
  const server = flags.url
    ? undefined
    : await startPostgres({ fsync: false, sharedBuffers: "2GB" });
  const url = flags.url ?? (await server?.createDatabase()) ?? "";
  await (await openPostgres(url, OPTIONS)).close();
  const sql = new SQL(url, { max: 1 });
  return {
    sink: () => postgresSink(sql, folder),
    reader: async () => new PostgresMoneyReader(url, 4),
    async remove() {
      await sql.close();
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The traffic of a database that an earlier run has left. */
async function foundTraffic(reader: MoneyReader): Promise<Traffic | undefined> {
  const text = "select sum(requests) as receipts, max(hour) as hour from usage_hours";
  const [row] = await readRows<Record<string, number | null>>(reader, statement(text));
  if (!row?.receipts) return undefined;
  return new Traffic(Number(row.receipts), (Number(row.hour) + 1) * HOUR_MS);
}

/** The traffic of a database, which is filled if it is empty. */
async function filled(engine: string, site: Site): Promise<Traffic> {
  const reader = await site.reader();
  const found = await foundTraffic(reader);
  await reader.close();
  if (found) return found;
  const traffic = new Traffic(Number(flags.receipts), Date.now());
  await seed(traffic, site.sink(), (rows) => told(`${engine}: ${rows} receipts`));
  return traffic;
}

function tableOf(engine: string, timings: readonly Timing[]): string {
  const rows = timings.map(({ page, p50Ms, p95Ms, maxMs }) => {
    const cells = [p50Ms, p95Ms, maxMs].map((ms) => ms.toFixed(1));
    return `| ${[page, ...cells].join(" | ")} |`;
  });
  return [`| ${engine} | p50 ms | p95 ms | max ms |`, "| --- | ---: | ---: | ---: |", ...rows].join(
    "\n",
  );
}

async function run(engine: string, open: () => Promise<Site>): Promise<boolean> {
  const site = await open();
  try {
    const traffic = await filled(engine, site);
    const reader = await site.reader();
    const turns = Number(flags.turns);
    const noFacts = () =>
      Promise.reject(new Error("no page asks for the room that the data takes"));
    const books = operatorBooks(reader, noFacts);
    const search = new SearchReads(reader, NO_PEOPLE);
    const timings = [
      ...(await timePages(consoleReads(reader), traffic, traffic.endMs, turns)),
      ...(await timeOperatorPages(books, traffic, turns)),
      ...(await timeAccountPages(books, search, traffic, traffic.endMs, turns)),
      await timeNewBudgets(reader, traffic, turns),
    ];
    await reader.close();
    process.stdout.write(`${tableOf(engine, timings)}\n\n`);
    // Other work takes turns with ours, which shows in the slowest first.
    told(`${engine}: the load of the machine is ${loadavg()[0]?.toFixed(1)}`);
    const slow = timings.filter(({ p95Ms }) => p95Ms > P95_MS_MAX);
    for (const { page, p95Ms } of slow) told(`${engine}: ${page} takes ${p95Ms.toFixed(0)} ms`);
    return slow.length === 0;
  } finally {
    await site.remove();
  }
}

const sites = { SQLite: sqliteSite, PostgreSQL: postgresSite };
let fine = true;
for (const [engine, open] of Object.entries(sites)) {
  if (flags.engine !== "both" && flags.engine !== engine.toLowerCase()) continue;
  fine = (await run(engine, open)) && fine;
}
told(fine ? `every page is within ${P95_MS_MAX} ms` : `some page takes more than ${P95_MS_MAX} ms`);
process.exit(fine ? 0 : 1);
