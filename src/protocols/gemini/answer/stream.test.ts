import { describe, expect, test } from "bun:test";
import { given } from "../../../../test/support/clients/given.ts";
import { Fault } from "../../../lib/faults.ts";
import { JsonText } from "../../bytes/splice.ts";
import { NO_USAGE } from "../../usage.ts";
import { ARRAY } from "./framing.ts";
import { readGeminiResult } from "./result.ts";
import { GeminiStream } from "./stream.ts";

const END = { cost: "0.25", usage: NO_USAGE, echo: {} };
const OPTIONS = { model: "ours-1.0", echo: {} };

// Chunks are written by hand from the vendor's documented shapes.
function chunk(text: string, finishReason?: string, more: object = {}, index = 0) {
  const candidate = {
    content: { parts: [{ text }], role: "model" },
    ...(finishReason ? { finishReason } : {}),
    index,
  };
  return {
    candidates: [candidate],
    usageMetadata: { promptTokenCount: 4, candidatesTokenCount: text.length, totalTokenCount: 9 },
    modelVersion: "gemini-2.5-pro",
    responseId: "r1",
    ...more,
  };
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}

function open(...values: unknown[]) {
  const pass = new GeminiStream(OPTIONS);
  const out = given(pass.push(Buffer.from(values.map(event).join("")))).toString();
  return { pass, out };
}

function dataOf(text: string): Record<string, unknown>[] {
  return text
    .split("\n\n")
    .filter((each) => each !== "")
    .map((each) => JSON.parse(each.replace("data: ", "")));
}

function finish(pass: GeminiStream): string {
  return Buffer.from(pass.finish(END)).toString();
}

describe("a stream as one array", () => {
  const openArray = () => {
    const pass = new GeminiStream(OPTIONS, ARRAY);
    const push = (...values: unknown[]) =>
      given(pass.push(Buffer.from(values.map(event).join("")))).toString();
    return { pass, push };
  };
  const sign = (pass: GeminiStream) => Buffer.from(pass.keepAlive()).toString();
  const FAULT = new Fault("rate_limit_exceeded", "too fast");

  test("is valid JSON with its end, whenever its elements come", () => {
    const { pass, push } = openArray();
    const begun = sign(pass) + push(chunk("a"), chunk("b")) + sign(pass) + push(chunk("c"));
    const out = begun + push(chunk("d", "STOP")) + sign(pass);
    expect(() => JSON.parse(out)).toThrow();
    pass.close();
    const chunks = JSON.parse(out + finish(pass)) as Record<string, unknown>[];
    expect(chunks.map(({ modelVersion }) => modelVersion)).toEqual(Array(4).fill("ours-1.0"));
    expect(chunks.at(-1)).toMatchObject({ usageMetadata: { cost: 0.25, cost_exact: "0.25" } });
    // Asked for again it is the same.
    expect(JSON.parse(out + finish(pass))).toEqual(chunks);
  });

  test("of one chunk is an array too", () => {
    const { pass, push } = openArray();
    const out = push(chunk("all", "STOP"));
    pass.close();
    expect(out).toBe("");
    expect(JSON.parse(finish(pass))).toHaveLength(1);
  });

  test("that fails has the error as its last element", () => {
    const { pass, push } = openArray();
    const out = push(chunk("a")) + Buffer.from(pass.fail(FAULT)).toString();
    const error = { error: { code: 429, message: "too fast", status: "RESOURCE_EXHAUSTED" } };
    expect(JSON.parse(out)).toEqual([{ ...chunk("a"), modelVersion: "ours-1.0" }, error]);
    const empty = new GeminiStream(OPTIONS, ARRAY);
    expect(JSON.parse(Buffer.from(empty.fail(FAULT)).toString())).toEqual([error]);
  });
});

test("the end marker of another wire is passed over", () => {
  const pass = new GeminiStream(OPTIONS);
  const text = `${event(chunk("Hel"))}data: [DONE]\n\n${event(chunk("lo", "STOP"))}data: [DONE]\n\n`;
  const out = given(pass.push(Buffer.from(text))).toString();
  pass.close();
  expect([pass.ended, pass.failure]).toEqual([true, undefined]);
  expect(dataOf(out + finish(pass))).toHaveLength(2);
});

test("documented chunks pass under our name, the last one when it is settled", () => {
  const { pass, out } = open(chunk("Hel"), chunk("lo", "STOP"));
  expect(dataOf(out)).toEqual([{ ...chunk("Hel"), modelVersion: "ours-1.0" }]);
  expect([pass.started, pass.ended]).toEqual([true, false]);
  expect(pass.close()).toBeUndefined();
  expect([pass.ended, pass.failure]).toEqual([true, undefined]);
  const last = chunk("lo", "STOP");
  expect(dataOf(finish(pass))).toEqual([
    {
      ...last,
      modelVersion: "ours-1.0",
      usageMetadata: { ...last.usageMetadata, cost: 0.25, cost_exact: "0.25" },
    },
  ]);
  expect(pass.usage).toEqual({ ...NO_USAGE, fresh: 4, output: 2 });
  expect([pass.id, pass.outputTokens]).toEqual(["r1", 1.25]);
});

test("a chunk that counts nothing does not take away what was counted", () => {
  const { pass } = open(chunk("Hel"), chunk("lo", "STOP", { usageMetadata: {} }));
  pass.close();
  expect(pass.usage).toMatchObject({ fresh: 4, output: 3 });
  expect(finish(pass)).not.toContain('"usageMetadata":{"cost"');
});

