import { describe, expect, test } from "bun:test";
import { NO_USAGE, type Usage } from "../../protocols/usage.ts";
import { type Asked, believed, estimate, isCredible, type Most } from "./believed.ts";

const MODEL = { context: 1_000, maxOutput: 400 };

function asked(request: Partial<Asked["request"]> = {}, most: Partial<Most> = {}): Asked {
  const { choices = 1, webSearch = false, rounds = 1 } = request;
  const all = { input: 1_000 * rounds, output: 400 * choices * rounds, searches: 0 };
  return {
    model: MODEL,
    inputTokens: 100,
    request: { choices, webSearch, rounds },
    most: { ...all, ...most },
  };
}

const told = (fresh: number, output: number, more: Partial<Usage> = {}): Usage => ({
  ...NO_USAGE,
  ...{ fresh, output },
  ...more,
});

const GONE = { input: true, output: true, total: undefined };

/** Of an answer of which so much was delivered. */
const after = (usage: Usage | undefined, outputTokens = 10) => ({
  usage,
  outputTokens,
  webSearches: 0,
});

describe("counts that are fine", () => {
  test.each([
    ["within all bounds", told(120, 30), asked()],
    ["at what the model can", told(1_000, 400), asked()],
    ["at what the client allowed", told(120, 30), asked({}, { output: 30 })],
    ["at that for each choice", told(120, 90), asked({ choices: 3 }, { output: 90 })],
    ["of a vendor that searches", told(5_000, 30), asked({ webSearch: true }, { input: 5_000 })],
    ["of one that reads several texts", told(3_000, 10), asked({ rounds: 3 })],
    [
      "of searches that were asked for",
      told(1, 1, { webSearches: 4 }),
      asked({ webSearch: true }, { searches: 4 }),
    ],
  ])("%s", (_name, usage, facts) => {
    expect(isCredible(facts, usage, { outputTokens: 10 })).toBe(true);
  });

  test("no output where none was delivered", () => {
    expect(isCredible(asked(), told(120, 0), { outputTokens: 0 })).toBe(true);
  });
});

