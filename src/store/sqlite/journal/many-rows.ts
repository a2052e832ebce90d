import type { Database, Statement } from "bun:sqlite";
import type { Cell } from "../../rows.ts";

/** So many rows go into one statement, as long as there are. Beyond that nothing is saved any more. */
const SIZES = [32, 8, 1] as const;

type Row = readonly Cell[];

/**
 * Rows for a table, many in one statement: what a statement takes beside its rows is as much as a row does. One
 * that cannot be put in throws, and then nobody knows which of the others have been.
 */
export class ManyRows {
  readonly #statements: readonly { readonly size: number; readonly insert: Statement }[];

  constructor(db: Database, table: string, columns: readonly string[]) {
    const row = `(${columns.map(() => "?").join(", ")})`;
    this.#statements = SIZES.map((size) => {
      const rows = new Array(size).fill(row).join(", ");
      const text = `insert into ${table} (${columns.join(", ")}) values ${rows}`;
      return { size, insert: db.prepare(text) };
    });
  }

  insert(rows: readonly Row[]): void {
    let at = 0;
    for (const { size, insert } of this.#statements) {
      for (; at + size <= rows.length; at += size) insert.run(rows.slice(at, at + size).flat());
    }
  }
}
