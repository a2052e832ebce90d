import type { Database, Statement } from "bun:sqlite";
import type { SqlValue } from "../../lib/sql/sql.ts";

/** Texts are few; those that are put together from parts must not grow the thread for ever. */
const STATEMENTS_MAX = 500;

type Row = Record<string, unknown>;

/** Whole numbers that a double can hold become one, as on the other engine. */
function plain(row: Row): Row {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "bigint" && Number.isSafeInteger(Number(value))) row[name] = Number(value);
  }
  return row;
}

/** One statement after another on the file of the console; the main thread keeps their order. */
export class ConsoleWriter {
  readonly #db: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(db: Database) {
    this.#db = db;
  }

  query(text: string, params: readonly SqlValue[]): readonly Row[] {
    return (this.#statement(text).all(...params) as Row[]).map(plain);
  }

  begin(): void {
    this.#db.run("begin immediate");
  }

  commit(): void {
    this.#db.run("commit");
  }

  rollback(): void {
    // A statement that failed badly enough has rolled back by itself.
    if (this.#db.inTransaction) this.#db.run("rollback");
  }

  #statement(text: string): Statement {
    const known = this.#statements.get(text);
    if (known) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#forgetOldest();
    const statement = this.#db.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }

  #forgetOldest(): void {
    for (const [text, statement] of this.#statements) {
      statement.finalize();
      this.#statements.delete(text);
      return;
    }
  }
}
