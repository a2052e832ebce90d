import { Kysely } from "kysely";
import { dialectOver } from "./dialect.ts";
import type { Sql } from "./sql.ts";

/**
 * The tables of a room with the types of their columns, so that a text that names what is not there does not compile.
 * What belongs together runs in `sql.transaction`, which hands a database of its own to the work.
 */
export function tablesOf<Tables>(sql: Sql): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: dialectOver(sql) });
}
