import { expect, test } from "bun:test";
import { usageText } from "../answer-usage.ts";
import { JsonText } from "../bytes/splice.ts";
import { NO_USAGE, toUsage } from "../usage.ts";
import type { AnswerEnd } from "../wire.ts";
import { writeChunk } from "./answer/result.ts";
import { readGeminiUsage, writeGeminiUsage } from "./usage.ts";

test("documented counts become disjoint buckets: tools in the input, thoughts in the output", () => {
  const told = {
    promptTokenCount: 100,
    cachedContentTokenCount: 40,
    toolUsePromptTokenCount: 25,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 13,
    totalTokenCount: 145,
  };
  expect(readGeminiUsage(told, 2)).toEqual({
    ...NO_USAGE,
    fresh: 85,
    cacheRead: 40,
    output: 20,
    reasoning: 13,
    webSearches: 2,
  });
});

test("a vendor that says nothing of its usage has none, one that says little has zeros", () => {
  expect(readGeminiUsage(undefined)).toBeUndefined();
  expect(readGeminiUsage({ promptTokenCount: 5 })).toEqual({ ...NO_USAGE, fresh: 5 });
});

test("counts below nothing are put right and flagged", () => {
  expect(readGeminiUsage({ promptTokenCount: -5, candidatesTokenCount: 3 })).toEqual({
    ...NO_USAGE,
    output: 3,
    clamped: true,
    missing: { input: true, output: false, total: undefined },
  });
});

test("what is left out beside a total is the rest of it, and else zero as this vendor writes it", () => {
  expect(readGeminiUsage({ promptTokenCount: 5, totalTokenCount: 12 })?.output).toBe(7);
  expect(readGeminiUsage({ promptTokenCount: 5, totalTokenCount: 5 })?.missing).toBeUndefined();
  expect(readGeminiUsage({ totalTokenCount: 12 })?.missing).toMatchObject({ total: 12 });
  expect(readGeminiUsage({ toolUsePromptTokenCount: 3, candidatesTokenCount: 2 })).toMatchObject({
    output: 2,
    missing: { input: true, output: false },
  });
});

test("what is written is read back as the same counts", () => {
  const usage = toUsage({ input: 90, cacheRead: 30, output: 12, reasoning: 5 });
  expect(readGeminiUsage(writeGeminiUsage(usage))).toEqual(usage);
  expect(writeGeminiUsage(usage)).toEqual({
    promptTokenCount: 90,
    candidatesTokenCount: 7,
    thoughtsTokenCount: 5,
    cachedContentTokenCount: 30,
    totalTokenCount: 102,
  });
});

test("what the vendor charged is for the house alone", () => {
  const counts = { promptTokenCount: 3, candidatesTokenCount: 4 };
  expect(readGeminiUsage({ ...counts, cost: 0.25 })?.vendorCost).toBe("0.25");
  const chunk = JSON.stringify({ usageMetadata: { ...counts, cost: 0.25, cost_details: {} } });
  expect(JSON.parse(writeChunk(chunk, '"m"')).usageMetadata).toEqual(counts);
  const end = { usage: NO_USAGE, cost: "0.5", echo: {} };
  const last = JSON.parse(writeChunk(chunk, '"m"', end)).usageMetadata;
  expect(last).toEqual({ ...counts, cost: 0.5, cost_exact: "0.5" });
});

test("the usage for the client keeps the vendor's own words and gets the cost", () => {
  const usage = { ...NO_USAGE, fresh: 3, output: 4 };
  const told = new JsonText('{"usageMetadata":{"promptTokenCount":1,"x":1.0}}');
  const untold = new JsonText("{}");
  const usageMetadataText = (json: JsonText, end: AnswerEnd) =>
    usageText(json, end, writeGeminiUsage, "usageMetadata");
  expect(usageMetadataText(told, { usage, cost: "0.5", echo: {} })).toBe(
    '{"promptTokenCount":1,"x":1.0,"cost":0.5,"cost_exact":"0.5"}',
  );
  expect(usageMetadataText(told, { usage, cost: undefined, echo: {} })).toBe(
    '{"promptTokenCount":1,"x":1.0}',
  );
  const mended = { usage, cost: undefined, echo: {}, mended: true };
  expect(JSON.parse(usageMetadataText(told, mended))).toMatchObject({ promptTokenCount: 3 });
  expect(JSON.parse(usageMetadataText(untold, { usage, cost: undefined, echo: {} }))).toEqual({
    promptTokenCount: 3,
    candidatesTokenCount: 4,
    totalTokenCount: 7,
  });
});
