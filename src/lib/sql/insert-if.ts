import { type Expression, type InsertObject, type Kysely, type SqlBool, sql } from "kysely";

/** PostgreSQL does not infer the types of values that are selected, so that each says its own. */
function typed(value: unknown) {
  if (value === null) return sql`null`;
  return sql`cast(${value} as ${typeof value === "string" ? sql`text` : sql`bigint`})`;
}

/** Adds a row if the condition holds at that moment and no other row is in its way, in one statement. */
export async function insertIf<Tables, Table extends keyof Tables & string>(
  tables: Kysely<Tables>,
  table: Table,
  values: InsertObject<Tables, Table>,
  condition: Expression<SqlBool>,
): Promise<boolean> {
  const names = sql.join(Object.keys(values).map((name) => sql.ref(name)));
  const row = sql.join(Object.values(values).map(typed));
  const { rows } = await sql`insert into ${sql.table(table)} (${names}) select ${row}
    where ${condition} on conflict do nothing returning 1 as added`.execute(tables);
  return rows.length === 1;
}
