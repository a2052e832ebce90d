import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Conversation } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import type { JsonObject } from "../../fields.ts";
import { responsesWire } from "../wire.ts";

const wire = responsesWire(readConfig({}).limits);

function read(members: object): Conversation {
  const body = { model: "m-1.0", input: "hi", ...members };
  return wire.readConversation(wire.readRequest(body, JSON.stringify(body)));
}

const item = (raw: object) => read({ input: [raw] }).items[0];
const text = (value: string) => ({ type: "text" as const, text: value });

describe("the items of a Responses request", () => {
  test("a plain text is a message of the user", () => {
    expect(read({ instructions: "Be brief." })).toMatchObject({
      instructions: "Be brief.",
      items: [{ type: "message", role: "user", parts: [text("hi")] }],
      lost: [],
    });
  });

  test("messages keep role, phase, text of any kind, images, files and refusals", () => {
    const content = [
      { type: "input_text", text: "a" },
      { type: "output_text", text: "b", annotations: [], logprobs: [] },
      { type: "input_image", image_url: "data:image/png;base64,AA", detail: "low" },
      { type: "input_file", file_data: "data:text/plain;base64,AA", filename: "n.txt" },
      { type: "input_file", file_data: "JVBERi0" },
      { type: "input_file", file_url: "https://example.com/a.pdf" },
      { type: "refusal", refusal: "no" },
    ];
    expect(item({ role: "assistant", phase: "commentary", content })).toEqual({
      type: "message",
      role: "assistant",
      phase: "commentary",
      parts: [
        text("a"),
        text("b"),
        { type: "image", url: "data:image/png;base64,AA", detail: "low" },
        { type: "file", url: "data:text/plain;base64,AA", name: "n.txt" },
        { type: "file", url: "data:application/pdf;base64,JVBERi0" },
        { type: "file", url: "https://example.com/a.pdf" },
        { type: "refusal", text: "no" },
      ],
    });
  });

  test("sources of a text stay with it", () => {
    const annotations = [{ type: "url_citation", url: "https://example.com", title: "t" }];
    const content = [{ type: "output_text", text: "b", annotations }];
    expect(item({ role: "assistant", content })).toMatchObject({
      parts: [{ type: "text", text: "b", annotations }],
    });
  });

  test("a part of a vendor's own kind is lost by its place", () => {
    const content = [{ type: "input_text", text: "a" }, { type: "acme:hologram" }];
    const { items, lost } = read({ input: [{ role: "user", content }] });
    expect(items).toEqual([{ type: "message", role: "user", parts: [text("a")] }]);
    expect(lost).toEqual(["input[0].content[1]"]);
  });

  test("calls and their results, of functions and of tools that take free text", () => {
    const call = { type: "function_call", call_id: "c1", name: "f", namespace: "ns" };
    expect(item({ ...call, arguments: '{"a":1}', status: "completed" })).toEqual({
      type: "call",
      callId: "c1",
      name: "f",
      namespace: "ns",
      custom: false,
      arguments: '{"a":1}',
    });
    const custom = { type: "custom_tool_call", call_id: "c2", name: "patch", input: "*** x" };
    expect(item(custom)).toMatchObject({ callId: "c2", custom: true, arguments: "*** x" });
    expect(item({ type: "function_call_output", call_id: "c1", output: "7" })).toEqual({
      type: "result",
      callId: "c1",
      custom: false,
      parts: [text("7")],
    });
    const output = [{ type: "input_image", image_url: "https://example.com/a.png" }];
    expect(item({ type: "custom_tool_call_output", call_id: "c2", output })).toMatchObject({
      custom: true,
      parts: [{ type: "image", url: "https://example.com/a.png" }],
    });
    expect(item({ type: "function_call_output", call_id: "c1", output: { a: 1 } })).toMatchObject({
      parts: [text('{"a":1}')],
    });
  });

  test("reasoning keeps its summary and what is sealed; a null content is none", () => {
    const summary = [{ type: "summary_text", text: "hm" }];
    const raw = { type: "reasoning", summary, content: null, encrypted_content: "sealed" };
    expect(item(raw)).toEqual({ type: "reasoning", summary: ["hm"], sealed: "sealed" });
    const content = [{ type: "reasoning_text", text: "so" }];
    expect(item({ type: "reasoning", summary: [], content })).toEqual({
      type: "reasoning",
      summary: [],
      text: "so",
    });
  });

  test("a search is one, and items that no other wire knows are foreign", () => {
    const action = { type: "search", query: "q" };
    expect(
      item({ type: "web_search_call", id: "ws_1", status: "completed", action, role: undefined }),
    ).toEqual({ type: "search", id: "ws_1", status: "completed", action });
    const shell = { type: "local_shell_call", id: "l" };
    expect(item(shell)).toEqual({ type: "foreign", raw: shell });
    expect(item({ type: "acme:constructor" })).toMatchObject({ type: "foreign" });
  });

  test("a compaction of ours is told as a message, a vendor's own is foreign", () => {
    const encrypted_content = seal("responses", { compaction: "They chose blue." });
    const message = item({ type: "compaction", encrypted_content });
    expect(message).toMatchObject({ type: "message", role: "developer" });
    expect(JSON.stringify(message)).toContain("They chose blue.");
    expect(item({ type: "compaction", encrypted_content: "gAA" })?.type).toBe("foreign");
  });
});

