import type { Sql } from "../../lib/sql/sql.ts";

/** What a server that starts must know of operators, and may write, without the tables of people. */
export class FirstOperatorRows {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** False on an installation that nobody has signed in to yet. */
  async anyOperator(): Promise<boolean> {
    const rows = await this.#sql.query("select 1 from members where operator = 1 limit 1");
    return rows.length > 0;
  }

  async add(hash: string, nowMs: number, expiresAtMs: number): Promise<void> {
    await this.#sql.query(
      "insert into operator_links (hash, created_at, expires_at) values ($1, $2, $3)",
      [hash, nowMs, expiresAtMs],
    );
  }
}
