import type { Sql } from "../../lib/sql/sql.ts";
import { tablesOf } from "../../lib/sql/tables.ts";

/** A column whose texts were sealed, in a table whose rows have one name. */
interface SealedColumn {
  readonly table: string;
  readonly name: string;
  readonly column: string;
}

/** Sealed by the vault. A test looks for columns that are missing here. */
export const VAULT_COLUMNS: readonly SealedColumn[] = [
  { table: "operator_channels", name: "id", column: "secrets" },
  { table: "public_accounts", name: "id", column: "sealed_secret" },
  ...["proxy", "source", "component_secret", "token", "ticket", "refresh"].map((what) => ({
    table: "public_account_access",
    name: "public_account_id",
    column: `sealed_${what}`,
  })),
  { table: "invitation_links", name: "invitation_id", column: "sealed_token" },
  { table: "kept_keys", name: "key_id", column: "sealed_secret" },
  { table: "platform_accounts", name: "appid", column: "secret" },
  { table: "platform_tokens", name: "hash", column: "sealed" },
  { table: "alert_settings", name: "account_id", column: "webhook_secret" },
];

/** Sealed by the sign-in library, with the secret that it was given. */
export const SIGN_IN_COLUMNS: readonly SealedColumn[] = [
  { table: "auth_two_factor", name: "id", column: "secret" },
  { table: "auth_two_factor", name: "id", column: "backupCodes" },
  { table: "auth_account", name: "id", column: "accessToken" },
  { table: "auth_account", name: "id", column: "refreshToken" },
];

const ROWS_MAX = 200;

/** Of every table only columns of text are looked at here, by names that are data. */
type Texts = Record<string, Record<string, string>>;

/** Puts what `change` makes of each text in its place; undefined leaves it. */
export async function changeColumn(
  sql: Sql,
  { table, name, column }: SealedColumn,
  change: (text: string) => Promise<string | undefined>,
): Promise<void> {
  const tables = tablesOf<Texts>(sql);
  let after = "";
  for (;;) {
    const rows = await tables
      .selectFrom(table)
      .select(({ ref }) => [ref(name).as("name"), ref(column).as("text")])
      .where(name, ">", after)
      .where(column, "is not", null)
      .orderBy(name)
      .limit(ROWS_MAX)
      .execute();
    for (const row of rows) {
      const text = await change(row.text);
      if (text === undefined) continue;
      const unchanged = tables.updateTable(table).where(name, "=", row.name);
      await unchanged.where(column, "=", row.text).set(column, text).execute();
    }
    if (rows.length < ROWS_MAX) return;
    after = rows.at(-1)?.name ?? "";
  }
}

/** They are found by a sum that is made with the secret, and are fetched anew for nothing. */
export async function forgetDraftTokens(sql: Sql): Promise<void> {
  await tablesOf<Texts>(sql).deleteFrom("draft_tokens").execute();
}
