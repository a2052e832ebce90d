/**
 * The time that a request may spend on several waits in a row. Each wait subtracts the time that it took, so that many
 * answers that are each in time cannot be too late together.
 */
export class TimeBudget {
  readonly #ms: number;
  leftMs: number;

  constructor(ms: number) {
    this.#ms = ms;
    this.leftMs = ms;
  }

  /** Starts again with the whole time. */
  renew(): void {
    this.leftMs = this.#ms;
  }
}
