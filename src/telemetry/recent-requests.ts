import { type Clock, systemClock } from "../lib/clock.ts";

const STEP_MS = 30_000;
const STEPS = 10;

export const RECENT_MS = STEP_MS * STEPS;

/** Requests that ended within the last minutes. */
export interface RecentCounts {
  readonly requests: number;
  /** Those that ended with a status of 500 or more. */
  readonly failures: number;
  /** Those that ended with 503. */
  readonly unavailable: number;
}

/** Counts requests in steps of half a minute, so that the cost does not grow with the traffic. */
export class RecentRequests {
  readonly #clock: Clock;
  readonly #requests = new Float64Array(STEPS);
  readonly #failures = new Float64Array(STEPS);
  readonly #unavailable = new Float64Array(STEPS);
  #step = 0;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  add(status: number, requests: number): void {
    const at = this.#move();
    this.#requests[at] = (this.#requests[at] ?? 0) + requests;
    if (status < 500) return;
    this.#failures[at] = (this.#failures[at] ?? 0) + requests;
    if (status === 503) this.#unavailable[at] = (this.#unavailable[at] ?? 0) + requests;
  }

  counts(): RecentCounts {
    this.#move();
    const sum = (counts: Float64Array) => counts.reduce((total, count) => total + count, 0);
    return {
      requests: sum(this.#requests),
      failures: sum(this.#failures),
      unavailable: sum(this.#unavailable),
    };
  }

  /** Forgets the steps that are too old. A clock that is set back begins anew. */
  #move(): number {
    const step = Math.floor(this.#clock() / STEP_MS);
    if (step !== this.#step) {
      const passed = step > this.#step ? Math.min(step - this.#step, STEPS) : STEPS;
      for (let each = step - passed + 1; each <= step; each++) {
        const at = each % STEPS;
        this.#requests[at] = 0;
        this.#failures[at] = 0;
        this.#unavailable[at] = 0;
      }
      this.#step = step;
    }
    return step % STEPS;
  }
}
