import { StorageError } from "../../lib/faults.ts";
import { Deadlines, wakingClock } from "../../lib/threads/deadlines.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";

/** A proof is made at most so often, however many ask. */
const PROOF_MS = 1_000;
/** Everybody who asks hears by then. */
const ANSWER_MS = 1_000;

/** Nobody may ask for long, so that only so much of it counts; it is enough for the last one to be old. */
const ABSENT_MS = 2_000;

interface Write {
  readonly startedMs: number;
  readonly written: Promise<void>;
  isOver: boolean;
}

interface Verdict {
  readonly sinceMs: number;
  readonly told: Promise<void>;
}

/**
 * Whether the books can be written: by writing to them. One verdict is for all who ask within a second. A write that
 * hangs is the last until it ends, since more of them would only stand behind it; each second of it is one more failure.
 */
export class WriteProof {
  readonly #write: () => Promise<void>;
  readonly #heard: (failure?: Error) => void;
  readonly #deadlines: Deadlines;
  #last: Write | undefined;
  #verdict: Verdict | undefined;

  /** `heard` is told each verdict once, before those who asked for it. */
  constructor(
    write: () => Promise<void>,
    heard: (failure?: Error) => void,
    clock = wakingClock(ABSENT_MS),
  ) {
    this.#write = write;
    this.#heard = heard;
    this.#deadlines = new Deadlines(Number.POSITIVE_INFINITY, () => {}, new Watchdog(clock));
  }

  /** How long the last write has been under way; zero when it is not. */
  get pendingMs(): number {
    return this.#last && !this.#last.isOver ? this.#now() - this.#last.startedMs : 0;
  }

  /** Rejects where nothing could be written, or it takes too long to hear. */
  ask(): Promise<void> {
    const nowMs = this.#now();
    if (!this.#verdict || nowMs - this.#verdict.sinceMs >= PROOF_MS) {
      const over = () => new StorageError("storage has not taken a write for a second");
      const told = this.#deadlines.wait(this.#writing(nowMs), { ms: ANSWER_MS, over });
      told.then(() => this.#heard(), this.#heard);
      this.#verdict = { sinceMs: nowMs, told };
    }
    return this.#verdict.told;
  }

  #now(): number {
    return this.#deadlines.watchdog.now();
  }

  #writing(nowMs: number): Promise<void> {
    if (this.#last && !this.#last.isOver) return this.#last.written;
    const last: Write = { startedMs: nowMs, written: this.#write(), isOver: false };
    const over = () => {
      last.isOver = true;
    };
    last.written.then(over, over);
    this.#last = last;
    return last.written;
  }
}