describe("counts that cannot be true", () => {
  test.each<[string, Usage, Asked, Partial<Usage>, string]>([
    ["no input", told(0, 30), asked(), { fresh: 100, output: 30 }, "mixed"],
    ["no output", told(120, 0), asked(), { fresh: 120, output: 10 }, "mixed"],
    ["neither", told(0, 0), asked(), { fresh: 100, output: 10 }, "estimated"],
    [
      "more input than the model reads",
      told(1_001, 30),
      asked(),
      { fresh: 100, output: 30, clamped: true },
      "mixed",
    ],
    [
      "more input than our bound, which the model could read all the same",
      told(120, 30),
      asked({}, { input: 110 }),
      { fresh: 110, output: 30, clamped: true },
      "vendor",
    ],
    [
      "more input than our bound, most of it from a cache",
      told(30, 30, { cacheRead: 100, cacheWrite: 20, cacheWriteLong: 50 }),
      asked({}, { input: 140 }),
      { fresh: 30, cacheRead: 100, cacheWrite: 10, output: 30, clamped: true },
      "vendor",
    ],
    [
      "more of a cache than our bound",
      told(30, 30, { cacheWriteLong: 500 }),
      asked({}, { input: 110 }),
      { fresh: 30, cacheWriteLong: 80, output: 30, clamped: true },
      "vendor",
    ],
    [
      "more output than the model writes",
      told(120, 401),
      asked(),
      { fresh: 120, output: 10, clamped: true },
      "mixed",
    ],
    [
      "more output than was allowed",
      told(120, 31),
      asked({}, { output: 30 }),
      { fresh: 120, output: 30, clamped: true },
      "vendor",
    ],
    [
      "more than the vendor was asked for",
      told(120, 31, { reasoning: 25 }),
      asked({}, { output: 20 }),
      { fresh: 120, output: 20, reasoning: 20, clamped: true },
      "vendor",
    ],
    [
      "searches that nobody asked for",
      told(120, 30, { webSearches: 3 }),
      asked(),
      { fresh: 120, output: 30, clamped: true },
      "vendor",
    ],
    [
      "more searches than can be",
      told(120, 30, { webSearches: 1_000 }),
      asked({ webSearch: true }, { searches: 4 }),
      { fresh: 120, output: 30, webSearches: 4, clamped: true },
      "vendor",
    ],
    [
      "a cache that is not believed with its input",
      told(900, 30, { cacheRead: 200 }),
      asked(),
      { fresh: 100, output: 30, clamped: true },
      "mixed",
    ],
    [
      "a cache without the rest",
      told(0, 30, { cacheRead: 60, missing: { ...GONE, output: false } }),
      asked(),
      { fresh: 40, cacheRead: 60, output: 30 },
      "mixed",
    ],
    [
      "a cache beyond our estimate",
      told(0, 30, { cacheRead: 160, missing: { ...GONE, output: false } }),
      asked(),
      { cacheRead: 160, output: 30 },
      "vendor",
    ],
    [
      "output that was counted too early",
      told(120, 1, { missing: { ...GONE, input: false } }),
      asked(),
      { fresh: 120, output: 10 },
      "mixed",
    ],
    [
      "output that was counted early, but for all of it",
      told(120, 50, { missing: { ...GONE, input: false } }),
      asked(),
      { fresh: 120, output: 50 },
      "vendor",
    ],
    [
      "a total alone",
      told(0, 0, { missing: { ...GONE, total: 160 } }),
      asked(),
      { fresh: 100, output: 60 },
      "mixed",
    ],
    [
      "a total below our estimate of the input",
      told(0, 0, { missing: { ...GONE, total: 90 } }),
      asked(),
      { fresh: 100, output: 10 },
      "estimated",
    ],
    [
      "a total that leaves more than was allowed",
      told(0, 0, { missing: { ...GONE, total: 160 } }),
      asked({}, { output: 30 }),
      { fresh: 100, output: 10 },
      "estimated",
    ],
  ])("%s", (_name, usage, facts, right, source) => {
    expect(isCredible(facts, usage, { outputTokens: 10 })).toBe(false);
    expect(believed(facts, "answer", after(usage))).toEqual({
      usage: { ...NO_USAGE, ...right },
      source,
    } as ReturnType<typeof believed>);
  });
});

describe("counts of an answer that failed", () => {
  test.each<[string, Usage, Partial<Usage>, string]>([
    ["input alone", told(120, 0), { fresh: 120 }, "vendor"],
    ["output alone", told(0, 30), { output: 30 }, "vendor"],
    [
      "a total alone is split as that of any answer",
      told(0, 0, { missing: { ...GONE, total: 160 } }),
      { fresh: 100, output: 60 },
      "mixed",
    ],
  ])("%s", (_name, usage, right, source) => {
    expect(believed(asked(), "counts", after(usage))).toEqual({
      usage: { ...NO_USAGE, ...right },
      source,
    } as ReturnType<typeof believed>);
  });

  test.each([
    ["is no more than our estimate of the input", 100],
    ["leaves more than was allowed", 501],
  ])("a total that %s is not charged", (_name, total) => {
    const usage = told(0, 0, { missing: { ...GONE, total } });
    expect(believed(asked(), "counts", after(usage)).source).toBe("estimated");
  });
});

describe("an estimate", () => {
  test("is within the same bounds", () => {
    const facts = { ...asked({}, { output: 5 }), inputTokens: 5_000 };
    expect(estimate(facts, 80, 3)).toEqual(told(1_000, 5));
    expect(estimate(asked({ webSearch: true }, { searches: 4 }), 80.2, 3)).toEqual(
      told(100, 81, { webSearches: 3 }),
    );
  });

  test("of anything that was delivered is a token at least", () => {
    expect(estimate(asked(), 0.25).output).toBe(1);
    expect(estimate(asked(), 0).output).toBe(0);
  });
});
