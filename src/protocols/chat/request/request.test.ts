import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { chatWire } from "../wire.ts";
import { wantsUsage } from "./request.ts";

const wire = chatWire(readConfig({}).limits);
const BASE = { model: "m-1.0", messages: [{ role: "user", content: "hi" }] };

function read(body: unknown) {
  return wire.readRequest(body, JSON.stringify(body));
}

function refusal(body: unknown): { code: string; param: string | null; status: number } {
  try {
    read(body);
  } catch (thrown) {
    if (thrown instanceof Fault) {
      return { status: thrown.status, code: thrown.code, param: thrown.param };
    }
    throw thrown;
  }
  throw new Error("it was accepted");
}

const part = (content: unknown) => ({ messages: [{ role: "user", content: [content] }] });

describe("reading a chat request", () => {
  test.each([
    ["no model", { model: undefined }, "missing_required_parameter", "model"],
    ["an empty model", { model: "" }, "missing_required_parameter", "model"],
    ["a model that is a number", { model: 5 }, "invalid_type", "model"],
    ["no messages", { messages: undefined }, "missing_required_parameter", "messages"],
    ["null messages", { messages: null }, "missing_required_parameter", "messages"],
    ["a text as messages", { messages: "hi" }, "invalid_type", "messages"],
    ["empty messages", { messages: [] }, "empty_array", "messages"],
    ["a message that is a text", { messages: ["hi"] }, "invalid_type", "messages[0]"],
    ["no role", { messages: [{ content: "" }] }, "missing_required_parameter", "messages[0].role"],
    [
      "a wrong role",
      { messages: [{ role: "bot", content: "" }] },
      "invalid_value",
      "messages[0].role",
    ],
    [
      "no content",
      { messages: [BASE.messages[0], { role: "user" }] },
      "missing_required_parameter",
      "messages[1].content",
    ],
    [
      "content of no kind",
      { messages: [{ role: "user", content: 5 }] },
      "invalid_type",
      "messages[0].content",
    ],
    ["a part that is a text", part("x"), "invalid_type", "messages[0].content[0]"],
    ["a part without type", part({}), "missing_required_parameter", "messages[0].content[0].type"],
    ["audio", part({ type: "input_audio" }), "unsupported_parameter", "messages[0].content[0]"],
    [
      "a vendor's file",
      part({ type: "file", file: { file_id: "file-1" } }),
      "unsupported_parameter",
      "messages[0].content[0].file.file_id",
    ],
    ["temperature above", { temperature: 2.01 }, "decimal_above_max_value", "temperature"],
    ["temperature below", { temperature: -0.1 }, "decimal_below_min_value", "temperature"],
    ["temperature as text", { temperature: "1" }, "invalid_type", "temperature"],
    ["top_p above", { top_p: 1.5 }, "decimal_above_max_value", "top_p"],
    ["a penalty below", { presence_penalty: -3 }, "decimal_below_min_value", "presence_penalty"],
    ["n of zero", { n: 0 }, "integer_below_min_value", "n"],
    ["n negative", { n: -1 }, "integer_below_min_value", "n"],
    ["n huge", { n: 129 }, "integer_above_max_value", "n"],
    ["n broken", { n: 1.5 }, "invalid_type", "n"],
    ["max_tokens zero", { max_tokens: 0 }, "integer_below_min_value", "max_tokens"],
    ["max_tokens huge", { max_tokens: 1e15 }, "integer_above_max_value", "max_tokens"],
    ["max_tokens broken", { max_tokens: 0.5 }, "invalid_type", "max_tokens"],
    [
      "max_completion_tokens",
      { max_completion_tokens: -4 },
      "integer_below_min_value",
      "max_completion_tokens",
    ],
    ["stream as text", { stream: "yes" }, "invalid_type", "stream"],
    ["stream_options as text", { stream_options: "x" }, "invalid_type", "stream_options"],
    ["tools as an object", { tools: {} }, "invalid_type", "tools"],
    ["a tool that is a text", { tools: ["f"] }, "invalid_type", "tools[0]"],
    ["a tool without type", { tools: [{}] }, "missing_required_parameter", "tools[0].type"],
    [
      "a tool without function",
      { tools: [{ type: "function" }] },
      "missing_required_parameter",
      "tools[0].function",
    ],
    [
      "a function without name",
      { tools: [{ type: "function", function: {} }] },
      "missing_required_parameter",
      "tools[0].function.name",
    ],
    ["audio output", { modalities: ["text", "audio"] }, "unsupported_parameter", "modalities"],
    ["no calls at all", { max_tool_calls: 0 }, "integer_below_min_value", "max_tool_calls"],
    ["search by text", { web_search_options: "x" }, "invalid_type", "web_search_options"],
    ["top_logprobs", { top_logprobs: 21 }, "integer_above_max_value", "top_logprobs"],
  ])("refuses %s", (_name, change, code, param) => {
    expect(refusal({ ...BASE, ...change })).toEqual({ status: 400, code, param });
  });

  test("refuses a body that is not an object", () => {
    for (const body of [null, 5, "x", [], true]) expect(refusal(body).code).toBe("invalid_type");
  });

  test.each([
    ["unknown fields", { client_metadata: { a: 1 }, whatever: 1 }],
    [
      "nulls for what is not set",
      { temperature: null, top_p: null, tools: null, n: null, stream: null },
    ],
    ["the edges", { temperature: 2, top_p: 0, n: 128, max_tokens: 1 }],
    ["empty tools", { tools: [], stream: true, stream_options: {} }],
    ["unknown tool types", { tools: [{ type: "tool_search" }] }],
    ["a developer", { messages: [{ role: "developer", content: "x" }] }],
    ["a tool's answer", { messages: [{ role: "tool", tool_call_id: "c", content: "x" }] }],
    ["an assistant's call without content", { messages: [{ role: "assistant", tool_calls: [] }] }],
    ["null content", { messages: [{ role: "assistant", content: null, tool_calls: [] }] }],
  ])("accepts %s", (_name, change) => {
    expect(read({ ...BASE, ...change }).model).toBe("m-1.0");
  });

  test("takes either name of the output limit, the newer first", () => {
    expect(read({ ...BASE, max_tokens: 5 }).maxOutput).toBe(5);
    expect(read({ ...BASE, max_completion_tokens: 6 }).maxOutput).toBe(6);
    expect(read({ ...BASE, max_tokens: 5, max_completion_tokens: 6 }).maxOutput).toBe(6);
    expect(read(BASE).maxOutput).toBeUndefined();
    expect(read({ ...BASE, n: 3 }).choices).toBe(3);
  });

  test("says that a search may be run, which has its own price", () => {
    expect(read(BASE).webSearch).toBe(false);
    expect(read({ ...BASE, web_search_options: {} }).webSearch).toBe(true);
  });

  test("refuses audio that a vendor keeps for its own account", () => {
    const messages = [{ role: "assistant", content: "x", audio: { id: "audio_1" } }];
    expect(refusal({ ...BASE, messages })).toMatchObject({
      status: 400,
      param: "messages[0].audio",
    });
  });

  test("never breaks in any other way than with a fault", () => {
    const field = fc.constantFrom(
      ...[
        "messages",
        "tools",
        "temperature",
        "n",
        "stream",
        "stream_options",
        "max_tokens",
        "audio",
      ],
    );
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (changes) => {
        try {
          read({ ...BASE, ...changes });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: count(80, 500) },
    );
  });
});

test("wantsUsage is the client's own wish", () => {
  expect(wantsUsage(read(BASE))).toBe(false);
  const streams = { ...BASE, stream: true };
  expect(wantsUsage(read({ ...streams, stream_options: { include_usage: true } }))).toBe(true);
  expect(wantsUsage(read({ ...streams, stream_options: { include_usage: null } }))).toBe(false);
  expect(wantsUsage(read({ ...streams, usage: { include: true } }))).toBe(true);
  expect(wantsUsage(read({ ...streams, usage: { include: false } }))).toBe(false);
});
