import { StorageError } from "../../../lib/faults.ts";
import { Patience } from "../../../lib/threads/patience.ts";

/** What to do about a database from which nothing is heard for long. */
export interface Silence {
  readonly ms: number;
  /** Gives up its connections for others. What was asked there fails as by a connection that was lost. */
  giveUp(): void;
}

/** Whoever asks has an end of his own. */
const WITHOUT_END = {
  ms: Number.POSITIVE_INFINITY,
  over: () => new StorageError("the database has not answered"),
};

/**
 * Waits for answers, and does something about a silence: a network may swallow what is sent on a connection
 * without a word. Where the next one is as silent the connection is not at fault, and is kept.
 */
export class Listener {
  readonly #patience: Patience;
  #hasHeard = true;

  constructor({ ms, giveUp }: Silence) {
    this.#patience = new Patience(ms, () => {
      if (this.#hasHeard) giveUp();
      this.#hasHeard = false;
    });
  }

  async hear<T>(answer: Promise<T>): Promise<T> {
    const heard = await this.#patience.wait(answer, WITHOUT_END);
    this.#hasHeard = true;
    return heard;
  }
}
