import { Rows } from "../../lib/sql/tables.ts";
import type { Recipient, Recipients } from "../../notices/facts.ts";
import type { AccountsTables } from "./schema.ts";

/** The people behind an account, from the tables of members, identities and preferences. */
export class RecipientsTable extends Rows<AccountsTables> implements Recipients {
  owners(accountId: string): Promise<readonly Recipient[]> {
    return this.#people({ account_id: accountId, role: "owner" });
  }

  operators(): Promise<readonly Recipient[]> {
    return this.#people({ operator: 1 });
  }

  async #people(
    which: { readonly account_id: string; readonly role: "owner" } | { readonly operator: 1 },
  ): Promise<readonly Recipient[]> {
    const rows = await this.tables
      .selectFrom("members")
      .innerJoin("auth_user", "auth_user.id", "members.user_id")
      .leftJoin("preferences", "preferences.user_id", "members.user_id")
      .select(["email", "language", "time_zone as timeZone"])
      .where((eb) => eb.and(which))
      .orderBy("created_at")
      .orderBy("members.user_id")
      .execute();
    return rows.map((row) => ({ ...row, language: row.language ?? "en" }));
  }
}
