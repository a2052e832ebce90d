import { StorageError } from "../../lib/faults.ts";
import { Patience, wakingClock } from "../../lib/threads/patience.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";

/** A proof is made at most so often, whoever asks and how many do. */
const PROOF_MS = 1_000;
/** Whoever asks hears by then. */
const ANSWER_MS = 1_000;

/** Nobody may ask for long, so that only so much of it counts; it is enough for the last one to be old. */
const ABSENT_MS = 2_000;

interface Proof {
  readonly startedMs: number;
  readonly written: Promise<void>;
  isOver: boolean;
}

/**
 * Whether the books can be written: by writing to them. One proof is for all who ask while it is made and for a
 * moment after. One that hangs is the last until it ends: more of them would only stand behind it.
 */
export class WriteProof {
  readonly #write: () => Promise<void>;
  readonly #patience: Patience;
  #made = 0;
  #last: Proof | undefined;

  constructor(write: () => Promise<void>, clock = wakingClock(ABSENT_MS)) {
    this.#write = write;
    this.#patience = new Patience(Number.POSITIVE_INFINITY, () => {}, new Watchdog(clock));
  }

  /** How long the last one has been under way; zero when it is not. */
  get pendingMs(): number {
    return this.#last && !this.#last.isOver ? this.#now() - this.#last.startedMs : 0;
  }

  /** How many have been written. */
  get made(): number {
    return this.#made;
  }

  /** Rejects where nothing could be written, or it takes too long to hear. */
  async ask(): Promise<void> {
    const { written, startedMs } = this.#current();
    const ms = ANSWER_MS - (this.#now() - startedMs);
    const over = () => new StorageError("storage has not taken a write for a second");
    await this.#patience.wait(written, { ms, over });
  }

  #now(): number {
    return this.#patience.watchdog.now();
  }

  #current(): Proof {
    const last = this.#last;
    const nowMs = this.#now();
    if (last && (!last.isOver || nowMs - last.startedMs < PROOF_MS)) return last;
    const proof: Proof = { startedMs: nowMs, written: this.#write(), isOver: false };
    const over = () => {
      proof.isOver = true;
    };
    proof.written.then(() => {
      this.#made += 1;
      over();
    }, over);
    this.#last = proof;
    return proof;
  }
}
