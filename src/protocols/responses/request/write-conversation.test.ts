import { describe, expect, test } from "bun:test";
import { countedList } from "../../../../test/support/counted-list.ts";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Conversation, Item, Part, Tool } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { responsesWire } from "../wire.ts";

const wire = responsesWire(readConfig({}).limits);
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "vendor-name",
  maxOutput: 8_192,
  webSearch: true,
};
const text = (value: string): Part => ({ type: "text", text: value });
const HI: Item = { type: "message", role: "user", parts: [text("hi")] };

function write(members: Partial<Conversation>, options: Partial<UpstreamOptions> = {}) {
  const conversation: Conversation = {
    items: [HI],
    tools: [],
    stop: [],
    choices: 1,
    stream: false,
    lost: [],
    ...members,
  };
  const written = wire.writeConversation(conversation, { ...OPTIONS, ...options });
  return { body: JSON.parse(written.text), dropped: written.dropped };
}

const written = (...items: Item[]) => write({ items }).body.input;

describe("a conversation for a Responses vendor", () => {
  test("says no more than was said, and keeps nothing there", () => {
    expect(write({ instructions: "Be brief.", stream: true })).toEqual({
      body: {
        model: "vendor-name",
        instructions: "Be brief.",
        input: [{ type: "message", role: "user", content: "hi" }],
        store: false,
        stream: true,
      },
      dropped: [],
    });
  });

  test("parts are named by who speaks", () => {
    const image: Part = { type: "image", url: "data:image/png;base64,AA" };
    const file: Part = { type: "file", url: "data:text/csv;base64,AA" };
    const address: Part = { type: "file", url: "https://example.com/a.pdf", name: "a.pdf" };
    const refusal: Part = { type: "refusal", text: "no" };
    const parts = [text("a"), image, file, address];
    expect(
      written(
        { type: "message", role: "user", parts },
        { type: "message", role: "assistant", parts: [text("b"), refusal], phase: "final_answer" },
        { type: "message", role: "developer", parts: [] },
      ),
    ).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: "data:image/png;base64,AA", detail: "auto" },
          { type: "input_file", filename: "file.csv", file_data: "data:text/csv;base64,AA" },
          { type: "input_file", file_url: "https://example.com/a.pdf" },
        ],
      },
      {
        type: "message",
        role: "assistant",
        phase: "final_answer",
        content: [
          { type: "output_text", text: "b", annotations: [] },
          { type: "refusal", refusal: "no" },
        ],
      },
    ]);
  });

  test("an image that a model made cannot be said and is named", () => {
    const parts: Part[] = [{ type: "image", url: "data:image/png;base64,AA" }];
    const { body, dropped } = write({ items: [{ type: "message", role: "assistant", parts }, HI] });
    expect(body.input).toHaveLength(1);
    expect(dropped).toEqual(["image of the assistant"]);
  });

  test("calls and results keep their pairs; a result is what its call was", () => {
    const image: Part = { type: "image", url: "https://example.com/a.png", detail: "low" };
    expect(
      written(
        { type: "call", callId: "c1", name: "f", custom: false, arguments: "" },
        { type: "call", callId: "c2", name: "p", namespace: "ns", custom: true, arguments: "x" },
        { type: "result", callId: "c1", custom: false, parts: [text("a"), image] },
        { type: "result", callId: "c2", custom: false, parts: [text("b")] },
      ),
    ).toEqual([
      { type: "function_call", call_id: "c1", name: "f", arguments: "{}" },
      { type: "custom_tool_call", call_id: "c2", name: "p", input: "x", namespace: "ns" },
      {
        type: "function_call_output",
        call_id: "c1",
        output: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: "https://example.com/a.png", detail: "low" },
        ],
      },
      { type: "custom_tool_call_output", call_id: "c2", output: "b" },
    ]);
  });

  test("reasoning goes back only to where it came from", () => {
    const sealed = seal("responses", { id: "rs_1", encrypted_content: "gAA" });
    const own: Item = { type: "reasoning", summary: ["hm"], sealed };
    const other: Item = { ...own, sealed: seal("messages", { signature: "s" }) };
    const { body, dropped } = write({ items: [own, other, { type: "reasoning", summary: ["x"] }] });
    expect(body.input).toEqual([
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "gAA",
      },
    ]);
    expect(dropped).toEqual(["reasoning"]);
    expect(write({ items: [{ type: "reasoning", summary: [] }] }).dropped).toEqual([]);
  });

  test.each([
    [{ maxOutput: 5 }, {}, 16],
    [{ maxOutput: 500 }, {}, 500],
    [{ maxOutput: 500_000 }, {}, 8_192],
    [{ maxOutput: 500 }, { outputClamp: 100 }, 100],
    [{}, { outputClamp: 3 }, 16],
    [{}, {}, undefined],
  ])("of %p with %p the maximum is %p", (members, options, sent) => {
    expect(write(members, options).body.max_output_tokens).toBe(sent);
  });

  test.each([
    [{ thinkingBudget: 0 }, "none"],
    [{ thinkingBudget: 1_024 }, "low"],
    [{ thinkingBudget: 8_192 }, "medium"],
    [{ thinkingBudget: 8_193 }, "high"],
    [{ thinkingBudget: -1 }, undefined],
    [{ thinkingBudget: 9_999, effort: "minimal" }, "minimal"],
  ])("%p is an effort of %p", (members, effort) => {
    expect(write(members).body.reasoning?.effort).toBe(effort);
  });

  test("reasoning is asked for in a form that can be sent again", () => {
    const include = (members: Partial<Conversation>, keepReasoning = false) =>
      write(members, { keepReasoning }).body.include;
    expect(include({ effort: "low" })).toEqual(["reasoning.encrypted_content"]);
    expect(include({ summary: "auto" })).toEqual(["reasoning.encrypted_content"]);
    expect(include({}, true)).toEqual(["reasoning.encrypted_content"]);
    expect(include({ effort: "none" })).toBeUndefined();
    expect(include({ topLogprobs: 2 })).toEqual(["message.output_text.logprobs"]);
  });

  test.each([
    [{ effort: "none" }, []],
    [{ thinkingBudget: 0 }, []],
    [{ effort: "high", summary: "auto" as const }, ["reasoning"]],
  ])("a model that never thinks is not told how much: %p", (members, named) => {
    const { body, dropped } = write(members, { rules: ["never_thinks"] });
    expect([body.reasoning, body.include, dropped]).toEqual([undefined, undefined, named]);
  });

  test("an effort that the model does not have becomes the nearest, by name", () => {
    const rules: UpstreamOptions["rules"] = ["no_effort_none", "no_effort_max"];
    const { body, dropped } = write({ effort: "max" }, { rules });
    expect([body.reasoning, dropped]).toEqual([{ effort: "xhigh" }, ["reasoning_effort"]]);
    const least = write({ thinkingBudget: 0 }, { rules });
    expect([least.body.reasoning, least.dropped]).toEqual([
      ...[{ effort: "minimal" }, ["reasoning_effort"]],
    ]);
  });

  test("settings have their words", () => {
    const schema = { type: "object" };
    const { body, dropped } = write({
      temperature: 0.2,
      topP: 0.5,
      topLogprobs: 3,
      verbosity: "low",
      summary: "detailed",
      format: { type: "json_schema", name: "n", schema, strict: true },
      user: "u".repeat(200),
      cacheKey: "k",
    });
    expect(body).toMatchObject({
      temperature: 0.2,
      top_p: 0.5,
      top_logprobs: 3,
      text: { format: { type: "json_schema", name: "n", schema, strict: true }, verbosity: "low" },
      reasoning: { summary: "detailed" },
      prompt_cache_key: "k",
    });
    expect(body.user).toMatch(/^[0-9a-f]{64}$/);
    expect(dropped).toEqual([]);
  });

  test("what the wire or the model does not take is left out by name", () => {
    const asked = { seed: 1, topK: 5, presencePenalty: 1, frequencyPenalty: 0, temperature: 1 };
    const { body, dropped } = write(asked, { rules: ["no_sampling"] });
    expect(dropped).toEqual(["seed", "top_k", "presence_penalty", "temperature"]);
    expect(Object.keys(body)).toEqual(["model", "input", "store", "stream"]);
  });

  test.each([
    [{ stop: ["x"] }, "stop"],
    [{ choices: 2 }, "n"],
  ])("%p is refused, since leaving it out would change the answer", (members, param) => {
    try {
      write(members);
      expect.unreachable();
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown;
      expect([thrown.status, thrown.code, thrown.param]).toEqual([
        400,
        "unsupported_parameter",
        param,
      ]);
    }
  });
});

