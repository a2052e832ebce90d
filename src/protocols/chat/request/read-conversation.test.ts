import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { seal } from "../../envelope.ts";
import { chatWire } from "../wire.ts";

const wire = chatWire(readConfig({}).limits);
const HELLO = { role: "user", content: "hi" };

function read(members: object) {
  const body = { model: "m-1.0", messages: [HELLO], ...members };
  return wire.readConversation(wire.readRequest(body, JSON.stringify(body)));
}

const items = (...messages: object[]) => read({ messages }).items;

function refusal(members: object): { code: string; param: string | null } {
  try {
    read(members);
  } catch (thrown) {
    if (thrown instanceof Fault) return { code: thrown.code, param: thrown.param };
    throw thrown;
  }
  throw new Error("it was accepted");
}

describe("messages as items", () => {
  test("keep their roles and places, those of the system too", () => {
    expect(
      items(
        { role: "system", content: "a" },
        HELLO,
        { role: "developer", content: [{ type: "text", text: "b" }] },
        { role: "assistant", content: "c" },
      ),
    ).toEqual([
      { type: "message", role: "system", parts: [{ type: "text", text: "a" }] },
      { type: "message", role: "user", parts: [{ type: "text", text: "hi" }] },
      { type: "message", role: "developer", parts: [{ type: "text", text: "b" }] },
      { type: "message", role: "assistant", parts: [{ type: "text", text: "c" }] },
    ]);
  });

  test("carry images and files", () => {
    const content = [
      { type: "text", text: "" },
      { type: "image_url", image_url: { url: "https://a.test/b.png", detail: "low" } },
      { type: "image_url", image_url: "data:image/png;base64,AA==" },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA==" } },
      { type: "file", file: { file_data: "AA==" } },
    ];
    expect(items({ role: "user", content })[0]).toEqual({
      type: "message",
      role: "user",
      parts: [
        { type: "image", url: "https://a.test/b.png", detail: "low" },
        { type: "image", url: "data:image/png;base64,AA==" },
        { type: "file", name: "a.pdf", url: "data:application/pdf;base64,AA==" },
        { type: "file", url: "data:application/pdf;base64,AA==" },
      ],
    });
  });

  test("an assistant's turn is what it said, then what it called", () => {
    const turn = {
      role: "assistant",
      content: "so",
      refusal: "no",
      tool_calls: [
        { id: "c1", type: "function", function: { name: "f", arguments: '{"a":1}' } },
        { id: "c2", type: "custom", custom: { name: "g", input: "free" } },
      ],
    };
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };
    const found = items(
      turn,
      { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "x" }, image] },
      { role: "tool", tool_call_id: "c1", content: "y" },
    );
    expect(found).toEqual([
      {
        type: "message",
        role: "assistant",
        parts: [
          { type: "text", text: "so" },
          { type: "refusal", text: "no" },
        ],
      },
      { type: "call", callId: "c1", name: "f", custom: false, arguments: '{"a":1}' },
      { type: "call", callId: "c2", name: "g", custom: true, arguments: "free" },
      {
        type: "result",
        callId: "c2",
        custom: true,
        parts: [
          { type: "text", text: "x" },
          { type: "image", url: "data:image/png;base64,AA==" },
        ],
      },
      { type: "result", callId: "c1", custom: false, parts: [{ type: "text", text: "y" }] },
    ]);
  });

  test("calls of the older form find their results by name", () => {
    const found = items(
      HELLO,
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
      { role: "function", name: "f", content: "r" },
    );
    const [, call, result] = found;
    expect(call).toMatchObject({ type: "call", name: "f", arguments: "{}" });
    expect(result).toMatchObject({ type: "result", parts: [{ text: "r" }] });
    expect(call).toMatchObject({ callId: (result as { callId: string }).callId });
  });

  test.each([
    ["a part of no known kind", [{ type: "video_url" }], "unsupported_parameter", ""],
    ["an image without one", [{ type: "image_url" }], "missing_required_parameter", ".image_url"],
    [
      "a file without data",
      [{ type: "file", file: {} }],
      "missing_required_parameter",
      ".file.file_data",
    ],
    ["a text that is a number", [{ type: "text", text: 1 }], "invalid_type", ".text"],
  ])("refuse %s", (_name, content, code, path) => {
    expect(refusal({ messages: [{ role: "user", content }] })).toEqual({
      code,
      param: `messages[0].content[0]${path}`,
    });
  });

  test("refuse calls and results without their ids", () => {
    const call = { type: "function", function: { name: "f", arguments: "" } };
    expect(
      refusal({ messages: [{ role: "assistant", content: null, tool_calls: [call] }] }).param,
    ).toBe("messages[0].tool_calls[0].id");
    expect(refusal({ messages: [{ role: "tool", content: "x" }] }).param).toBe(
      "messages[0].tool_call_id",
    );
  });
});

