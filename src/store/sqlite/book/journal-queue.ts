import type { Clock } from "../../../lib/clock.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { Deferred } from "../../../lib/threads/deferred.ts";
import { GroupCommit } from "../../money/group-commit.ts";
import type { BookName, KeyState } from "../journal/journal.ts";
import type { KeptHold } from "./hold-slots.ts";

/** The file's half of the books, as the half in memory asks it. Answers come in the order of questions. */
export interface JournalPort {
  /** On disk when it resolves; to how many records have become rows. */
  append(lines: string): Promise<number>;
  /** Resolves to the same when all that was appended has become rows, and these holds have theirs. */
  settleUp(holds: readonly KeptHold[]): Promise<number>;
  /** Resolves when the file has taken a write, down to the disk. */
  prove(): Promise<void>;
  /** What the file says of keys, with their budgets in the windows of a moment. */
  keyStates(names: readonly BookName[], nowMs: number): Promise<readonly KeyState[]>;
}

/** A line, and what follows when it is on disk. */
export interface Ending {
  /** The request that ends by it; empty where none does. */
  readonly id: string;
  readonly line: string;
  ended(record: number): void;
}

/** A group that takes longer than this is one of a disk that nobody should wait for. */
const STUCK_MS = 5_000;

/** Gathers records while a group of them is being written, so that the disk is flushed once for many. */
export class JournalQueue {
  readonly #journal: JournalPort;
  readonly #queue: GroupCommit<Ending, "done">;
  readonly #clock: Clock;
  readonly #written: () => void;
  /** All records that were asked for, and those that have an answer. */
  #asked = 0;
  #answered = 0;
  #records = 0;
  #waitsFor = -1;
  #applied = 0;
  /** The last time that rows were asked for, while it is under way. */
  #settling: Promise<void> | undefined;
  #proof: Promise<void> | undefined;
  #isDoubtful = false;
  #isClosed = false;
  #busySinceMs: number | undefined;

  /** `written` is told when those have been written that somebody waits for. */
  constructor(journal: JournalPort, clock: Clock, written: () => void) {
    this.#journal = journal;
    this.#clock = clock;
    this.#written = written;
    this.#queue = new GroupCommit((batch) => this.#write(batch));
  }

  /** How many records have become rows. */
  get applied(): number {
    return this.#applied;
  }

  /** Whether there are records on disk that have not become rows. */
  get isBehind(): boolean {
    return this.#applied < this.#records;
  }

  /** Whether the last group could not be written, or one has been on its way for too long. */
  get isDoubtful(): boolean {
    return this.#isDoubtful || this.#isStuck();
  }

  #isStuck(): boolean {
    return this.#busySinceMs !== undefined && this.#clock() - this.#busySinceMs > STUCK_MS;
  }

  /** Somebody knows of a reason to ask the file first. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Throws while the file cannot be written. Whoever asks meanwhile hears the same. */
  prove(): Promise<void> {
    this.#proof ??= this.#prove().finally(() => {
      this.#proof = undefined;
    });
    return this.#proof;
  }

  async #prove(): Promise<void> {
    if (this.#isStuck()) throw new StorageError("the disk has not answered for a while");
    try {
      await this.#journal.prove();
    } catch (thrown) {
      this.#isDoubtful = true;
      throw StorageError.from(thrown);
    }
    this.#isDoubtful = false;
  }

  /** There when it is on disk and what follows from that has been done. */
  write(ending: Ending): Deferred<"done"> {
    this.#asked += 1;
    return this.#queue.submit(ending);
  }

  /** Nobody waits for the end of this request any more: it is not written, unless that has begun. */
  withdraw(id: string): void {
    const isIt = (ending: Ending) => {
      if (ending.id !== id) return false;
      this.#answer(1);
      return true;
    };
    this.#queue.withdraw(isIt, new StorageError("nobody waits for it any more"));
  }

  #answer(records: number): void {
    this.#answered += records;
    if (this.#waitsFor < 0 || this.#answered < this.#waitsFor) return;
    this.#waitsFor = -1;
    this.#written();
  }

  /** Resolves when all that is on disk has become rows, and these holds have theirs. */
  async settleUp(holds: readonly KeptHold[]): Promise<void> {
    // What another has asked for a moment ago may be what this one needs, and is not there yet.
    if (!this.isBehind && holds.length === 0) return this.#settling;
    const settling = this.#journal.settleUp(holds).then((applied) => {
      this.#applied = applied;
    });
    this.#settling = settling;
    try {
      await settling;
    } finally {
      if (this.#settling === settling) this.#settling = undefined;
    }
  }

  /** Calls back once all that is asked in this turn has been written, or could not be. */
  whenSettled(look: () => void): void {
    queueMicrotask(() => {
      if (this.#answered === this.#asked) look();
      // Whoever waits already does not wait longer because others do.
      else if (this.#waitsFor < 0) this.#waitsFor = this.#asked;
    });
  }

  async #write(batch: readonly Ending[]): Promise<"done"[]> {
    this.#busySinceMs = this.#clock();
    try {
      // What follows is done in the order in which the thread answers, with nothing in between.
      this.#applied = await this.#journal.append(batch.map(({ line }) => line).join("\n"));
      this.#isDoubtful = false;
      for (const ending of batch) ending.ended(++this.#records);
    } catch (thrown) {
      this.#isDoubtful = true;
      throw StorageError.from(thrown);
    } finally {
      this.#busySinceMs = undefined;
      this.#answer(batch.length);
    }
    return new Array(batch.length).fill("done");
  }

  /** Throws once it is closed. */
  mustBeOpen(): void {
    if (this.#isClosed) throw new StorageError("the store is closed");
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#queue.idle();
    this.#queue.close(new StorageError("the store is closed"));
  }
}
