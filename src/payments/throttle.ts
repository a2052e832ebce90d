import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";

/** Beyond so many names the oldest windows are forgotten; memory is worth more than they are. */
const NAMES_MAX = 50_000;

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/** Counts tries by name in windows of a fixed length, within this process. */
export class Throttle {
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Counts a try of `name`, before it is made. Throws when there were `max` of them already. */
  spend(name: string, max: number): void {
    const now = this.#clock();
    const window = this.#windows.get(name);
    if (!window || window.endsAtMs <= now) {
      this.#open(name, now);
    } else if (window.used >= max) {
      const seconds = Math.ceil((window.endsAtMs - now) / 1000);
      throw new Fault("rate_limit_exceeded", "Too many tries. Wait a while before the next one.", {
        headers: { "retry-after": String(seconds) },
      });
    } else {
      window.used += 1;
    }
  }

  /** A try that should not have counted. */
  giveBack(name: string): void {
    const window = this.#windows.get(name);
    if (window && window.used > 0) window.used -= 1;
  }

  #open(name: string, now: number): void {
    this.#windows.delete(name);
    this.#windows.set(name, { endsAtMs: now + this.#windowMs, used: 1 });
    // The first name of a map is the one that was set first.
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > NAMES_MAX && oldest !== undefined) this.#windows.delete(oldest);
  }
}
