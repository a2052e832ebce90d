import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type RateLimits, type RateSecond, RateWindow } from "./rates.ts";

const NOW_MS = 1_794_700_800_000;

function limits(requestsPerMinute: number, tokensPerMinute = 0): RateLimits {
  return { requestsPerMinute, tokensPerMinute, concurrency: 0 };
}

/** The window as a store would keep it: seconds, read again for every request. */
class Key {
  readonly #seconds = new Map<number, RateSecond>();
  readonly #limits: RateLimits;

  constructor(of: RateLimits) {
    this.#limits = of;
  }

  window(nowMs: number): RateWindow {
    const seconds = [...this.#seconds.values()].toSorted((a, b) => a.second - b.second);
    return new RateWindow(
      seconds.map((entry) => ({ ...entry })),
      nowMs,
    );
  }

  /** Undefined when it was let through, otherwise how long to wait. */
  ask(nowMs: number, tokens = 0): number | undefined {
    const window = this.window(nowMs);
    const refusal = window.refusal(this.#limits, tokens, nowMs);
    if (refusal) return refusal.retryAfterMs;
    window.count(1, tokens, nowMs);
    for (const entry of window.changed()) this.#seconds.set(entry.second, entry);
    return undefined;
  }
}

describe("requests per minute", () => {
  test("lets exactly the limit through and refuses the next", () => {
    const key = new Key(limits(3));
    expect([0, 1, 2].map((ms) => key.ask(NOW_MS + ms))).toEqual([undefined, undefined, undefined]);
    expect(key.ask(NOW_MS + 3)).toBeGreaterThan(0);
  });

  test("zero means no limit", () => {
    const key = new Key(limits(0));
    for (let i = 0; i < 50; i++) expect(key.ask(NOW_MS)).toBeUndefined();
  });

  test("no burst at the turn of a minute passes twice the limit", () => {
    const key = new Key(limits(10));
    let passed = 0;
    for (let ms = 55_000; ms < 65_000; ms += 100) {
      if (key.ask(NOW_MS + ms) === undefined) passed++;
    }
    expect(passed).toBe(10);
  });

  test("names the limit, what was used and the time", () => {
    const window = new RateWindow(
      [{ second: NOW_MS / 1000, requests: 2, tokens: 9 }],
      NOW_MS + 500,
    );
    expect(window.refusal(limits(2), 1, NOW_MS + 500)).toEqual({
      limit: "requests",
      max: 2,
      used: 2,
      retryAfterMs: 59_500,
    });
  });
});

describe("tokens per minute", () => {
  test("counts what is taken and refuses what would pass the limit", () => {
    const key = new Key(limits(0, 100));
    expect(key.ask(NOW_MS, 60)).toBeUndefined();
    expect(key.ask(NOW_MS, 41)).toBeGreaterThan(0);
    expect(key.ask(NOW_MS, 40)).toBeUndefined();
  });

  test("stand in the window as taken while a request runs, and as used once it is over", () => {
    const step = fc.record({
      afterMs: fc.integer({ min: 0, max: 25_000 }),
      tokens: fc.integer({ min: 1, max: 60 }),
      used: fc.integer({ min: 0, max: 90 }),
      ends: fc.nat({ max: 5 }),
    });
    const of = limits(0, 100);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = new RateWindow([], NOW_MS);
        /** What counts in each second, by somebody who keeps every request apart. */
        const counted: { second: number; tokens: number }[] = [];
        const running: { entry: { second: number; tokens: number }; used: number }[] = [];
        let nowMs = NOW_MS;
        for (const { afterMs, tokens, used, ends } of steps) {
          nowMs += afterMs;
          const second = Math.floor(nowMs / 1000);
          window.forget(nowMs);
          const sum = () =>
            counted.reduce((all, each) => all + (each.second > second - 60 ? each.tokens : 0), 0);
          const before = sum();
          const refusal = window.refusal(of, tokens, nowMs);
          expect(refusal === undefined).toBe(before === 0 || before + tokens <= 100);
          if (refusal === undefined) {
            const taken = window.take(tokens, nowMs);
            expect(taken).toEqual({ second, tokens });
            const entry = { second, tokens };
            counted.push(entry);
            running.push({ entry, used });
          }
          for (const { entry, used: spent } of running.splice(0, ends)) {
            window.replace({ taken: { ...entry }, used: spent }, nowMs);
            if (spent > entry.tokens) counted.push({ second, tokens: spent - entry.tokens });
            else entry.tokens = spent;
          }
          expect(window.snapshot(limits(0, 1_000_000), nowMs).tokensLeft).toBe(1_000_000 - sum());
        }
      }),
    );
  });

