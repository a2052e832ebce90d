import type { Database } from "bun:sqlite";
import type { Clock } from "../../../lib/clock.ts";
import { isInterrupted } from "../../money/interrupted.ts";
import { AT, type ReceiptRow } from "../../rows.ts";
import { INTERRUPTED_SQL } from "../journal/journal-statements.ts";
import { writeRecord } from "../journal/record.ts";
import type { Ending, JournalQueue } from "./journal-queue.ts";
import type { KeyBook } from "./key-book.ts";
import type { KeyBooks } from "./key-books.ts";

interface LateParts {
  readonly db: Database;
  readonly queue: JournalQueue;
  readonly keys: KeyBooks;
  readonly clock: Clock;
  /** Brings the windows of a key from the file. */
  readAgain(key: KeyBook): Promise<void>;
}

/**
 * Ends that come when there is no hold any more. Of a request that was taken for dead it is a correction:
 * what it comes to is charged all the same, once. Of any other it is what was said before, or nothing.
 */
export class LateEnds {
  readonly #parts: LateParts;
  /** Corrections on their way to the disk, by their requests. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(parts: LateParts) {
    this.#parts = parts;
  }

  async end(row: ReceiptRow, tokens: number): Promise<"done" | "already"> {
    const id = row[AT.id];
    // Whoever was first decides; where that came to nothing, this one does.
    await this.#writing.get(id)?.catch(() => {});
    await this.#parts.queue.settleUp([]);
    if (this.#writing.has(id)) return this.end(row, tokens);
    if (isInterrupted(row) || !this.#wasInterrupted(id)) return "already";
    const writing = this.#correct(row, tokens);
    this.#writing.set(id, writing);
    try {
      await writing;
    } finally {
      this.#writing.delete(id);
    }
    return "done";
  }

  /** The file says so of all that was settled, once that has become rows. */
  #wasInterrupted(id: string): boolean {
    return this.#parts.db.query(INTERRUPTED_SQL).get(id) !== null;
  }

  #correct(row: ReceiptRow, tokens: number): Promise<unknown> {
    const { queue, keys, clock } = this.#parts;
    const key = keys.of(row[AT.accountId], row[AT.keyId], queue.applied);
    const { atMs, isSure } = key.post(clock());
    const ending: Ending = {
      id: row[AT.id],
      line: writeRecord({ kind: "correction", atMs, row }),
      ended(record) {
        key.charge(row[AT.cost], atMs);
        key.lastRecord = record;
        if (tokens > 0) keys.countRates(key, 0, tokens, clock());
      },
    };
    const written = queue.write(ending).promise();
    return isSure ? written : written.then(() => this.#parts.readAgain(key).catch(() => {}));
  }
}
