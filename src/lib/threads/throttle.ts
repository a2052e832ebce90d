import type { Clock } from "../clock.ts";
import { Fault } from "../faults.ts";

/** Beyond so many names the oldest windows are forgotten; memory is worth more than they are. */
const NAMES_MAX = 50_000;

interface Window {
  readonly endsAtMs: number;
  used: number;
}

export function tooManyTries(
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  waitMs: number,
): Fault {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const most = `at most ${max} in ${windowMs / 60_000} minutes`;
  const message = `Too many tries: ${most}. Try again in ${seconds} seconds.`;
  return new Fault("rate_limit_exceeded", message, { headers: { "retry-after": String(seconds) } });
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

  /** The same for tries that are refused beyond so many. */
  spend(name: string, max: number): void {
    if (this.take(name, max)) return;
    throw tooManyTries({ max, windowMs: this.#windowMs }, this.waitMs(name));
  }

  /** How long until the window of `name` ends. */
  waitMs(name: string): number {
    return Math.max(0, (this.#windows.get(name)?.endsAtMs ?? 0) - this.#clock());
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