describe("thinking that a client sends back", () => {
  const call = (id: string, extra = {}) => ({
    id,
    type: "function",
    function: { name: "f", arguments: "{}" },
    ...extra,
  });
  const turn = (members: object) => ({ role: "assistant", content: null, ...members });
  const types = (members: object) => items(turn(members)).map(({ type }) => type);

  test.each(["reasoning_content", "reasoning"])("as text in %s", (name) => {
    expect(items(turn({ [name]: "hm", content: "x" }))).toEqual([
      { type: "reasoning", summary: [], text: "hm" },
      { type: "message", role: "assistant", parts: [{ type: "text", text: "x" }] },
    ]);
  });

  test("as sealed details, the text with the first of them", () => {
    const a = seal("messages", { signature: "a" });
    const b = "raw-text-of-the-vendor";
    const reasoning_details = [
      { type: "reasoning.encrypted", data: a },
      { type: "reasoning.encrypted", data: b },
    ];
    expect(items(turn({ reasoning_content: "hm", reasoning_details, content: "x" }))).toEqual([
      { type: "reasoning", summary: ["hm"], sealed: a },
      { type: "reasoning", summary: [], sealed: b },
      { type: "message", role: "assistant", parts: [{ type: "text", text: "x" }] },
    ]);
  });

  test("as the readable details of other gateways", () => {
    const reasoning_details = [
      { type: "reasoning.text", text: "a" },
      { type: "reasoning.summary", summary: "b" },
    ];
    expect(items(turn({ reasoning_details, content: "x" }))[0]).toEqual({
      type: "reasoning",
      summary: [],
      text: "ab",
    });
  });

  test("as Gemini's signature on a call, which stands before that call", () => {
    const signed = call("c2", { extra_content: { google: { thought_signature: "sig" } } });
    const found = items(turn({ tool_calls: [call("c1"), signed] }));
    expect(found.map(({ type }) => type)).toEqual(["call", "reasoning", "call"]);
    expect(found[1]).toEqual({
      type: "reasoning",
      summary: [],
      sealed: seal("gemini", { signature: "sig", call: "c2" }),
    });
  });

  test("once, where both members bring the same", () => {
    const data = seal("gemini", { signature: "sig", call: "c1" });
    const reasoning_details = [{ type: "reasoning.encrypted", data }];
    const signed = call("c1", { extra_content: { google: { thought_signature: "sig" } } });
    const members = { reasoning_details, tool_calls: [signed], reasoning_content: "hm" };
    expect(types(members)).toEqual(["reasoning", "reasoning", "call"]);
    expect(types({ reasoning_details, tool_calls: [call("c1")] })).toEqual(["reasoning", "call"]);
  });
});

describe("tools", () => {
  const parameters = { type: "object", properties: {} };

  test("of every form", () => {
    const grammar = { syntax: "lark", definition: "start: A" };
    const tools = [
      { type: "function", function: { name: "f", description: "d", parameters, strict: true } },
      { type: "custom", custom: { name: "g", format: { type: "grammar", grammar } } },
      { type: "hosted" },
    ];
    const functions = [{ name: "old", parameters }];
    const approximate = { country: "CH" };
    const web_search_options = {
      search_context_size: "low",
      user_location: { type: "approximate", approximate },
    };
    expect(read({ tools, functions, web_search_options, max_tool_calls: 3 }).tools).toEqual([
      { type: "function", name: "f", description: "d", parameters, strict: true },
      { type: "custom", name: "g", format: { type: "grammar", ...grammar } },
      { type: "foreign", path: "tools[2]" },
      { type: "function", name: "old", parameters },
      {
        type: "web_search",
        settings: {
          search_context_size: "low",
          user_location: { type: "approximate", country: "CH" },
        },
        maxCalls: 3,
      },
    ]);
  });

  test.each([
    [{ tool_choice: "required" }, { mode: "required" }],
    [{ tool_choice: null }, undefined],
    [{ tool_choice: { type: "function", function: { name: "f" } } }, { mode: "tool", name: "f" }],
    [{ tool_choice: { type: "custom", custom: { name: "f" } } }, { mode: "tool", name: "f" }],
    [{ function_call: "none" }, { mode: "none" }],
    [{ function_call: { name: "f" } }, { mode: "tool", name: "f" }],
    [
      {
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: {
            mode: "required",
            tools: [
              { type: "function", function: { name: "f" } },
              { type: "custom", name: "g" },
            ],
          },
        },
      },
      { mode: "allowed", names: ["f", "g"], required: true },
    ],
  ])("choice %p is %p", (members, choice) => {
    const tools = ["f", "g"].map((name) => ({ type: "function", function: { name } }));
    const { toolChoice } = read({ tools, ...members });
    expect(toolChoice).toEqual(choice as ReturnType<typeof read>["toolChoice"]);
  });

  test("a choice of no form is refused", () => {
    expect(refusal({ tool_choice: "some" })).toEqual({
      code: "invalid_value",
      param: "tool_choice",
    });
  });
});

