import type { Sql } from "../lib/sql/sql.ts";

/**
 * Where a running server is reached from this machine, for commands that are typed beside it. The last
 * server that was started is the one that is found.
 */
export class ServingRow {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ address: string }>("select address from serving");
    return row?.address;
  }

  async save(address: string): Promise<void> {
    await this.#sql.query(
      `insert into serving (place, address) values (1, $1)
       on conflict (place) do update set address = excluded.address`,
      [address],
    );
  }

  /** Only where it is still this one. */
  async clear(address: string): Promise<void> {
    await this.#sql.query("delete from serving where address = $1", [address]);
  }
}
