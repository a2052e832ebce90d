// A database and the lives of a server on it, each counted from its start to its end.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { ENTRY, ENTRY_VARIABLE } from "../cli/commands.ts";
import { startPostgres } from "../engines/postgres.ts";
import { TestServer } from "../server.ts";
import { makeTables } from "../store/tables.ts";
import type { Parts } from "../support/houses/house.ts";
import { MockVendor } from "../support/vendors/mock-vendor.ts";
import { eventually } from "../support/waiting.ts";
import { type Counts, counting, countsIn } from "./counted.ts";
import { PostgresEar } from "./postgres-ear.ts";

/** What a server is told beside what it counts by, and what its database has counted of it so far. */
interface Testbed {
  /** Where commands find it, past whatever counts. */
  readonly direct: Record<string, string>;
  readonly counted: Record<string, string>;
  /** Once no server has it open any more. */
  counts(): Promise<Counts>;
}

export interface Engine {
  readonly name: "SQLite" | "PostgreSQL";
  testbed(parts: Parts): Promise<Testbed>;
}

/** Longer than most of what a server does by the clock has for a period. */
const IDLE_MS = 5_500;

const NOTHING: Counts = { statements: 0, rows: 0, flushes: 0, crossings: 0 };

/** One and so many times the other. */
function plus(one: Counts, other: Counts, times = 1): Counts {
  return {
    statements: one.statements + times * other.statements,
    rows: one.rows + times * other.rows,
    flushes: one.flushes + times * other.flushes,
    crossings: one.crossings + times * other.crossings,
  };
}

const SQLITE: Engine = {
  name: "SQLite",
  async testbed(parts) {
    const settings = { FAREGATE_DATA: parts.folder() };
    // The threads of a server count all there is to it.
    return { direct: settings, counted: settings, counts: async () => NOTHING };
  },
};

const ROWS_SQL =
  "select sum(n_tup_ins + n_tup_upd + n_tup_del)::int as count from pg_stat_user_tables";
/** Those that somebody waited for: other processes of the server flush in the background. */
const FLUSHES_SQL = `select sum(fsyncs)::int as count from pg_stat_io
  where backend_type = 'client backend' and object = 'wal'`;
const OTHERS_SQL = `select count(*)::int as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

const POSTGRES: Engine = {
  name: "PostgreSQL",
  async testbed(parts) {
    // One of its own: a server counts its flushes for all of its databases together.
    const postgres = parts.keep(await startPostgres());
    const url = await postgres.createDatabase();
    const ear = parts.keep(new PostgresEar(url));
    const sql = parts.adopt(new SQL(url, { max: 1 }), (opened) => opened.close({ timeout: 0 }));
    const count = async (text: string) => Number((await sql.unsafe(text))[0].count ?? 0);
    const folder = { FAREGATE_DATA: parts.folder() };
    return {
      direct: { ...folder, DATABASE_URL: url },
      counted: { ...folder, DATABASE_URL: ear.url },
      async counts() {
        // A connection tells what it has done when it ends at the latest.
        await eventually("the server has left", async () => (await count(OTHERS_SQL)) === 0);
        const [rows, flushes] = [await count(ROWS_SQL), await count(FLUSHES_SQL)];
        return { ...NOTHING, statements: ear.statements, rows, flushes };
      },
    };
  },
};

export const ENGINES: readonly Engine[] = [SQLITE, POSTGRES];

export class CostHouse {
  readonly vendor: MockVendor;
  readonly #testbed: Testbed;
  readonly #parts: Parts;
  readonly key: string;
  #lives = 0;
  #quiet: { still: Counts; perMs: Counts } | undefined;

  private constructor(parts: Parts, vendor: MockVendor, testbed: Testbed, key: string) {
    this.#parts = parts;
    this.vendor = vendor;
    this.#testbed = testbed;
    this.key = key;
  }

  static async open(parts: Parts, engine: Engine): Promise<CostHouse> {
    const vendor = parts.keep(new MockVendor());
    const testbed = await engine.testbed(parts);
    await makeTables(testbed.direct);
    const first = await TestServer.startHere(testbed.direct);
    const { key } = await first.account("1000", "--rpm", "0");
    await first.stop();
    return new CostHouse(parts, vendor, testbed, key);
  }

  /** What a life is before anything is asked of it, and what it does by the clock. */
  async #idle(): Promise<{ still: Counts; perMs: Counts }> {
    const still = await this.#life(async () => {});
    const waiting = await this.#life(() => Bun.sleep(IDLE_MS));
    return { still, perMs: plus(NOTHING, plus(waiting, still, -1), 1 / IDLE_MS) };
  }

  /** What each of so many requests costs, beyond what a server costs that has none for as long. */
  async perRequest(requests: number, ask: (server: TestServer) => Promise<void>): Promise<Counts> {
    this.#quiet ??= await this.#idle();
    const { still, perMs } = this.#quiet;
    let tookMs = 0;
    const loaded = await this.#life(async (server) => {
      const startedAt = performance.now();
      await ask(server);
      tookMs = performance.now() - startedAt;
    });
    const more = plus(plus(loaded, still, -1), perMs, -tookMs);
    return plus(NOTHING, more, 1 / requests);
  }

  /** From its start to its end, so that what it has put off is done and counted too. */
  async #life(work: (server: TestServer) => Promise<void>): Promise<Counts> {
    this.#lives += 1;
    const folder = join(this.#parts.folder(), String(this.#lives));
    mkdirSync(folder);
    const before = await this.#testbed.counts();
    const settings = {
      ...{ ...this.#testbed.counted, ...this.vendor.settings, ...counting(folder) },
      // What counts changes the runtime and none of its modules, so it is the program that people start.
      [ENTRY_VARIABLE]: ENTRY,
    };
    const server = this.#parts.adopt(await TestServer.start(settings), (running) => running.kill());
    await work(server);
    if ((await server.stop()) !== 0) throw new Error(`the server failed: ${await server.errors}`);
    const ofDatabase = plus(await this.#testbed.counts(), before, -1);
    return plus(countsIn(folder), ofDatabase);
  }
}
