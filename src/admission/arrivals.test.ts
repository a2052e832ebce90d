import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Arrivals } from "./arrivals.ts";
import { type RateSecond, RateWindow } from "./rates.ts";

const NOW_MS = 1_794_700_800_000;

describe("requests of a key in one minute", () => {
  test("are let in up to the maximum, and again once they have left the window", () => {
    let nowMs = NOW_MS + 250;
    const arrivals = new Arrivals(() => nowMs);
    expect(arrivals.enter("k", 2)).toBeUndefined();
    nowMs += 10_000;
    expect(arrivals.left("k", 2)).toBe(1);
    expect(arrivals.enter("k", 2)).toBeUndefined();
    expect(arrivals.enter("k", 2)).toEqual({
      max: 2,
      used: 2,
      retryAfterMs: 49_750,
      resetMs: 59_750,
    });
    expect(arrivals.left("k", 2)).toBe(0);
    nowMs += 49_750;
    expect(arrivals.enter("k", 2)).toBeUndefined();
    expect(arrivals.enter("k", 2)).toMatchObject({ retryAfterMs: 10_000 });
  });

  test("are those of each key alone, and of nobody where there is no maximum", () => {
    const arrivals = new Arrivals(() => NOW_MS);
    expect(arrivals.enter("a", 1)).toBeUndefined();
    expect(arrivals.enter("b", 1)).toBeUndefined();
    expect(arrivals.enter("a", 1)).toMatchObject({ used: 1 });
    for (let i = 0; i < 10; i++) expect(arrivals.enter("c", 0)).toBeUndefined();
    expect(arrivals.keys).toBe(2);
  });

  test("do not count where they are given back, from the second in which they came", () => {
    let nowMs = NOW_MS;
    const arrivals = new Arrivals(() => nowMs);
    const cameMs = nowMs;
    nowMs += 1_000;
    arrivals.enter("k", 2);
    nowMs += 30_000;
    arrivals.enter("k", 2);
    arrivals.giveBack("k", 2, cameMs);
    nowMs += 29_000;
    // The later one is the one that is left.
    expect(arrivals.left("k", 2)).toBe(1);
    nowMs += 1_000;
    expect(arrivals.left("k", 2)).toBe(1);
    // What has left the window by itself is nobody else's.
    arrivals.giveBack("k", 2, cameMs);
    expect(arrivals.left("k", 2)).toBe(1);
    arrivals.giveBack("unknown", 2, nowMs);
    expect(arrivals.keys).toBe(1);
  });

  test("may have been had elsewhere, which closes the door until one of them has left", () => {
    let nowMs = NOW_MS;
    const arrivals = new Arrivals(() => nowMs);
    arrivals.close("k", 5, 2_000);
    expect(arrivals.enter("k", 5)).toEqual({
      max: 5,
      used: 5,
      retryAfterMs: 2_000,
      resetMs: 2_000,
    });
    expect(arrivals.enter("other", 5)).toBeUndefined();
    // Somebody has raised it.
    expect(arrivals.enter("k", 6)).toBeUndefined();
    nowMs += 2_000;
    expect(arrivals.enter("k", 5)).toBeUndefined();
  });

  test("are forgotten with their window, so that keys do not pile up", () => {
    let nowMs = NOW_MS;
    const arrivals = new Arrivals(() => nowMs);
    for (let i = 0; i < 1_000; i++) arrivals.enter(`k${i}`, 5);
    nowMs += 120_000;
    arrivals.enter("last", 5);
    expect(arrivals.keys).toBe(1);
  });

  test("are counted as the store's window counts them, whatever the times between them", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 6 }), (gaps, max) => {
        let nowMs = NOW_MS;
        const arrivals = new Arrivals(() => nowMs);
        const seconds = new Map<number, RateSecond>();
        const limits = { requestsPerMinute: max, tokensPerMinute: 0, concurrency: 0 };
        for (const gap of gaps) {
          nowMs += gap;
          const kept = [...seconds.values()].map((entry) => ({ ...entry }));
          const window = new RateWindow(kept, nowMs);
          const refused = window.refusal(limits, 0, nowMs);
          const own = arrivals.enter("k", max);
          expect(own?.retryAfterMs).toBe(refused?.retryAfterMs);
          expect(own?.used).toBe(refused?.used);
          if (refused) continue;
          window.count(1, 0, nowMs);
          for (const entry of window.changed()) seconds.set(entry.second, entry);
        }
      }),
    );
  });
});
