import type { Clock } from "../clock.ts";
import type { Allowance } from "./allowance.ts";
import { Eventual, hear, type Listener } from "./eventual.ts";
import { type Watch, Watchdog } from "./watchdog.ts";

/** Whoever looks at a clock many times a second and finds more gone than this was not running meanwhile. */
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

/** How long somebody waits, and what follows from a wait that lasts. */
export interface Waiting<T> {
  /** After so long the wait is over; never, where it is infinite. */
  readonly ms: number;
  /** After so long it is told that the wait lasts, and then that it has ended; else it is as long as for all others. */
  readonly longMs?: number;
  long?(): void;
  longOver?(): void;
  /** What whoever waited for so long is told then. What was waited for goes on. */
  over(waitedMs: number): Error;
  /** Hears what whoever waited is told in place of an answer, be it that the wait is over. */
  failed?(thrown: unknown): void;
  /** It has come all the same, with nobody there to hear of it. */
  late?(value: T): void;
}

class Wait<T> extends Eventual<T> implements Watch, Listener<T> {
  readonly #waiting: Waiting<T>;
  readonly #patience: Patience;
  readonly #allowance: Allowance | undefined;
  readonly #sinceMs: number;
  readonly #overAtMs: number;
  #isOver = false;
  #isLong = false;
  dueAtMs: number;
  before?: Watch | undefined;
  behind?: Watch | undefined;

  constructor(patience: Patience, waiting: Waiting<T>, allowance: Allowance | undefined) {
    super();
    const nowMs = patience.watchdog.now();
    const { ms } = waiting;
    this.#patience = patience;
    this.#waiting = waiting;
    this.#allowance = allowance;
    this.#sinceMs = nowMs;
    this.#overAtMs = nowMs + (allowance ? Math.min(ms, allowance.leftMs) : ms);
    this.dueAtMs = Math.min(this.#overAtMs, nowMs + (waiting.longMs ?? patience.longMs));
  }

  due(nowMs: number): void {
    if (nowMs < this.#overAtMs) {
      this.dueAtMs = this.#overAtMs;
      this.#isLong = true;
      if (this.#waiting.long) this.#waiting.long();
      else this.#patience.long();
      return;
    }
    this.#isOver = true;
    this.#refuse(this.#waiting.over(nowMs - this.#sinceMs));
  }

  #end(): void {
    const { watchdog } = this.#patience;
    watchdog.drop(this);
    if (this.#isLong) this.#waiting.longOver?.();
    if (this.#allowance) this.#allowance.leftMs -= watchdog.now() - this.#sinceMs;
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
export class Patience {
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

  /** No longer than `allowance` has left either, where there is one. */
  wait<T>(work: PromiseLike<T>, waiting: Waiting<T>, allowance?: Allowance): Promise<T> {
    return this.hear(work, waiting, allowance).promise();
  }

  /** The same for who listens. */
  hear<T>(work: PromiseLike<T>, waiting: Waiting<T>, allowance?: Allowance): Eventual<T> {
    const wait = new Wait(this, waiting, allowance);
    this.watchdog.add(wait);
    hear(work, wait);
    return wait;
  }
}
