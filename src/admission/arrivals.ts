import type { Clock } from "../lib/clock.ts";
import { WINDOW_SECONDS } from "./rates.ts";

/** The last minute of one key, by the second; index is the second modulo the window. */
interface Minute {
  readonly counts: Uint32Array;
  sum: number;
  /** The newest second that counts. */
  second: number;
}

interface Refused {
  readonly max: number;
  readonly used: number;
  readonly retryAfterMs: number;
  /** When all of the minute has left. */
  readonly resetMs: number;
}

/** A key that has had its requests elsewhere too. Another maximum asks anew. */
interface Closed {
  readonly max: number;
  readonly untilMs: number;
}

/** How often those are forgotten who have not come for a window. */
const SWEEP_SECONDS = 60;

/**
 * Requests of each key in the last minute, as this process saw them come. Admission counts what it
 * lets through in the store, for all processes together; but by then a request has been read, which
 * may cost more than answering it. So whoever has had the requests of a minute is turned away here,
 * before a byte of the body is looked at, whatever became of those requests; only one that is answered
 * with what an earlier one was answered is given back.
 */
export class Arrivals {
  readonly #clock: Clock;
  readonly #minutes = new Map<string, Minute>();
  readonly #closed = new Map<string, Closed>();
  #sweptAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get keys(): number {
    return this.#minutes.size;
  }

  /** Counts a request, or says why it must not come in. A maximum of zero is none. */
  enter(keyId: string, max: number): Refused | undefined {
    if (max <= 0) return undefined;
    const nowMs = this.#clock();
    const minute = this.#minuteOf(keyId, Math.floor(nowMs / 1000));
    const closed = this.#closed.get(keyId);
    if (closed?.max === max && nowMs < closed.untilMs) {
      const waitMs = closed.untilMs - nowMs;
      return { max, used: max, retryAfterMs: waitMs, resetMs: waitMs };
    }
    if (minute.sum >= max) {
      const retryAfterMs = waitMs(minute, max - 1, nowMs);
      return { max, used: minute.sum, retryAfterMs, resetMs: waitMs(minute, 0, nowMs) };
    }
    const at = minute.second % WINDOW_SECONDS;
    minute.counts[at] = (minute.counts[at] ?? 0) + 1;
    minute.sum++;
    return undefined;
  }

  /** One that came in at this moment, or a little later, turned out to be none that counts. */
  giveBack(keyId: string, max: number, cameMs: number): void {
    const minute = max > 0 ? this.#minutes.get(keyId) : undefined;
    const came = Math.floor(cameMs / 1000);
    // What has left the window by itself is not taken from those who came since.
    if (!minute || came <= minute.second - WINDOW_SECONDS) return;
    for (let second = came; second <= minute.second; second++) {
      const at = second % WINDOW_SECONDS;
      const count = minute.counts[at] ?? 0;
      if (count === 0) continue;
      minute.counts[at] = count - 1;
      minute.sum--;
      return;
    }
  }

  /** The store, which counts for all processes, says that this key has had its requests. */
  close(keyId: string, max: number, waitMs: number): void {
    this.#closed.set(keyId, { max, untilMs: this.#clock() + waitMs });
  }

  /** How many more may come in within this minute. */
  left(keyId: string, max: number): number {
    const minute = this.#minuteOf(keyId, Math.floor(this.#clock() / 1000));
    return Math.max(0, max - minute.sum);
  }

  #minuteOf(keyId: string, second: number): Minute {
    this.#sweep(second);
    let minute = this.#minutes.get(keyId);
    if (minute === undefined) {
      minute = { counts: new Uint32Array(WINDOW_SECONDS), sum: 0, second };
      this.#minutes.set(keyId, minute);
    }
    if (second > minute.second) moveOn(minute, second);
    return minute;
  }

  #sweep(second: number): void {
    if (second - this.#sweptAt < SWEEP_SECONDS) return;
    this.#sweptAt = second;
    for (const [keyId, minute] of this.#minutes) {
      if (second - minute.second >= WINDOW_SECONDS) this.#minutes.delete(keyId);
    }
    for (const [keyId, { untilMs }] of this.#closed) {
      if (untilMs <= second * 1000) this.#closed.delete(keyId);
    }
  }
}

/** What has left the window no longer counts. */
function moveOn(minute: Minute, second: number): void {
  const { counts } = minute;
  const gone = Math.min(second - minute.second, WINDOW_SECONDS);
  for (let i = 1; i <= gone; i++) {
    const at = (minute.second + i) % WINDOW_SECONDS;
    minute.sum -= counts[at] ?? 0;
    counts[at] = 0;
  }
  minute.second = second;
}

/** When enough seconds have left that at most `allowed` requests remain. */
function waitMs({ counts, sum, second }: Minute, allowed: number, nowMs: number): number {
  let left = sum;
  for (let old = second - WINDOW_SECONDS + 1; old <= second; old++) {
    left -= counts[((old % WINDOW_SECONDS) + WINDOW_SECONDS) % WINDOW_SECONDS] ?? 0;
    if (left <= allowed) return Math.max(1, (old + WINDOW_SECONDS) * 1000 - nowMs);
  }
  return 1;
}
