import type { SQL } from "bun";
import { StorageError } from "../../lib/faults.ts";
import { Deadlines } from "../../lib/threads/deadlines.ts";
import type { MoneyReader, ReadStatement } from "../money-reads/reader.ts";
import { storable } from "../rows.ts";
import { isDisconnection, NOW_MS_SQL } from "./connections.ts";
import { Pool } from "./pooling/pool.ts";

type Rows = readonly (readonly unknown[])[];

const STATEMENT_MS = 10_000;

/** By then a database in reach has answered something, be it that a statement took too long. */
const SILENCE_MS = STATEMENT_MS + 1_000;

const SETTINGS = {
  application_name: "faregate console",
  default_transaction_read_only: "on",
  /** A page that takes longer helps nobody, and must not keep the database from its work. */
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: "10s",
  /** Accounts differ by a million times in size: each has a plan of its own. */
  plan_cache_mode: "force_custom_plan",
  /** Compiling a statement takes longer than running it. */
  jit: "off",
  /** So does calling for others to help. */
  max_parallel_workers_per_gather: 0,
  /** No page asks for all of a table that grows: where it looks cheap, the guess is wrong. */
  enable_seqscan: "off",
};

/** Whoever asks has an end of his own. */
const WITHOUT_END = {
  ms: Number.POSITIVE_INFINITY,
  over: () => new StorageError("the books could not be read"),
};

/**
 * Connections that only read, apart from those that requests are admitted and settled by. A network may swallow what
 * is sent on them without a word: where none of them has answered for long, all are given up for new ones, and what
 * was asked there is asked again.
 */
export class PostgresMoneyReader implements MoneyReader {
  readonly nowMsSql = NOW_MS_SQL;
  readonly #newPool: () => Pool;
  readonly #silenceMs: number;
  readonly #deadlines: Deadlines;
  #pool: Pool;
  /** When one of them has answered last, or they were made. */
  #heardMs: number;

  constructor(url: string, max: number, silenceMs = SILENCE_MS) {
    this.#newPool = () => new Pool(url, max, SETTINGS);
    this.#silenceMs = silenceMs;
    this.#deadlines = new Deadlines(silenceMs, () => this.#giveUpSilent());
    this.#pool = this.#newPool();
    this.#heardMs = this.#deadlines.watchdog.now();
  }

  #hear(): void {
    this.#heardMs = this.#deadlines.watchdog.now();
  }

  #giveUpSilent(): void {
    if (this.#deadlines.watchdog.now() - this.#heardMs < this.#silenceMs) return;
    const left = this.#pool;
    this.#pool = this.#newPool();
    this.#hear();
    // They may be closed already, with the reader.
    void left.sql.close({ timeout: 0 }).catch(() => {});
  }

  async read(statements: readonly ReadStatement[]): Promise<Rows> {
    try {
      return await this.#untilDeadline(statements).catch((thrown: unknown) => {
        // A connection that had died long ago: another one may do.
        if (isDisconnection(thrown)) return this.#untilDeadline(statements);
        throw thrown;
      });
    } catch (thrown) {
      throw StorageError.from(thrown);
    }
  }

  async close(): Promise<void> {
    await this.#pool.sql.close();
  }

  #untilDeadline(statements: readonly ReadStatement[]): Promise<Rows> {
    return this.#deadlines.wait(this.#once(statements), WITHOUT_END);
  }

  async #once(statements: readonly ReadStatement[]): Promise<Rows> {
    const [only, ...others] = statements;
    // What bounds a page comes with the connection, or else with a transaction.
    const isAlone = others.length === 0 && !this.#pool.isPooled;
    if (only && isAlone) return [await this.#run(this.#pool.sql, only)];
    return this.#pool.begin("isolation level repeatable read read only", async (tx) => {
      const rows: (readonly unknown[])[] = [];
      for (const asked of statements) rows.push(await this.#run(tx, asked));
      return rows;
    });
  }

  async #run(sql: SQL, { text, params }: ReadStatement): Promise<readonly unknown[]> {
    const values = params.map((param) => (typeof param === "string" ? storable(param) : param));
    try {
      return (await sql.unsafe(text, values)) as readonly unknown[];
    } finally {
      this.#hear();
    }
  }
}
