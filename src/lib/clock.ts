/** Milliseconds since 1970. Passed in wherever time matters, so that tests can move it. */
export type Clock = () => number;

/** The time of day, for what is recorded. Somebody may set it, forward and back. */
export const systemClock: Clock = () => Date.now();

const STARTED_AT_MS = performance.timeOrigin;

/**
 * The time of day when this process started, and what has passed since, whatever the clock was set to
 * meanwhile. For what is measured: deadlines, durations, and windows that only this process knows of.
 */
export const steadyClock: Clock = () => Math.floor(STARTED_AT_MS + performance.now());

/**
 * A clock that is looked at once for all that is done in one go: until that is over nobody else has a turn. A request has
 * the time looked up two dozen times, each of which costs as much as a small object.
 */
export function onceAGo(clock: Clock): Clock {
  let nowMs = 0;
  let isKnown = false;
  const forget = () => {
    isKnown = false;
  };
  return () => {
    if (!isKnown) {
      nowMs = clock();
      isKnown = true;
      queueMicrotask(forget);
    }
    return nowMs;
  };
}

/** The steady clock for all that requests ask of it. */
export const tickClock: Clock = onceAGo(steadyClock);

/**
 * The latest that something may lie ahead which is never set further than `mostMs`: as much more is left for the clock
 * of another machine, or for somebody who came a moment before.
 */
export function latestOf(nowMs: number, mostMs: number): number {
  return nowMs + 2 * mostMs;
}

/**
 * Whether a time that was recorded has come. One that lies further ahead than it could was recorded before a clock was
 * set back, and nobody is to wait for that.
 */
export function hasCome(atMs: number, nowMs: number, mostMs: number): boolean {
  return atMs <= nowMs || atMs > latestOf(nowMs, mostMs);
}

/** For whoever records and measures. */
export interface Clocks {
  /** For what is recorded. */
  readonly clock: Clock;
  /** For what is measured. */
  readonly steady: Clock;
}

/** Runs `tick` every `periodMs` without keeping the process alive; returns the way to stop it. */
export function every(periodMs: number, tick: () => void): () => void {
  const timer = setInterval(tick, periodMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** What comes of the work, or a failure where that takes longer than this; the work itself goes on. */
export async function within<T>(work: Promise<T>, waitMs: number, late: string): Promise<T> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Error(late)), waitMs);
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for the work, but no longer than this. */
export async function atMost(work: Promise<unknown>, waitMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  // Of a time that is over the runtime would warn on standard error.
  const timer = setTimeout(late.resolve, Math.max(0, waitMs));
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
