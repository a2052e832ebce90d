import { expect, test } from "bun:test";
import { readText } from "../../../../test/support/vendors/whole-answers.ts";
import { NO_USAGE } from "../../usage.ts";
import { readGeminiResult } from "./result.ts";

const OPTIONS = { model: "ours-1.0", echo: {} };
const END = { cost: "0.25", usage: NO_USAGE, echo: {} };

// Answers are written by hand from the vendor's documented shapes.
const ANSWER =
  '{"candidates":[{"content":{"parts":[{"text":"Hello"},{"functionCall":{"name":"f","args":{}}}],' +
  '"role":"model"},"finishReason":"STOP","avgLogprobs":-1.50,' +
  '"groundingMetadata":{"webSearchQueries":["a","b"]}}],' +
  '"usageMetadata":{"promptTokenCount":4,"candidatesTokenCount":2},' +
  '"modelVersion":"gemini-2.5-pro","responseId":"r1"}';

test("a documented answer passes under our name with its cost and its very characters", () => {
  const result = readText(readGeminiResult, ANSWER);
  expect(result.id).toBe("r1");
  expect(result.usage).toEqual({ ...NO_USAGE, fresh: 4, output: 2, webSearches: 2 });
  expect([result.webSearches, result.failure]).toEqual([2, undefined]);
  expect(result.outputTokens).toBeCloseTo((5 + 1 + 2) / 4);
  expect(result.write(OPTIONS, END)).toBe(
    ANSWER.replace('"gemini-2.5-pro"', '"ours-1.0"').replace(
      '"candidatesTokenCount":2',
      '"candidatesTokenCount":2,"cost":0.25,"cost_exact":"0.25"',
    ),
  );
});

test("a documented block of the prompt is an answer", () => {
  const result = readText(readGeminiResult, '{"promptFeedback":{"blockReason":"SAFETY"}}');
  expect([result.failure, result.usage, result.outputTokens]).toEqual([undefined, undefined, 0]);
});

test("a documented error with a good status is a failure, in a list too", () => {
  const error = { error: { code: 429, message: "slow", status: "RESOURCE_EXHAUSTED" } };
  for (const body of [error, [error]]) {
    expect(readText(readGeminiResult, JSON.stringify(body)).failure?.status).toBe(503);
  }
});

test("a body that is no answer at all is thrown", () => {
  for (const text of ["{}", "[]", "1", '{"candidates":{}}']) {
    expect(() => readText(readGeminiResult, text)).toThrow("no candidates");
  }
});
