import { systemClock } from "../../lib/clock.ts";
import { StorageError } from "../../lib/faults.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { ConsoleWriter } from "./console-writer.ts";
import { closeFile, openFile } from "./database.ts";

/**
 * The file of the console for a process that reads a row of it now and then: no thread of its own, which
 * would weigh more than all that is asked. What it writes, it writes before it serves.
 */
export class DirectSql implements Sql {
  readonly #writer: ConsoleWriter;
  readonly #close: () => void;
  readonly #check: () => void;
  /** A connection in this very thread does not fail for good. */
  readonly failed = new Promise<Error>(() => {});

  /** `check` throws while nothing may be asked. */
  constructor(path: string, check = () => {}) {
    this.#check = check;
    const db = openFile(path, { create: true, synchronous: "FULL", safeIntegers: true });
    // With the first read the log is open too; before it, another who closes the file would take it away.
    db.query("select 1 from sqlite_schema").get();
    this.#writer = new ConsoleWriter(db);
    this.#close = () => closeFile(db);
  }

  async query<Row>(text: string, params: readonly SqlValue[] = []): Promise<readonly Row[]> {
    try {
      this.#check();
      return this.#writer.query(text, params) as readonly Row[];
    } catch (thrown) {
      throw StorageError.from(thrown);
    }
  }

  async nowMs(): Promise<number> {
    return systemClock();
  }

  transaction(): Promise<never> {
    return Promise.reject(new Error("a transaction needs the store opened with its rooms"));
  }

  async close(): Promise<void> {
    this.#close();
  }
}
