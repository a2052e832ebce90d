import { Rows } from "../../lib/sql/tables.ts";
import type { Preferences } from "../people/person.ts";
import type { AccountsTables } from "./schema.ts";

export class PreferencesTable extends Rows<AccountsTables> {
  async find(userId: string): Promise<Preferences> {
    const row = await this.tables
      .selectFrom("preferences")
      .select(["language", "theme", "time_zone as timeZone"])
      .where("user_id", "=", userId)
      .executeTakeFirst();
    return row ?? { language: null, theme: null, timeZone: null };
  }

  async save(userId: string, changes: Partial<Preferences>): Promise<void> {
    const { language, theme, timeZone } = { ...(await this.find(userId)), ...changes };
    const wanted = { language, theme, time_zone: timeZone };
    await this.tables
      .insertInto("preferences")
      .values({ user_id: userId, ...wanted })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(wanted))
      .execute();
  }
}