describe("the tools of a Responses request", () => {
  const f = { type: "function", name: "f", parameters: { type: "object" }, strict: true };

  test("functions, free text, groups, searches, and what only this wire knows", () => {
    const grammar = { type: "grammar", syntax: "lark", definition: "start: X" };
    const { tools } = read({
      max_tool_calls: 3,
      tools: [
        f,
        { type: "custom", name: "patch", description: "d", format: grammar },
        { type: "custom", name: "plain", format: { type: "text" } },
        { type: "namespace", name: "ns", tools: [{ ...f, parameters: null }, { type: "mcp" }] },
        { type: "web_search_2025_08_26", search_context_size: "low" },
        { type: "code_interpreter" },
      ],
    });
    expect(tools).toEqual([
      { type: "function", name: "f", parameters: { type: "object" }, strict: true },
      { type: "custom", name: "patch", description: "d", format: grammar },
      { type: "custom", name: "plain" },
      { type: "function", name: "f", namespace: "ns", strict: true },
      { type: "foreign", path: "tools[3].tools[1]" },
      { type: "web_search", settings: { search_context_size: "low" }, maxCalls: 3 },
      { type: "foreign", path: "tools[5]" },
    ]);
  });

  test("those that stand among the input count as well", () => {
    const holder = { type: "additional_tools", role: "developer", tools: [f, { type: "mcp" }] };
    const { items, tools } = read({ input: [holder, { role: "user", content: "x" }] });
    expect(items).toHaveLength(1);
    expect(tools).toMatchObject([{ name: "f" }, { type: "foreign", path: "input[0].tools[1]" }]);
  });

  test.each<[unknown, Conversation["toolChoice"]]>([
    ["auto", { mode: "auto" }],
    ["required", { mode: "required" }],
    [{ type: "none" }, { mode: "none" }],
    [
      { type: "function", name: "f" },
      { mode: "tool", name: "f" },
    ],
    [
      { type: "custom", name: "patch" },
      { mode: "tool", name: "patch" },
    ],
    [
      { type: "tool", name: "f" },
      { mode: "tool", name: "f" },
    ],
    [{ type: "web_search_preview" }, { mode: "tool", name: "web_search" }],
    [
      {
        type: "allowed_tools",
        mode: "required",
        tools: [
          { type: "function", name: "f" },
          { type: "namespace", name: "ns" },
          { type: "web_search" },
        ],
      },
      { mode: "allowed", names: ["f", "ns__g", "web_search"], required: true },
    ],
  ])("the choice %p is understood", (tool_choice, expected) => {
    const group = { type: "namespace", name: "ns", tools: [{ ...f, name: "g" }] };
    const tools = [f, { type: "custom", name: "patch" }, group, { type: "web_search" }];
    const { toolChoice, lost } = read({ tools, tool_choice });
    expect([toolChoice, lost]).toEqual([expected, []]);
  });

  test("a choice of a tool that only some vendors run is lost by name", () => {
    const tool_choice = { type: "mcp", server_label: "x" };
    const { toolChoice, lost } = read({ tools: [f, { type: "mcp" }], tool_choice });
    expect([toolChoice, lost]).toEqual([undefined, ["tool_choice"]]);
  });
});

describe("the settings of a Responses request", () => {
  test("have their places", () => {
    const schema = { type: "object" };
    const body = {
      max_output_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 1,
      frequency_penalty: -1,
      top_logprobs: 2,
      parallel_tool_calls: false,
      text: { format: { type: "json_schema", name: "n", schema, strict: true }, verbosity: "low" },
      reasoning: { effort: "high", summary: "auto" },
      user: "u",
      safety_identifier: "s",
      prompt_cache_key: "k",
      stream: true,
    };
    expect(read(body)).toMatchObject({
      maxOutput: 99,
      temperature: 0.5,
      topP: 0.9,
      presencePenalty: 1,
      frequencyPenalty: -1,
      topLogprobs: 2,
      parallelToolCalls: false,
      format: { type: "json_schema", name: "n", schema, strict: true },
      verbosity: "low",
      effort: "high",
      summary: "auto",
      user: "s",
      cacheKey: "k",
      stream: true,
      choices: 1,
      lost: [],
    });
  });

  test("log probabilities are wanted by either word", () => {
    expect(read({}).topLogprobs).toBeUndefined();
    expect(read({ top_logprobs: 0 }).topLogprobs).toBeUndefined();
    expect(read({ include: ["message.output_text.logprobs"] }).topLogprobs).toBe(0);
  });

  test("plain text is no format, and an empty one neither", () => {
    expect(read({ text: { format: { type: "text" } } }).format).toBeUndefined();
    expect(read({ text: {} }).format).toBeUndefined();
    expect(read({ text: { format: { type: "json_object" } } }).format).toEqual({
      type: "json_object",
    });
  });

  test("what keeps or describes is silent, what has no place is named, nulls are nothing", () => {
    const { lost } = read({
      metadata: { a: "b" },
      store: false,
      include: ["reasoning.encrypted_content", "file_search_call.results"],
      truncation: "auto",
      client_metadata: {},
      stream: true,
      stream_options: {},
      moderation: null,
      prompt_cache_options: { mode: "explicit" },
      reasoning: { effort: null, mode: "pro" },
      text: { odd: 1 },
      service_tier: "flex",
    });
    const named = ["prompt_cache_options", "text.odd", "reasoning.mode", "service_tier"];
    expect(lost).toEqual([...named, "truncation"]);
  });

  test("whatever passes the check can be read", () => {
    const names = ["input", "tools", "tool_choice", "text", "reasoning", "include", "stream"];
    const piece = fc.jsonValue() as fc.Arbitrary<JsonObject>;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), piece), (members) => {
        try {
          expect(read(members).choices).toBe(1);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: count(80, 300) },
    );
  });
});
