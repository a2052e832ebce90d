/** The same moment by two clocks: this process's, which is never set, and the database's, which all share. */
export interface Moment {
  readonly ownMs: number;
  readonly databaseMs: number;
}

/**
 * How long the database has answered without a silence in which others could have missed their beats. Both
 * clocks have to say so: this process may have been stopped, and its whole machine may have been.
 */
export class Streak {
  readonly #silenceMsMax: number;
  #first: Moment | undefined;
  #last: Moment | undefined;

  constructor(silenceMsMax: number) {
    this.#silenceMsMax = silenceMsMax;
  }

  /** The database has answered. */
  add(now: Moment): void {
    if (!this.#last || this.#isBroken(this.#last, now)) this.#first = now;
    this.#last = now;
  }

  #isBroken(last: Moment, now: Moment): boolean {
    const databaseMs = now.databaseMs - last.databaseMs;
    // A clock that was set back says nothing of what is between.
    if (databaseMs < 0) return true;
    return Math.max(databaseMs, now.ownMs - last.ownMs) > this.#silenceMsMax;
  }

  /** By the clock of the database: when it answered last. */
  get lastMs(): number {
    return this.#last?.databaseMs ?? 0;
  }

  /** By the clock of the database: what it is asked before then, it is asked without such a silence in between. */
  get lastsUntilMs(): number {
    return this.#last ? Math.floor(this.#last.databaseMs + this.#silenceMsMax) : 0;
  }

  /** By the clock that has seen less of it. */
  get lengthMs(): number {
    if (!this.#first || !this.#last) return 0;
    const { ownMs, databaseMs } = this.#first;
    return Math.min(this.#last.ownMs - ownMs, this.#last.databaseMs - databaseMs);
  }
}
