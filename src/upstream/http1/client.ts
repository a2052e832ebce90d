import { type Clock, every, tickClock } from "../../lib/clock.ts";
import { type Http1Limits, Http1Pool } from "./pool.ts";

/** How often connections that nobody uses are looked at. */
const SWEEP_MS = 1_000;

/** Calls over HTTP/1.1, with connections that are kept for the next call to the same origin. */
export class Http1Client {
  readonly #limits: Http1Limits;
  readonly #clock: Clock;
  readonly #ca: string | undefined;
  readonly #pools = new Map<string, Http1Pool>();
  #isSwept = false;

  constructor(limits: Http1Limits, { clock = tickClock, ca }: { clock?: Clock; ca?: string } = {}) {
    this.#limits = limits;
    this.#clock = clock;
    this.#ca = ca;
  }

  /** The way to an origin, such as `https://api.example.com`. */
  pool(origin: string): Http1Pool {
    const known = this.#pools.get(origin);
    if (known) return known;
    const pool = new Http1Pool(origin, this.#limits, this.#clock, this.#ca);
    this.#pools.set(origin, pool);
    if (!this.#isSwept) every(SWEEP_MS, () => this.sweep());
    this.#isSwept = true;
    return pool;
  }

  sweep(): void {
    for (const pool of this.#pools.values()) pool.sweep();
  }
}
