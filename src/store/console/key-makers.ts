import type { KeyMakersStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

export class KeyMakersTable implements KeyMakersStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async set(keyId: string, userId: string): Promise<void> {
    await this.#sql.query(
      `insert into key_makers (key_id, user_id) values ($1, $2)
       on conflict (key_id) do update set user_id = excluded.user_id`,
      [keyId, userId],
    );
  }

  async find(keyId: string): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ user_id: string }>(
      "select user_id from key_makers where key_id = $1",
      [keyId],
    );
    return row?.user_id;
  }

  async keysOf(userId: string): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ key_id: string }>(
      "select key_id from key_makers where user_id = $1 order by key_id",
      [userId],
    );
    return rows.map(({ key_id }) => key_id);
  }

  async makers(): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ user_id: string }>(
      "select distinct user_id from key_makers order by user_id",
    );
    return rows.map(({ user_id }) => user_id);
  }
}
