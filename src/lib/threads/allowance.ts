/**
 * How long somebody may wait for all that he asks for, one thing after the other. What each wait took is taken
 * from it by whoever ends the waits, so that many answers that are each in time cannot be too late together.
 */
export class Allowance {
  readonly #ms: number;
  leftMs: number;

  constructor(ms: number) {
    this.#ms = ms;
    this.leftMs = ms;
  }

  /** He has waited for something else meanwhile, and begins anew. */
  renew(): void {
    this.leftMs = this.#ms;
  }
}
