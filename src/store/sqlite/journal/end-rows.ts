import { AT, type Cell, type ReceiptRow } from "../../rows.ts";
import type { JournalStatements } from "./journal-statements.ts";

/** How a request ended, in the order of the columns. */
export type EntryRow = readonly [
  accountId: string,
  keyId: string,
  kind: "post" | "void",
  amount: bigint,
  holdId: string,
  atMs: number,
];

/** Where the ends of requests become rows. */
export interface EndRows {
  /** False when the hold was resolved before: the first record of an id is the one that counts. */
  enter(entry: EntryRow): boolean;
  /** Those that were not there already, and so have not been added up. */
  record(receipts: readonly ReceiptRow[]): readonly ReceiptRow[];
  /** From now on entries are there for whoever looks. */
  flush(): void;
}

function addTo(sql: JournalStatements, row: ReceiptRow): void {
  sql.addToReceipt.run(...(row as readonly Cell[] as Cell[]));
}

/** Each as it comes, beside whatever is there. */
export class RowsOneByOne implements EndRows {
  readonly #sql: JournalStatements;

  constructor(sql: JournalStatements) {
    this.#sql = sql;
  }

  enter(entry: EntryRow): boolean {
    return this.#sql.insertEntry.run(...entry).changes > 0;
  }

  record(receipts: readonly ReceiptRow[]): readonly ReceiptRow[] {
    return receipts.filter((row) => {
      const cells = row as readonly Cell[] as Cell[];
      if (row[AT.lastAt] === null) return this.#sql.insertReceipt.run(...cells).changes > 0;
      addTo(this.#sql, row);
      return true;
    });
  }

  flush(): void {}
}

/** Many by one statement. Throws where one of them is there already, which hardly ever is. */
export class RowsTogether implements EndRows {
  readonly #sql: JournalStatements;
  #entries: EntryRow[] = [];

  constructor(sql: JournalStatements) {
    this.#sql = sql;
  }

  enter(entry: EntryRow): boolean {
    this.#entries.push(entry);
    return true;
  }

  /** In their order: one that adds to the row of another comes behind it. */
  record(receipts: readonly ReceiptRow[]): readonly ReceiptRow[] {
    let first: ReceiptRow[] = [];
    for (const row of receipts) {
      if (row[AT.lastAt] === null) {
        first.push(row);
        continue;
      }
      this.#sql.receipts.insert(first);
      first = [];
      addTo(this.#sql, row);
    }
    this.#sql.receipts.insert(first);
    return receipts;
  }

  flush(): void {
    this.#sql.entries.insert(this.#entries);
    this.#entries = [];
  }
}
