import { expect, test } from "bun:test";
import { MODEL, usageOf, WORD } from "./answer.ts";
import { checkCompletion, checkStream } from "./check-answer.ts";

const expected = { model: MODEL, tokens: 2 };
const response = (body: string, status = 200) => ({ status, headers: new Map(), body });

const completion = {
  model: MODEL,
  choices: [{ message: { content: WORD.repeat(2) }, finish_reason: "stop" }],
  usage: usageOf(2),
};

test("a whole answer passes and each fault in it is found", () => {
  const check = (changed: object, status?: number) =>
    checkCompletion(response(JSON.stringify({ ...completion, ...changed }), status), expected);
  check({});
  expect(() => check({}, 503)).toThrow("status");
  expect(() => check({ model: "other" })).toThrow("model");
  expect(() => check({ usage: usageOf(3) })).toThrow("usage");
  expect(() => check({ choices: [{ message: { content: WORD }, finish_reason: "stop" }] })).toThrow(
    "text",
  );
});

test("where a server may choose a name, any name passes and a wrong text still does not", () => {
  const named = { ...expected, model: null };
  const other = { ...completion, model: "other" };
  checkCompletion(response(JSON.stringify(other)), named);
  const empty = { ...other, choices: [] };
  expect(() => checkCompletion(response(JSON.stringify(empty)), named)).toThrow("text");
});

const event = (choices: unknown[], usage: object | null = null, model: string = MODEL) =>
  `data: ${JSON.stringify({ model, choices, usage })}\n\n`;
const word = event([{ delta: { content: WORD } }]);
const end = event([{ delta: {}, finish_reason: "stop" }]) + event([], usageOf(2));
const done = "data: [DONE]\n\n";

test("a whole stream passes and each fault in it is found", () => {
  const check = (body: string) => checkStream(response(body), expected);
  check(word + word + end + done);
  expect(() => check(word + end + done)).toThrow("1 of 2");
  expect(() => check(word + word + word + end + done)).toThrow("3 of 2");
  expect(() => check(word + word + end)).toThrow("[DONE]");
  expect(() => check(word + word + event([], usageOf(2)) + done)).toThrow("finish");
  expect(() => check(word + word + event([{ delta: {}, finish_reason: "stop" }]) + done)).toThrow(
    "usage",
  );
  expect(() => check(event([], null, "other") + word + word + end + done)).toThrow("model");
  expect(() => check(event([{ delta: { content: "x" } }]) + word + end + done)).toThrow("NaN of 2");
});
