import { type Clock, every } from "../clock.ts";

/** Something that is due at a moment, which may move as often as it likes. */
export interface Watch {
  dueAtMs: number;
  /** Called at each tick from `dueAtMs` on, until the watch is moved or dropped. */
  due(nowMs: number): void;
}

/**
 * One timer for all deadlines of all requests. Moving a deadline is an assignment, so a stream can do
 * it with every chunk; the price is that a deadline is met to within one tick.
 */
export class Watchdog {
  readonly #watches = new Set<Watch>();
  readonly #clock: Clock;
  readonly #tickMs: number;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, tickMs = 50) {
    this.#clock = clock;
    this.#tickMs = tickMs;
  }

  /** How much is being watched: up to two for each request that runs. */
  get size(): number {
    return this.#watches.size;
  }

  now(): number {
    return this.#clock();
  }

  add(watch: Watch): void {
    this.#watches.add(watch);
    this.#stop ??= every(this.#tickMs, () => this.tick());
  }

  drop(watch: Watch): void {
    this.#watches.delete(watch);
  }

  tick(): void {
    const nowMs = this.#clock();
    for (const watch of this.#watches) if (watch.dueAtMs <= nowMs) watch.due(nowMs);
    if (this.#watches.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