describe("everything else", () => {
  test("finds its place", () => {
    const schema = { type: "object" };
    const found = read({
      ...{ max_tokens: 5, max_completion_tokens: 6, stop: "a", seed: 4, n: 2, stream: true },
      ...{ temperature: 0, top_p: 0.5, top_k: 3, presence_penalty: 1, frequency_penalty: -1 },
      ...{ logprobs: true, top_logprobs: 2, verbosity: "low", reasoning_effort: "high" },
      ...{ user: "u", safety_identifier: "s", prompt_cache_key: "k", parallel_tool_calls: false },
      response_format: { type: "json_schema", json_schema: { name: "n", schema, strict: true } },
    });
    expect(found).toMatchObject({
      ...{ maxOutput: 6, stop: ["a"], seed: 4, choices: 2, stream: true, temperature: 0 },
      ...{ topP: 0.5, topK: 3, presencePenalty: 1, frequencyPenalty: -1, topLogprobs: 2 },
      ...{ verbosity: "low", effort: "high", user: "s", cacheKey: "k", parallelToolCalls: false },
      format: { type: "json_schema", name: "n", schema, strict: true },
      lost: [],
    });
  });

  test("log probabilities are wanted only where they are asked for", () => {
    expect(read({ logprobs: true }).topLogprobs).toBe(0);
    expect(read({ logprobs: false, top_logprobs: 0 }).topLogprobs).toBeUndefined();
    expect(refusal({ top_logprobs: 2 }).param).toBe("top_logprobs");
  });

  test("text is no format, and JSON is one", () => {
    expect(read({ response_format: { type: "text" } }).format).toBeUndefined();
    expect(read({ response_format: { type: "json_object" } }).format).toEqual({
      type: "json_object",
    });
    expect(refusal({ response_format: { type: "xml" } }).param).toBe("response_format.type");
    expect(refusal({ response_format: { type: "json_schema" } }).param).toBe(
      "response_format.json_schema",
    );
  });

  test("thinking may be asked for by an object, as some gateways have it", () => {
    expect(read({ reasoning: { effort: "low", summary: "auto" } })).toMatchObject({
      effort: "low",
      summary: "auto",
    });
    expect(read({ reasoning: { max_tokens: 2_000 } }).thinkingBudget).toBe(2_000);
    expect(read({ reasoning: { enabled: false } }).effort).toBe("none");
    expect(read({ reasoning: { effort: "low" }, reasoning_effort: "high" }).effort).toBe("high");
  });

  test("what has no place is lost by name, and what loses nothing without a word", () => {
    const silent = {
      store: true,
      metadata: { a: "b" },
      service_tier: "auto",
      modalities: ["text"],
    };
    expect(read({ ...silent, stream: true, stream_options: {}, prediction: null }).lost).toEqual(
      [],
    );
    expect(
      read({ logit_bias: { 1: 2 }, prediction: {}, service_tier: "flex", whatever: 1 }).lost,
    ).toEqual(["logit_bias", "prediction", "whatever", "service_tier"]);
  });

  test("a stop of no kind is refused", () => {
    expect(refusal({ stop: [1] })).toEqual({ code: "invalid_type", param: "stop" });
  });

  test("nothing breaks it in any other way than with a fault", () => {
    const messages = fc.array(
      fc.record({
        role: fc.constantFrom("user", "assistant", "tool", "function", "system"),
        content: fc.jsonValue(),
        tool_calls: fc.jsonValue(),
        function_call: fc.jsonValue(),
        reasoning_details: fc.jsonValue(),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const members = fc.constantFrom(
      "tool_choice",
      "functions",
      "stop",
      "response_format",
      "reasoning",
    );
    fc.assert(
      fc.property(messages, fc.dictionary(members, fc.jsonValue()), (given, more) => {
        try {
          read({ messages: given, ...more });
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: count(80, 300) },
    );
  });
});
