import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readChatUsage } from "./chat/usage.ts";
import { readResponseUsage } from "./responses/usage.ts";
import {
  added,
  inputTokens,
  NO_USAGE,
  readCounts,
  TOKEN_COUNT_MAX,
  totalTokens,
  toUsage,
} from "./usage.ts";

const anyCount = fc.oneof(
  fc.integer({ min: -10, max: 1_000 }),
  fc.double(),
  fc.constantFrom(undefined, null, "12", true, {}, Number.MAX_SAFE_INTEGER, 9e12, -9e12),
);

describe("toUsage", () => {
  test("makes disjoint buckets of a vendor's counts", () => {
    const usage = toUsage(
      { input: 100, cacheRead: 30, cacheWrite: 20, cacheWriteLong: 5, output: 50, reasoning: 40 },
      2,
    );
    expect(usage).toEqual({
      fresh: 45,
      cacheRead: 30,
      cacheWrite: 20,
      cacheWriteLong: 5,
      output: 50,
      reasoning: 40,
      webSearches: 2,
      clamped: false,
    });
    expect([inputTokens(usage), totalTokens(usage)]).toEqual([100, 150]);
  });

  test("whatever the vendor says, every count is whole, in range and consistent", () => {
    const counts = fc.record({
      input: anyCount,
      cacheRead: anyCount,
      cacheWrite: anyCount,
      cacheWriteLong: anyCount,
      output: anyCount,
      reasoning: anyCount,
    });
    fc.assert(
      fc.property(counts, (told) => {
        const usage = toUsage(told);
        for (const count of [
          usage.fresh,
          usage.cacheRead,
          usage.cacheWrite,
          usage.cacheWriteLong,
          usage.output,
          usage.reasoning,
        ]) {
          expect(Number.isInteger(count)).toBe(true);
          expect(count).toBeGreaterThanOrEqual(0);
          expect(count).toBeLessThanOrEqual(TOKEN_COUNT_MAX);
        }
        expect(inputTokens(usage)).toBeLessThanOrEqual(TOKEN_COUNT_MAX);
        expect(usage.reasoning).toBeLessThanOrEqual(usage.output);
      }),
    );
  });

  test.each([
    [
      { input: -5, output: 3 },
      { fresh: 0, output: 3, missing: { input: true, output: false, total: undefined } },
    ],
    [
      { input: 5, output: 9e12 },
      { fresh: 5, output: TOKEN_COUNT_MAX },
    ],
    [
      { input: 5, cacheRead: 9, output: 1 },
      { fresh: 0, cacheRead: 5, output: 1 },
    ],
    [
      { input: 5, output: 1, reasoning: 4 },
      { fresh: 5, output: 1, reasoning: 1 },
    ],
  ])("%p is put right and flagged", (told, right) => {
    expect(toUsage(told)).toEqual({ ...NO_USAGE, ...right, clamped: true });
  });

  const ODD = ["12", 12.5, -1, true, {}, [12], "", Number.NaN, Number.POSITIVE_INFINITY].map(
    (odd) => [odd],
  );

  test.each(ODD)("%p is no count: it is missing and flagged, and the other side stays", (odd) => {
    const missing = { input: true, output: false, total: undefined };
    expect(toUsage({ input: odd, output: 7 })).toMatchObject({ output: 7, clamped: true, missing });
    expect(toUsage({ input: 7, output: odd })).toMatchObject({
      fresh: 7,
      clamped: true,
      missing: { input: false, output: true },
    });
    expect(toUsage({ input: 7, output: 3, cacheRead: odd, reasoning: odd })).toEqual({
      ...NO_USAGE,
      ...{ fresh: 7, output: 3, clamped: true },
    });
  });

  test("what is not said is missing and no fault", () => {
    expect(toUsage({ input: 7, output: null })).toEqual({
      ...NO_USAGE,
      fresh: 7,
      missing: { input: false, output: true, total: undefined },
    });
    const cached = toUsage({ input: undefined, cacheRead: 30, output: 2, reasoning: 1 });
    expect(cached).toMatchObject({ fresh: 0, cacheRead: 30, output: 2, clamped: false });
  });

  test("a total tells the side that was left out", () => {
    expect(toUsage({ input: 7, output: undefined, total: 10 })).toEqual({
      ...NO_USAGE,
      ...{ fresh: 7, output: 3 },
    });
    expect(toUsage({ input: undefined, output: 3, total: 10 })).toEqual({
      ...NO_USAGE,
      ...{ fresh: 7, output: 3 },
    });
    // Less than the part that is there: it tells nothing.
    expect(toUsage({ input: 7, output: undefined, total: 6 }).missing?.output).toBe(true);
  });

  test.each([undefined, 0])("a total beside %p is all that was said", (none) => {
    expect(toUsage({ input: none, output: none, total: 10 })).toEqual({
      ...NO_USAGE,
      missing: { input: true, output: true, total: 10 },
    });
  });
});

describe("readCounts", () => {
  test.each([undefined, null, 0])("nothing but %p is no usage", (none) => {
    const counts = { input: none, output: none, cacheRead: none, reasoning: none, total: none };
    expect(readCounts(counts)).toBeUndefined();
  });

  test("anything else is one", () => {
    expect(readCounts({ input: 0, output: 1 })).toEqual({ ...NO_USAGE, output: 1 });
    expect(readCounts({ input: "x", output: 0 })).toMatchObject({ clamped: true });
    expect(readCounts({ input: 0, output: 0 }, 2)).toMatchObject({ webSearches: 2 });
  });
});

describe("added", () => {
  test("is the sum of what was said, or what is no count", () => {
    expect([added(1, undefined, 2), added(undefined, null), added(3, "4")]).toEqual([
      3,
      undefined,
      "4",
    ]);
  });
});

describe("readChatUsage", () => {
  test("reads OpenAI's names", () => {
    const usage = readChatUsage({
      prompt_tokens: 20,
      completion_tokens: 9,
      total_tokens: 29,
      prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 5 },
    });
    expect(usage).toMatchObject({
      fresh: 10,
      cacheRead: 8,
      cacheWrite: 2,
      output: 9,
      reasoning: 5,
    });
  });

  test("what is not an object is no usage", () => {
    for (const usage of [undefined, null, 5, "x", [5]])
      expect(readChatUsage(usage)).toBeUndefined();
  });

  test("details may be null", () => {
    const usage = readChatUsage({
      prompt_tokens: 2,
      completion_tokens: 1,
      prompt_tokens_details: null,
      completion_tokens_details: null,
    });
    expect(usage).toMatchObject({ fresh: 2, output: 1, clamped: false });
  });
});

describe("readResponseUsage", () => {
  const USAGE = {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 3 },
  };

  test("reads tokens and counts searches that were made, not those that were declared", () => {
    const search = (status: string) => ({ type: "web_search_call", status });
    const usage = readResponseUsage({
      usage: USAGE,
      tools: [{ type: "web_search" }],
      output: [search("completed"), search("failed"), search("completed"), { type: "message" }],
    });
    expect(usage).toMatchObject({
      fresh: 8,
      cacheRead: 4,
      output: 7,
      reasoning: 3,
      webSearches: 2,
    });
  });

  test("is nothing where the vendor said nothing", () => {
    expect(readResponseUsage({ usage: null, output: [] })).toBeUndefined();
    expect(readResponseUsage({})).toBeUndefined();
  });
});
