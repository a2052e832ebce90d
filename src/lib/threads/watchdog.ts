import { type Clock, every } from "../clock.ts";

/** Something that is due at a moment, which may move as often as it likes. */
export interface Watch {
  dueAtMs: number;
  /** Called at each tick from `dueAtMs` on, until the watch is moved or dropped. */
  due(nowMs: number): void;
  /** Its neighbours while it is watched. Only the watchdog says which. */
  before?: Watch | undefined;
  behind?: Watch | undefined;
}

/** The end of the list, which is also its beginning. */
function emptyList(): Watch & Required<Pick<Watch, "before" | "behind">> {
  const end: Watch = { dueAtMs: Number.POSITIVE_INFINITY, due: () => {} };
  return Object.assign(end, { before: end, behind: end });
}

/**
 * One timer for all deadlines of all requests. Moving a deadline is an assignment, so a stream can do
 * it with every chunk; the price is that a deadline is met to within one tick. Watches are linked to
 * each other: every request comes and goes here, and a collector goes through a set as a whole.
 */
export class Watchdog {
  readonly #end = emptyList();
  readonly #clock: Clock;
  readonly #tickMs: number;
  /** Whose turn is next while all are looked at. */
  #next: Watch | undefined;
  #size = 0;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, tickMs = 50) {
    this.#clock = clock;
    this.#tickMs = tickMs;
  }

  /** How much is being watched: up to two for each request that runs. */
  get size(): number {
    return this.#size;
  }

  now(): number {
    return this.#clock();
  }

  add(watch: Watch): void {
    if (watch.before) return;
    const last = this.#end.before as Watch;
    watch.before = last;
    watch.behind = this.#end;
    last.behind = watch;
    this.#end.before = watch;
    this.#size++;
    this.#stop ??= every(this.#tickMs, () => this.tick());
  }

  drop(watch: Watch): void {
    const { before, behind } = watch;
    if (!before || !behind) return;
    if (this.#next === watch) this.#next = behind;
    before.behind = behind;
    behind.before = before;
    watch.before = undefined;
    watch.behind = undefined;
    this.#size--;
  }

  tick(): void {
    const nowMs = this.#clock();
    let watch = this.#end.behind as Watch;
    while (watch !== this.#end) {
      // It may drop itself, and others too.
      this.#next = watch.behind;
      if (watch.dueAtMs <= nowMs) watch.due(nowMs);
      watch = this.#next as Watch;
    }
    this.#next = undefined;
    if (this.#size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}
