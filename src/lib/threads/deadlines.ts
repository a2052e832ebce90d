import type { Clock } from "../clock.ts";
import { Deferred, hear, type Listener } from "./deferred.ts";
import type { TimeBudget } from "./time-budget.ts";
import { type Watch, Watchdog } from "./watchdog.ts";

/** A process that looks at its clock many times a second was not running if more than this is gone. */
const ABSENT_MS = 500;

/**
 * The time in which this process could have heard an answer. One that was stopped for a while, or whose loop
 * stood still, finds the answers behind the timers when it goes on: those waits must not be over then.
 */
export function wakingClock(absentMs = ABSENT_MS, clock: Clock = () => performance.now()): Clock {
  let lastMs = clock();
  let asleepMs = 0;
  return () => {
    const nowMs = clock();
    asleepMs += Math.max(0, nowMs - lastMs - absentMs);
    lastMs = nowMs;
    return nowMs - asleepMs;
  };
}

/** The deadline of a wait, and what follows from a wait that lasts. */
export interface Waiting<T> {
  /** After so long the wait is over; never, where it is infinite. */
  readonly ms: number;
  /** After so long it is told that the wait lasts, and then that it has ended; else it is as long as for all others. */
  readonly longMs?: number;
  long?(): void;
  longOver?(): void;
  /** The error of a wait that is over. The work itself goes on. */
  over(waitedMs: number): Error;
  /** Gets the error that the waiting caller gets, also when the wait is over. */
  failed?(thrown: unknown): void;
  /** Gets a value that came after the wait was over. */
  late?(value: T): void;
}

class Wait<T> extends Deferred<T> implements Watch, Listener<T> {
  readonly #waiting: Waiting<T>;
  readonly #deadlines: Deadlines;
  readonly #timeBudget: TimeBudget | undefined;
  readonly #sinceMs: number;
  readonly #overAtMs: number;
  #isOver = false;
  #isLong = false;
  dueAtMs: number;
  before?: Watch | undefined;
  behind?: Watch | undefined;

  constructor(deadlines: Deadlines, waiting: Waiting<T>, timeBudget: TimeBudget | undefined) {
    super();
    const nowMs = deadlines.watchdog.now();
    const { ms } = waiting;
    this.#deadlines = deadlines;
    this.#waiting = waiting;
    this.#timeBudget = timeBudget;
    this.#sinceMs = nowMs;
    this.#overAtMs = nowMs + (timeBudget ? Math.min(ms, timeBudget.leftMs) : ms);
    this.dueAtMs = Math.min(this.#overAtMs, nowMs + (waiting.longMs ?? deadlines.longMs));
  }

  due(nowMs: number): void {
    if (nowMs < this.#overAtMs) {
      this.dueAtMs = this.#overAtMs;
      this.#isLong = true;
      if (this.#waiting.long) this.#waiting.long();
      else this.#deadlines.long();
      return;
    }
    this.#isOver = true;
    this.#refuse(this.#waiting.over(nowMs - this.#sinceMs));
  }

  #end(): void {
    const { watchdog } = this.#deadlines;
    watchdog.drop(this);
    if (this.#isLong) this.#waiting.longOver?.();
    if (this.#timeBudget) this.#timeBudget.leftMs -= watchdog.now() - this.#sinceMs;
  }

  #refuse(thrown: unknown): void {
    this.#end();
    this.#waiting.failed?.(thrown);
    super.failed(thrown);
  }

  override came(value: T): void {
    if (this.#isOver) {
      this.#waiting.late?.(value);
      return;
    }
    this.#end();
    super.came(value);
  }

  override failed(thrown: unknown): void {
    if (!this.#isOver) this.#refuse(thrown);
  }
}

/** Ends waits that last too long, by one timer for all of them and a clock that nobody sets. */
export class Deadlines {
  readonly watchdog: Watchdog;
  /** A wait that lasts for so long is worth a word, although it is not over. */
  readonly longMs: number;
  readonly long: () => void;

  constructor(
    longMs = Number.POSITIVE_INFINITY,
    long: () => void = () => {},
    watchdog = new Watchdog(wakingClock()),
  ) {
    this.watchdog = watchdog;
    this.longMs = longMs;
    this.long = long;
  }

  /** No longer than `timeBudget` has left either, where there is one. */
  wait<T>(work: PromiseLike<T>, waiting: Waiting<T>, timeBudget?: TimeBudget): Promise<T> {
    return this.hear(work, waiting, timeBudget).promise();
  }

  /** The same with a listener in place of a promise. */
  hear<T>(work: PromiseLike<T>, waiting: Waiting<T>, timeBudget?: TimeBudget): Deferred<T> {
    const wait = new Wait(this, waiting, timeBudget);
    this.watchdog.add(wait);
    hear(work, wait);
    return wait;
  }
}
