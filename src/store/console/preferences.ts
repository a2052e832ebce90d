import type { Preferences } from "../../accounts/people/person.ts";
import type { PreferencesStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

interface Row extends Omit<Preferences, "timeZone"> {
  readonly time_zone: string | null;
}

export class PreferencesTable implements PreferencesStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(userId: string): Promise<Preferences> {
    const [row] = await this.#sql.query<Row>("select * from preferences where user_id = $1", [
      userId,
    ]);
    return {
      language: row?.language ?? null,
      theme: row?.theme ?? null,
      timeZone: row?.time_zone ?? null,
    };
  }

  async save(userId: string, changes: Partial<Preferences>): Promise<void> {
    const { language, theme, timeZone } = { ...(await this.find(userId)), ...changes };
    await this.#sql.query(
      `insert into preferences (user_id, language, theme, time_zone) values ($1, $2, $3, $4)
       on conflict (user_id) do update
       set language = excluded.language, theme = excluded.theme, time_zone = excluded.time_zone`,
      [userId, language, theme, timeZone],
    );
  }
}
