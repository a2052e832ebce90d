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

  /** What is not named stays, also where somebody changes that at the same moment. */
  async save(userId: string, changes: Partial<Preferences>): Promise<void> {
    const { language, theme, timeZone } = changes;
    const named = {
      ...(language !== undefined && { language }),
      ...(theme !== undefined && { theme }),
      ...(timeZone !== undefined && { time_zone: timeZone }),
    };
    const nothing = { language: null, theme: null, time_zone: null };
    const row = this.tables
      .insertInto("preferences")
      .values({ user_id: userId, ...nothing, ...named })
      .onConflict((conflict) => {
        const known = conflict.column("user_id");
        return Object.keys(named).length > 0 ? known.doUpdateSet(named) : known.doNothing();
      });
    await row.execute();
  }
}
