import type { Clock } from "../../lib/clock.ts";

/** The platform's own time, which a test moves without waiting. */
export class SandboxClock {
  readonly #clock: Clock;
  offsetMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly now: Clock = () => this.#clock() + this.offsetMs;
}