describe("tools for a Responses vendor", () => {
  const tools: Conversation["tools"] = [
    { type: "function", name: "f", description: "d" },
    { type: "function", name: "g", namespace: "ns", parameters: { type: "object" }, strict: true },
    { type: "custom", name: "p", format: { type: "grammar" } },
    { type: "custom", name: "h", namespace: "ns" },
    { type: "web_search", settings: { search_context_size: "low" }, maxCalls: 2 },
    { type: "foreign", path: "tools[5]" },
  ];

  test("are flat, grouped again, and say whether they are strict", () => {
    const { body, dropped } = write({ tools, parallelToolCalls: false });
    expect(body.tools).toEqual([
      {
        type: "function",
        name: "f",
        description: "d",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
      {
        type: "namespace",
        name: "ns",
        description: "ns",
        tools: [
          { type: "function", name: "g", parameters: { type: "object" }, strict: true },
          { type: "custom", name: "h" },
        ],
      },
      { type: "custom", name: "p", format: { type: "grammar" } },
      { type: "web_search", search_context_size: "low" },
    ]);
    expect([body.max_tool_calls, body.parallel_tool_calls]).toEqual([2, false]);
    expect(dropped).toEqual(["tools[5]"]);
    const many: Conversation["tools"] = [{ type: "web_search", settings: {}, maxCalls: 10 }];
    expect(write({ tools: many }).dropped).toEqual([]);
  });

  test.each<[Conversation["toolChoice"], unknown]>([
    [{ mode: "required" }, "required"],
    [
      { mode: "tool", name: "f" },
      { type: "function", name: "f" },
    ],
    [
      { mode: "tool", name: "p" },
      { type: "custom", name: "p" },
    ],
    [
      { mode: "tool", name: "g", namespace: "ns" },
      { type: "function", name: "g", namespace: "ns" },
    ],
    [{ mode: "tool", name: "web_search" }, { type: "web_search" }],
    [
      { mode: "allowed", names: ["f", "web_search"], required: true },
      {
        type: "allowed_tools",
        mode: "required",
        tools: [{ type: "function", name: "f" }, { type: "web_search" }],
      },
    ],
  ])("the choice %p has its word", (toolChoice, sent) => {
    expect(write({ tools, toolChoice }).body.tool_choice).toEqual(sent);
  });

  test("a search that the vendor does not run is left out, with what names it", () => {
    const toolChoice = { mode: "tool", name: "web_search" } as const;
    const { body, dropped } = write({ tools, toolChoice }, { webSearch: false });
    expect(JSON.stringify(body)).not.toContain("web_search");
    expect(body).not.toHaveProperty("max_tool_calls");
    expect(dropped).toEqual(["web_search", "tools[5]", "tool_choice"]);
    const allowed = { mode: "allowed", names: ["web_search"], required: false } as const;
    const only = write({ tools, toolChoice: allowed }, { webSearch: false });
    expect(only.body.tool_choice).toBe("none");
  });

  test("names that may be called again and again have each tool looked at but once", () => {
    const functions = Array.from({ length: 1_000 }, (_, i) => ({
      type: "function" as const,
      name: `f${i}`,
    }));
    const { list: tools, looks } = countedList<Tool>(functions);
    const names = functions.map(() => "web_search");
    const toolChoice = { mode: "allowed", names, required: false } as const;
    expect(write({ tools, toolChoice }).body.tool_choice.tools).toHaveLength(names.length);
    expect(looks()).toBeLessThan(20 * functions.length);
  });

  test("nothing about tools is said where none is left", () => {
    const search = tools.filter(({ type }) => type === "web_search");
    const asked = { tools: search, toolChoice: { mode: "auto" }, parallelToolCalls: true } as const;
    const { body } = write(asked, { webSearch: false });
    expect(Object.keys(body)).toEqual(["model", "input", "store", "stream"]);
  });
});
