import { Kysely } from "kysely";
import { dialectOver } from "./dialect.ts";
import type { Sql } from "./sql.ts";

/** The tables of a room with the types of their columns: a text that names what is not there does not compile. */
export class TypedTables<Columns> extends Kysely<Columns> {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    super({ dialect: dialectOver(sql) });
    this.#sql = sql;
  }

  /** All or nothing of what is done with the tables that are handed to the work. */
  atomically<T>(work: (tables: TypedTables<Columns>) => Promise<T>): Promise<T> {
    return this.#sql.transaction((sql) => work(new TypedTables(sql)));
  }
}

export function tablesOf<Columns>(sql: Sql): TypedTables<Columns> {
  return new TypedTables(sql);
}

/** What reads and writes some of a room's tables begins with them. */
export abstract class Rows<Columns> {
  protected readonly tables: TypedTables<Columns>;

  constructor(sql: Sql) {
    this.tables = tablesOf(sql);
  }
}