test("what comes behind the finish reason is kept back with it, and counted last", () => {
  const usageMetadata = { promptTokenCount: 4, candidatesTokenCount: 50, totalTokenCount: 54 };
  const { pass, out } = open(chunk("a", "STOP"), { usageMetadata, modelVersion: "x" });
  expect(out).toBe("");
  pass.close();
  const [first, second] = dataOf(finish(pass));
  expect(first).toMatchObject({ modelVersion: "ours-1.0" });
  expect(JSON.stringify(first)).not.toContain("cost");
  expect(second).toEqual({
    usageMetadata: { ...usageMetadata, cost: 0.25, cost_exact: "0.25" },
    modelVersion: "ours-1.0",
  });
  expect(pass.usage?.output).toBe(50);
});

test("of several candidates the end is where all are finished", () => {
  const { pass, out } = open(
    chunk("a", "STOP"),
    chunk("b", undefined, {}, 1),
    chunk("c", "STOP", {}, 1),
  );
  expect(dataOf(out)).toHaveLength(2);
  pass.close();
  expect([pass.ended, dataOf(finish(pass)).length]).toEqual([true, 1]);
});

test("the end without usage gets what was priced", () => {
  const { pass } = open(chunk("a", "STOP", { usageMetadata: undefined }));
  pass.close();
  const usage = { ...NO_USAGE, fresh: 3, output: 2 };
  const text = Buffer.from(pass.finish({ ...END, usage })).toString();
  expect(dataOf(text)[0]).toMatchObject({
    usageMetadata: { promptTokenCount: 3, cost: 0.25, cost_exact: "0.25" },
  });
  expect(pass.usage).toBeUndefined();
});

test("a chunk that names no model gets none", () => {
  const { out } = open(chunk("a", undefined, { modelVersion: undefined }));
  expect(dataOf(out)[0]).not.toHaveProperty("modelVersion");
});

test("a documented block of the prompt is an end", () => {
  const { pass, out } = open({ promptFeedback: { blockReason: "SAFETY" } });
  pass.close();
  expect([out, pass.ended]).toEqual(["", true]);
  expect(dataOf(finish(pass))[0]).toMatchObject({ promptFeedback: { blockReason: "SAFETY" } });
});

function grounded(text: string, queries: string[], reason?: string, more = {}) {
  const { candidates, ...rest } = chunk(text, reason);
  const groundingMetadata = { webSearchQueries: queries, ...more };
  return { ...rest, candidates: [{ ...candidates[0], groundingMetadata }] };
}

test("documented searches count once, however often they are told", () => {
  const { pass } = open(grounded("a", ["x"]), grounded("b", ["x", "y"], "STOP"));
  expect([pass.webSearches, pass.usage?.webSearches]).toEqual([2, 2]);
});

test("a query that is run again has no price of its own, as at the vendor's", () => {
  const again = ["x", "y", "x", "", "x"];
  const { pass } = open(grounded("a", again), grounded("b", [...again, "x", "z"], "STOP"));
  expect([pass.webSearches, pass.usage?.webSearches]).toEqual([3, 3]);
  const whole = readGeminiResult(grounded("a", again, "STOP"), new JsonText("{}"));
  expect([whole.webSearches, whole.usage?.webSearches]).toEqual([2, 2]);
});

test("a query for pages and one for pictures are two, though their words are the same", () => {
  const { pass } = open(grounded("a", ["x"], "STOP", { imageSearchQueries: ["x", "x"] }));
  expect(pass.webSearches).toBe(2);
});

describe("failures", () => {
  const error = { error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } };

  test.each([
    ["an event", event(error)],
    ["a list", event([error])],
    ["the body of a refusal", JSON.stringify(error, undefined, 2)],
  ])("told as %s end the stream", (_, text) => {
    const pass = new GeminiStream(OPTIONS);
    const first = given(pass.push(Buffer.from(event(chunk("a")) + text))).toString();
    pass.close();
    expect(dataOf(first)).toHaveLength(1);
    expect([pass.ended, pass.failure?.status, pass.usage?.output]).toEqual([false, 503, 1]);
  });

  test("by a stream that was cut are told, whole events and halves alike", () => {
    for (const rest of ["", event(chunk("b", "STOP")).slice(0, 40)]) {
      const pass = new GeminiStream(OPTIONS);
      pass.push(Buffer.from(event(chunk("a")) + rest));
      expect(pass.close()).toBeUndefined();
      expect([pass.ended, pass.failure?.status]).toEqual([false, 503]);
    }
  });

  test("are written as the vendor's error, without an end", () => {
    const { pass } = open(chunk("a"));
    const text = Buffer.from(pass.fail(new Fault("upstream_unavailable", "down"))).toString();
    expect(text).toBe('data: {"error":{"code":503,"message":"down","status":"UNAVAILABLE"}}\n\n');
  });

  test("of a vendor that writes no objects are thrown", () => {
    const pass = new GeminiStream(OPTIONS);
    expect(() => pass.push(Buffer.from("data: 1\n\n"))).toThrow("must be an object");
  });
});

test("a last event without its blank line counts", () => {
  const pass = new GeminiStream(OPTIONS);
  pass.push(Buffer.from(event(chunk("a"))));
  pass.push(Buffer.from(event(chunk("b", "STOP")).trimEnd()));
  pass.close();
  expect(pass.ended).toBe(true);
  expect(finish(pass)).toContain('"text":"b"');
});

test("a sign of life is a comment", () => {
  const { pass } = open();
  expect(Buffer.from(pass.keepAlive()).toString()).toBe(": keep-alive\n\n");
});
