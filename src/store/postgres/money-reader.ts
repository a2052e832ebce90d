import type { SQL } from "bun";
import { StorageError } from "../../lib/faults.ts";
import type { MoneyReader, ReadStatement } from "../money-reads/reader.ts";
import { storable } from "../rows.ts";
import { isDisconnection, NOW_MS_SQL } from "./connections.ts";
import { Pool } from "./pooling/pool.ts";

type Rows = readonly (readonly unknown[])[];

const SETTINGS = {
  application_name: "faregate console",
  default_transaction_read_only: "on",
  /** A page that takes longer helps nobody, and must not keep the database from its work. */
  statement_timeout: "10s",
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

/** Connections that only read, apart from those that requests are admitted and settled by. */
export class PostgresMoneyReader implements MoneyReader {
  readonly nowMsSql = NOW_MS_SQL;
  readonly #pool: Pool;

  constructor(url: string, max: number) {
    this.#pool = new Pool(url, max, SETTINGS);
  }

  async read(statements: readonly ReadStatement[]): Promise<Rows> {
    try {
      return await this.#once(statements).catch((thrown: unknown) => {
        // A connection that had died long ago: another one may do.
        if (isDisconnection(thrown)) return this.#once(statements);
        throw thrown;
      });
    } catch (thrown) {
      throw StorageError.from(thrown);
    }
  }

  async close(): Promise<void> {
    await this.#pool.sql.close();
  }

  async #once(statements: readonly ReadStatement[]): Promise<Rows> {
    const [only, ...others] = statements;
    // What bounds a page comes with the connection, or else with a transaction.
    const isAlone = others.length === 0 && !this.#pool.isPooled;
    if (only && isAlone) return [await run(this.#pool.sql, only)];
    return this.#pool.begin("isolation level repeatable read read only", async (tx) => {
      const rows: (readonly unknown[])[] = [];
      for (const asked of statements) rows.push(await run(tx, asked));
      return rows;
    });
  }
}

async function run(sql: SQL, { text, params }: ReadStatement): Promise<readonly unknown[]> {
  const values = params.map((param) => (typeof param === "string" ? storable(param) : param));
  return (await sql.unsafe(text, values)) as readonly unknown[];
}
