import type { TokensTaken, TokensUsed } from "../ledger/receipt.ts";

/** Limits of a key per sliding minute; zero means none. */
export interface RateLimits {
  readonly requestsPerMinute: number;
  readonly tokensPerMinute: number;
  readonly concurrency: number;
}

export interface RateSnapshot {
  readonly requestsLeft: number | null;
  readonly requestsResetMs: number;
  readonly tokensLeft: number | null;
  readonly tokensResetMs: number;
}

/** What a key did in one second. */
export interface RateSecond {
  readonly second: number;
  requests: number;
  tokens: number;
}

export const WINDOW_SECONDS = 60;

interface RateRefusal {
  readonly limit: "requests" | "tokens";
  readonly max: number;
  readonly used: number;
  /** How many tokens the request takes, where it is they that are limited. */
  readonly needed?: number;
  readonly retryAfterMs: number;
}

function leftOf(max: number, used: number): number | null {
  return max > 0 ? Math.max(0, max - used) : null;
}

/**
 * The last minute of one key, second by second. A second leaves the window as a whole, so the time
 * to wait is known exactly, and no burst at the turn of a minute passes twice the limit.
 */
export class RateWindow {
  readonly #seconds: RateSecond[];
  /** What they come to: every request asks several times, and a second begins once. */
  readonly #sums = { requests: 0, tokens: 0 };
  readonly #changed = new Set<RateSecond>();

  /**
   * `seconds` in ascending order; those outside of the window are dropped. They may lie in the future,
   * where the clock has been set back since: a key must not wait until it has caught up.
   */
  constructor(seconds: readonly RateSecond[], nowMs: number) {
    const now = Math.floor(nowMs / 1000);
    const oldest = now - WINDOW_SECONDS;
    this.#seconds = seconds.filter(({ second }) => second > oldest && second <= now);
    for (const { requests, tokens } of this.#seconds) this.#add(requests, tokens);
  }

  #add(requests: number, tokens: number): void {
    this.#sums.requests += requests;
    this.#sums.tokens += tokens;
  }

  #drop({ requests, tokens }: RateSecond): void {
    this.#add(-requests, -tokens);
  }

  /** The seconds that `count` touched, for the store to write. */
  changed(): Iterable<RateSecond> {
    return this.#changed;
  }

  /** As `changed`, of what was touched since this was asked last. */
  takeChanged(): RateSecond[] {
    const taken = [...this.#changed];
    this.#changed.clear();
    return taken;
  }

  /** What was taken of this second is to be taken again. False where it has left the window. */
  putBack(second: number): boolean {
    const entry = this.#seconds.find((each) => each.second === second);
    if (entry) this.#changed.add(entry);
    return entry !== undefined;
  }

  /** Drops the seconds that are outside of the window; true when nothing is left in it. */
  forget(nowMs: number): boolean {
    const now = Math.floor(nowMs / 1000);
    const oldest = now - WINDOW_SECONDS;
    let gone = 0;
    while ((this.#seconds[gone]?.second ?? Number.POSITIVE_INFINITY) <= oldest) gone += 1;
    if (gone > 0) for (const entry of this.#seconds.splice(0, gone)) this.#drop(entry);
    while ((this.#seconds.at(-1)?.second ?? 0) > now) this.#drop(this.#seconds.pop() as RateSecond);
    return this.#seconds.length === 0;
  }

  /** When enough seconds have left that at most `allowed` remain. */
  #waitMs(of: "requests" | "tokens", allowed: number, nowMs: number): number {
    let left = this.#sums[of];
    for (const entry of this.#seconds) {
      left -= entry[of];
      if (left <= allowed) return Math.max(1, (entry.second + WINDOW_SECONDS) * 1000 - nowMs);
    }
    return 1;
  }

  /** Why one more request may not come now. */
  refusal(limits: RateLimits, tokens: number, nowMs: number): RateRefusal | undefined {
    return this.#requestRefusal(limits, nowMs) ?? this.tokenRefusal(limits, tokens, nowMs);
  }

  #requestRefusal({ requestsPerMinute: max }: RateLimits, nowMs: number): RateRefusal | undefined {
    const used = this.#sums.requests;
    if (max === 0 || used < max) return undefined;
    const retryAfterMs = this.#waitMs("requests", max - 1, nowMs);
    return { limit: "requests", max, used, retryAfterMs };
  }

  /** The same for a request that was counted before. One that takes more than the limit runs only in an empty window. */
  tokenRefusal(
    { tokensPerMinute: max }: RateLimits,
    needed: number,
    nowMs: number,
  ): RateRefusal | undefined {
    const used = this.#sums.tokens;
    if (max === 0 || used === 0 || used + needed <= max) return undefined;
    const retryAfterMs = this.#waitMs("tokens", Math.max(0, max - needed), nowMs);
    return { limit: "tokens", max, used, needed, retryAfterMs };
  }

  /** Takes the tokens of a request that is admitted now. */
  take(tokens: number, nowMs: number): TokensTaken {
    return { second: this.count(0, tokens, nowMs), tokens };
  }

  /** Puts the true count of a request in the place of what it took; what it used beyond counts now. */
  replace({ taken, used }: TokensUsed, nowMs: number): void {
    const beyond = used - taken.tokens;
    if (beyond > 0) this.count(0, beyond, nowMs);
    else if (beyond < 0) this.#giveBack(taken.second, -beyond);
  }

  /** Nothing where the second has left the window, and its tokens with it. */
  #giveBack(second: number, tokens: number): void {
    const entry = this.#seconds.find((each) => each.second === second);
    if (!entry) return;
    const given = Math.min(tokens, entry.tokens);
    entry.tokens -= given;
    this.#add(0, -given);
    this.#changed.add(entry);
  }

  /** The second that has it. */
  count(requests: number, tokens: number, nowMs: number): number {
    const second = Math.floor(nowMs / 1000);
    let entry = this.#seconds.at(-1);
    if (!entry || entry.second < second) {
      entry = { second, requests: 0, tokens: 0 };
      this.#seconds.push(entry);
    }
    entry.requests += requests;
    entry.tokens += tokens;
    this.#add(requests, tokens);
    this.#changed.add(entry);
    return entry.second;
  }

  snapshot(limits: RateLimits, nowMs: number): RateSnapshot {
    const last = this.#seconds.at(-1);
    const resetMs = last ? Math.max(0, (last.second + WINDOW_SECONDS) * 1000 - nowMs) : 0;
    return {
      requestsLeft: leftOf(limits.requestsPerMinute, this.#sums.requests),
      requestsResetMs: resetMs,
      tokensLeft: leftOf(limits.tokensPerMinute, this.#sums.tokens),
      tokensResetMs: resetMs,
    };
  }
}
