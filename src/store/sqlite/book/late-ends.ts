import type { Database } from "bun:sqlite";
import type { Leeway } from "../../../accounts/account.ts";
import { mostCorrected, NO_LEEWAY } from "../../../admission/judge.ts";
import type { TokensUsed } from "../../../ledger/receipt.ts";
import type { Clock } from "../../../lib/clock.ts";
import { correctedWithin, isInterrupted } from "../../money/interrupted.ts";
import { AT, type ReceiptRow } from "../../rows.ts";
import { INTERRUPTED_SQL } from "../journal/journal-statements.ts";
import { writeRecord } from "../journal/record.ts";
import type { DayLosses } from "./day-losses.ts";
import type { Ending, JournalQueue } from "./journal-queue.ts";
import type { KeyBook } from "./key-book.ts";
import type { KeyBooks } from "./key-books.ts";

interface LateParts {
  readonly db: Database;
  readonly queue: JournalQueue;
  readonly keys: KeyBooks;
  readonly losses: DayLosses;
  readonly clock: Clock;
  /** Brings the windows of a key from the file. */
  readAgain(key: KeyBook): Promise<void>;
}

/**
 * Ends that come when there is no hold any more. Of a request that was taken for dead it is a correction:
 * what it comes to is charged all the same, once, as far as its scopes have it left. Of any other it is what was said before, or nothing.
 */
export class LateEnds {
  readonly #parts: LateParts;
  /** Corrections on their way to the disk, by their requests. */
  readonly #writing = new Map<string, Promise<unknown>>();

  constructor(parts: LateParts) {
    this.#parts = parts;
  }

  async end(
    row: ReceiptRow,
    tokens: TokensUsed | undefined,
    leeway: Leeway | undefined,
  ): Promise<"done" | "already"> {
    const id = row[AT.id];
    // Whoever was first decides; where that came to nothing, this one does.
    await this.#writing.get(id)?.catch(() => {});
    await this.#parts.queue.settleUp([]);
    if (this.#writing.has(id)) return this.end(row, tokens, leeway);
    if (isInterrupted(row) || !this.#wasInterrupted(id)) return "already";
    const writing = this.#correct(row, tokens, leeway);
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

  async #correct(
    end: ReceiptRow,
    tokens: TokensUsed | undefined,
    leeway = NO_LEEWAY,
  ): Promise<void> {
    const { queue, keys, losses, clock, readAgain } = this.#parts;
    const key = keys.of(end[AT.accountId], end[AT.keyId], queue.applied);
    // Where a clock was set, only the file knows what is left in the windows of now.
    if (!key.post(clock()).isSure) await readAgain(key);
    const { atMs } = key.post(clock());
    const cost = mostCorrected(key.scopes, end[AT.cost], leeway);
    const row = cost < end[AT.cost] ? correctedWithin(end, cost) : end;
    // Nobody else is given it while it is on its way to the disk.
    key.hold(cost);
    let isWritten = false;
    const ending: Ending = {
      id: row[AT.id],
      line: writeRecord({ kind: "correction", atMs, row }),
      ended(record) {
        isWritten = true;
        key.end(cost, cost, atMs);
        losses.add(row);
        key.lastRecord = record;
        if (tokens) keys.replaceTokens(key, tokens, clock());
      },
    };
    try {
      await queue.write(ending).promise();
    } finally {
      if (!isWritten) key.end(cost, 0n, 0);
    }
  }
}