  test("a request larger than the limit passes alone, or it never would", () => {
    const key = new Key(limits(0, 100));
    expect(key.ask(NOW_MS, 500)).toBeUndefined();
    expect(key.ask(NOW_MS + 1, 500)).toBe(59_999);
    expect(key.ask(NOW_MS + 60_000, 500)).toBeUndefined();
  });
});

describe("the time to wait", () => {
  test("is exactly when the request would be let through, and not a millisecond before", () => {
    const request = fc.record({
      afterMs: fc.integer({ min: 0, max: 20_000 }),
      tokens: fc.integer({ min: 0, max: 150 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 200 }),
        fc.array(request, { minLength: 1, maxLength: 30 }),
        (perMinute, tokensPerMinute, requests) => {
          const of = limits(perMinute, tokensPerMinute);
          const key = new Key(of);
          let nowMs = NOW_MS;
          for (const { afterMs, tokens } of requests) {
            nowMs += afterMs;
            const waitMs = key.ask(nowMs, tokens);
            if (waitMs === undefined) continue;
            const at = nowMs + waitMs;
            const early = key.window(at - 1).refusal(of, tokens, at - 1);
            const due = key.window(at).refusal(of, tokens, at);
            // The other limit may still stand in the way, but the one that was named does not.
            const named = key.window(nowMs).refusal(of, tokens, nowMs)?.limit;
            expect(early?.limit).toBe(named as "requests");
            expect(due?.limit).not.toBe(named as "requests");
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("snapshot", () => {
  test("tells what is left and when all of it is back", () => {
    const window = new RateWindow([], NOW_MS);
    window.count(1, 30, NOW_MS + 250);
    expect(window.snapshot(limits(10, 100), NOW_MS + 250)).toEqual({
      requestsLeft: 9,
      requestsResetMs: 59_750,
      tokensLeft: 70,
      tokensResetMs: 59_750,
    });
    expect(window.snapshot(limits(0, 0), NOW_MS).requestsLeft).toBeNull();
    expect(window.snapshot(limits(0, 20), NOW_MS).tokensLeft).toBe(0);
  });

  test("is that of the seconds in the window, whatever came and went", () => {
    const step = fc.record({
      afterMs: fc.integer({ min: -70_000, max: 70_000 }),
      requests: fc.integer({ min: 0, max: 3 }),
      tokens: fc.integer({ min: 0, max: 500 }),
    });
    const most = limits(1_000_000, 1_000_000);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const window = new RateWindow([], NOW_MS);
        let seconds: RateSecond[] = [];
        let nowMs = NOW_MS;
        for (const { afterMs, requests, tokens } of steps) {
          nowMs += afterMs;
          const now = Math.floor(nowMs / 1000);
          window.forget(nowMs);
          window.count(requests, tokens, nowMs);
          seconds = seconds.filter(({ second }) => second > now - 60 && second <= now);
          seconds.push({ second: now, requests, tokens });
          const { requestsLeft, tokensLeft } = window.snapshot(most, nowMs);
          const sum = (of: "requests" | "tokens") =>
            seconds.reduce((total, each) => total + each[of], 0);
          expect([requestsLeft, tokensLeft]).toEqual([
            1_000_000 - sum("requests"),
            1_000_000 - sum("tokens"),
          ]);
        }
      }),
    );
  });

  test("seconds that have left the window are forgotten", () => {
    const old = { second: NOW_MS / 1000 - 60, requests: 9, tokens: 9 };
    const kept = { second: NOW_MS / 1000 - 59, requests: 2, tokens: 1 };
    expect(new RateWindow([old, kept], NOW_MS).snapshot(limits(10), NOW_MS).requestsLeft).toBe(8);
  });

  test("seconds that a clock has left in the future are ignored", () => {
    const ahead = { second: NOW_MS / 1000 + 7_200, requests: 10, tokens: 9 };
    const window = new RateWindow([ahead], NOW_MS);
    expect(window.refusal(limits(10), 0, NOW_MS)).toBeUndefined();
    window.count(1, 0, NOW_MS);
    expect([...window.changed()]).toEqual([{ second: NOW_MS / 1000, requests: 1, tokens: 0 }]);
    expect(window.snapshot(limits(10), NOW_MS).requestsResetMs).toBe(60_000);
  });

  test("seconds that were counted before the clock was set back are forgotten", () => {
    const window = new RateWindow([], NOW_MS);
    window.count(10, 0, NOW_MS);
    const earlierMs = NOW_MS - 7_200_000;
    expect(window.forget(earlierMs)).toBe(true);
    expect(window.refusal(limits(10), 0, earlierMs)).toBeUndefined();
  });
});
