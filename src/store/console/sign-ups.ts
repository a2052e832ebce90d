import type { SignUpsStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

export class SignUpsTable implements SignUpsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(userId: string, accountId: string, nowMs: number): Promise<void> {
    await this.#sql.query(
      `insert into sign_ups (user_id, account_id, created_at) values ($1, $2, $3)
       on conflict do nothing`,
      [userId, accountId, nowMs],
    );
  }

  async accountOf(userId: string): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ account_id: string }>(
      "select account_id from sign_ups where user_id = $1",
      [userId],
    );
    return row?.account_id;
  }
}
