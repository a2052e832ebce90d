import type { Clock } from "../clock.ts";

/** Beyond so many names the oldest windows are forgotten; memory is worth more than they are. */
const NAMES_MAX = 50_000;

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/** Counts tries by name in windows of a fixed length, within this process: for windows of no more than a minute or so. */
export class Throttle {
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** Counts a try of `name`, before it is made. False when there were `max` of them already. */
  take(name: string, max: number): boolean {
    const now = this.#clock();
    const window = this.#windows.get(name);
    // One that ends later than it could has been there since before the clock was set back.
    if (!window || window.endsAtMs <= now || window.endsAtMs > now + this.#windowMs) {
      this.#open(name, now);
      return true;
    }
    if (window.used >= max) return false;
    window.used += 1;
    return true;
  }

  /** How long until the window of `name` ends. */
  waitMs(name: string): number {
    return Math.max(0, (this.#windows.get(name)?.endsAtMs ?? 0) - this.#clock());
  }

  #open(name: string, now: number): void {
    this.#windows.delete(name);
    this.#windows.set(name, { endsAtMs: now + this.#windowMs, used: 1 });
    // The first name of a map is the one that was set first.
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > NAMES_MAX && oldest !== undefined) this.#windows.delete(oldest);
  }
}
