import { describe, expect, test } from "bun:test";
import { readMessagesUsage, writeMessagesUsage } from "./usage.ts";

describe("usage", () => {
  test("counts what the vendor used to shorten the conversation, which its totals leave out", () => {
    const iterations = [
      { type: "compaction", input_tokens: 100, output_tokens: 10 },
      { type: "message", input_tokens: 5, output_tokens: 6 },
    ];
    const usage = readMessagesUsage({ input_tokens: 5, output_tokens: 6, iterations });
    expect(usage).toMatchObject({ fresh: 105, output: 16, clamped: false });
  });

  test("takes a later total of the cache over an earlier breakdown", () => {
    const cache_creation = { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 30 };
    const usage = { input_tokens: 1, cache_creation, cache_creation_input_tokens: 50 };
    expect(readMessagesUsage(usage)).toMatchObject({
      fresh: 1,
      cacheWrite: 20,
      cacheWriteLong: 30,
    });
    expect(readMessagesUsage({ cache_creation })).toMatchObject({ cacheWriteLong: 30 });
  });

  test("puts absurd counts right and says so", () => {
    const wrong = {
      input_tokens: -5,
      output_tokens: 1e12,
      server_tool_use: { web_search_requests: -1 },
    };
    expect(readMessagesUsage(wrong)).toMatchObject({ fresh: 0, webSearches: 0, clamped: true });
    expect(readMessagesUsage(null)).toBeUndefined();
  });

  test("what is cached is known where the rest of the input is not", () => {
    const usage = readMessagesUsage({ input_tokens: "5", cache_read_input_tokens: 30 });
    expect(usage).toMatchObject({ fresh: 0, cacheRead: 30, clamped: true });
    expect(usage?.missing).toMatchObject({ input: true, output: true });
    const odd = { input_tokens: 5, output_tokens: 1, cache_creation_input_tokens: "9" };
    expect(readMessagesUsage(odd)).toMatchObject({ fresh: 5, cacheWrite: 0, clamped: true });
  });

  test("is the same after it was written", () => {
    const usage = {
      fresh: 1,
      cacheRead: 2,
      cacheWrite: 3,
      cacheWriteLong: 4,
      output: 5,
      reasoning: 2,
      webSearches: 6,
      clamped: false,
    };
    expect(readMessagesUsage(writeMessagesUsage(usage))).toEqual(usage);
  });
});
