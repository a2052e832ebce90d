import { StorageError } from "../../../lib/faults.ts";
import { Deadlines } from "../../../lib/threads/deadlines.ts";

/** The longest wait for a database that sends nothing, and what follows. */
export interface ReplyTimeout {
  readonly ms: number;
  /** Gives up its connections for others. What was asked there fails as by a connection that was lost. */
  giveUp(): void;
}

/** Each caller has a deadline of its own. */
const WITHOUT_END = {
  ms: Number.POSITIVE_INFINITY,
  over: () => new StorageError("the database has not answered"),
};

/**
 * Waits for answers, and does something about a silence: a network may swallow what is sent on a connection
 * without a word. Where the next one is as silent the connection is not at fault, and is kept.
 */
export class Listener {
  readonly #deadlines: Deadlines;
  #hasHeard = true;

  constructor({ ms, giveUp }: ReplyTimeout) {
    this.#deadlines = new Deadlines(ms, () => {
      if (this.#hasHeard) giveUp();
      this.#hasHeard = false;
    });
  }

  async hear<T>(answer: Promise<T>): Promise<T> {
    const heard = await this.#deadlines.wait(answer, WITHOUT_END);
    this.#hasHeard = true;
    return heard;
  }
}
