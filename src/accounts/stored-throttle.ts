import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { TryWindowsTable, WindowTerms } from "./tables/try-windows.ts";

/** Where tries are counted. */
export type TryWindows = Pick<TryWindowsTable, "take" | "giveBack">;

function tooManyTries({ max, windowMs }: WindowTerms, waitMs: number): Fault {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const most = `at most ${max} in ${windowMs / 60_000} minutes`;
  const message = `Too many tries: ${most}. Try again in ${seconds} seconds.`;
  return new Fault("rate_limit_exceeded", message, { headers: { "retry-after": String(seconds) } });
}

/**
 * Counts tries by name in windows of a fixed length. It is kept in the database, so that several instances count
 * together, and an office that goes to rest does not begin anew.
 */
export class StoredThrottle {
  readonly #store: TryWindows;
  readonly #windowMs: number;
  readonly #clock: Clock;

  constructor(store: TryWindows, windowMs: number, clock: Clock) {
    this.#store = store;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Counts a try before it is made; beyond so many it is refused. */
  async spend(name: string, max: number): Promise<void> {
    const terms = { nowMs: this.#clock(), windowMs: this.#windowMs, max };
    const waitMs = await this.#store.take(name, terms);
    if (waitMs > 0) throw tooManyTries(terms, waitMs);
  }

  /** A try that should not have counted. */
  giveBack(name: string): Promise<void> {
    return this.#store.giveBack(name);
  }
}
