import { describe, expect, test } from "bun:test";
import { NO_USAGE } from "../usage.ts";
import { readChatUsage, writeChatUsage } from "./usage.ts";

const COUNTS = { prompt_tokens: 10, completion_tokens: 4 };
const WRITTEN = { cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 4 } };

/** Written by hand after what each vendor documents. */
describe("counts of chat vendors", () => {
  test.each([
    ["OpenAI", { prompt_tokens_details: { cached_tokens: 3 } }, { fresh: 7, cacheRead: 3 }],
    ["DeepSeek", { prompt_cache_hit_tokens: 3 }, { fresh: 7, cacheRead: 3 }],
    ["Moonshot", { cached_tokens: 3 }, { fresh: 7, cacheRead: 3 }],
    [
      "one that repeats itself",
      { prompt_tokens_details: { cached_tokens: 0 }, cached_tokens: 3 },
      { fresh: 10, cacheRead: 0 },
    ],
  ])("%s tells what was cached", (_name, more, expected) => {
    expect(readChatUsage({ ...COUNTS, ...more })).toMatchObject({ ...expected, output: 4 });
  });

  test.each([
    ["OpenAI", { cache_write_tokens: 6 }, { cacheWrite: 6, cacheWriteLong: 0 }],
    [
      "Alibaba",
      {
        ...{ cache_creation: { ephemeral_5m_input_tokens: 6 }, cache_creation_input_tokens: 6 },
        ...{ cache_type: "ephemeral", cached_tokens: 0 },
      },
      { cacheWrite: 6, cacheWriteLong: 0 },
    ],
    [
      "one that keeps some of it for an hour",
      { cache_creation: { ephemeral_1h_input_tokens: 4 }, cache_creation_input_tokens: 6 },
      { cacheWrite: 2, cacheWriteLong: 4 },
    ],
    ["one that breaks it down alone", WRITTEN, { cacheWrite: 2, cacheWriteLong: 4 }],
    ["one that writes both", { ...WRITTEN, cache_write_tokens: 6 }, { cacheWrite: 2 }],
    ["one that says none", { cache_write_tokens: 0, cached_tokens: 0 }, { cacheWrite: 0 }],
  ])("%s tells what was put into the cache", (_name, details, expected) => {
    const usage = readChatUsage({ ...COUNTS, prompt_tokens_details: details });
    const fresh = 10 - (usage?.cacheWrite ?? 0) - (usage?.cacheWriteLong ?? 0);
    expect(usage).toMatchObject({ ...expected, fresh, output: 4, clamped: false });
  });

  test("what is no count of what was put into the cache is flagged", () => {
    const prompt_tokens_details = { cache_creation_input_tokens: "6" };
    const usage = readChatUsage({ ...COUNTS, prompt_tokens_details });
    expect(usage).toMatchObject({ fresh: 10, cacheWrite: 0, clamped: true });
  });

  test.each([
    ["inside the completion", 14, 4, 3],
    ["beside the completion", 17, 7, 3],
    ["without a total", undefined, 4, 3],
  ])("thinking is counted %s", (_name, total_tokens, output, reasoning) => {
    const completion_tokens_details = { reasoning_tokens: 3 };
    const usage = readChatUsage({ ...COUNTS, total_tokens, completion_tokens_details });
    expect(usage).toMatchObject({ output, reasoning, clamped: false });
  });

  test("thinking beyond the completion is flagged where no total explains it", () => {
    const completion_tokens_details = { reasoning_tokens: 9 };
    expect(readChatUsage({ ...COUNTS, completion_tokens_details })).toMatchObject({
      output: 4,
      clamped: true,
    });
  });

  test.each([
    [{ cost: 0.0123 }, "0.0123"],
    [{ cost_in_usd_ticks: 94_000 }, "0.0000094"],
    [{ cost: 0.5, cost_in_usd_ticks: 1 }, "0.5"],
    [{ cost: -1 }, undefined],
  ])("what the vendor charged is read of %j", (costs, expected) => {
    expect(readChatUsage({ ...COUNTS, ...costs })?.vendorCost).toBe(expected);
  });

  test("nothing is nothing", () => {
    for (const usage of [undefined, null, 5, "x", []]) expect(readChatUsage(usage)).toBeUndefined();
  });

  test("what was written to the cache for long is inside what was written", () => {
    const usage = { ...NO_USAGE, fresh: 1, cacheWrite: 2, cacheWriteLong: 4, output: 8 };
    expect(writeChatUsage(usage)).toMatchObject({
      prompt_tokens: 7,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 6 },
    });
  });
});
