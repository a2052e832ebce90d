import { describe, expect, test } from "bun:test";
import { readConfig } from "../../../config/config.ts";
import { seal } from "../../envelope.ts";
import { messagesWire } from "../wire.ts";

const wire = messagesWire(readConfig({}).limits);
const BASE = { model: "m-1.0", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };

function read(change: object) {
  const body = { ...BASE, ...change };
  return wire.readConversation(wire.readRequest(body, JSON.stringify(body)));
}

const said = (role: string, ...content: object[]) => ({ messages: [{ role, content }] });
const PNG = { type: "base64", media_type: "image/png", data: "AAAA" };

describe("a messages conversation", () => {
  test("has its settings under the names that all wires share", () => {
    const conversation = read({
      system: [
        { type: "text", text: "a", cache_control: { type: "ephemeral" } },
        { type: "text", text: "b" },
      ],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      stream: true,
      cache_control: { type: "ephemeral" },
      service_tier: "auto",
    });
    expect(conversation).toMatchObject({
      instructions: "a\n\nb",
      items: [{ type: "message", role: "user", parts: [{ type: "text", text: "hi" }] }],
      maxOutput: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      stop: ["END"],
      user: "u1",
      choices: 1,
      stream: true,
      lost: [],
    });
  });

  test("names what has no place", () => {
    const { lost } = read({
      context_management: { edits: [] },
      speed: "fast",
      output_config: { task_budget: { type: "tokens", total: 5 } },
      tools: [{ name: "f", input_schema: {}, input_examples: [{}] }],
      ...said("user", { type: "text", text: "x" }, { type: "hologram" }),
    });
    expect(lost.toSorted()).toEqual([
      "context_management",
      "messages[0].content[1]",
      "output_config.task_budget",
      "speed",
      "tools[0].input_examples",
    ]);
  });

  test("reads pictures, documents and found sources", () => {
    const { items } = read(
      said(
        "user",
        { type: "image", source: PNG },
        { type: "image", source: { type: "url", url: "https://a.test/x.png" } },
        {
          type: "document",
          title: "Plan",
          context: "from May",
          source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
        },
        { type: "document", source: { type: "text", media_type: "text/plain", data: "né" } },
        {
          type: "search_result",
          source: "https://b.test",
          title: "B",
          content: [{ type: "text", text: "facts" }],
        },
      ),
    );
    expect(items).toEqual([
      {
        type: "message",
        role: "user",
        parts: [
          { type: "image", url: "data:image/png;base64,AAAA" },
          { type: "image", url: "https://a.test/x.png" },
          { type: "text", text: "from May" },
          { type: "file", name: "Plan", url: "data:application/pdf;base64,JVBE" },
          { type: "file", name: "document.txt", url: "data:text/plain;base64,bsOp" },
          { type: "text", text: "B\nhttps://b.test\nfacts" },
        ],
      },
    ]);
  });

  test("reads calls and their results, in order", () => {
    const { items } = read({
      messages: [
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "t1", name: "f", input: { a: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t1",
              content: [{ type: "image", source: PNG }],
              is_error: true,
            },
            { type: "text", text: "and?" },
          ],
        },
      ],
    });
    expect(items.slice(1)).toEqual([
      { type: "message", role: "assistant", parts: [{ type: "text", text: "I look." }] },
      { type: "call", callId: "t1", name: "f", custom: false, arguments: '{"a":1}' },
      {
        type: "result",
        callId: "t1",
        custom: false,
        parts: [{ type: "image", url: "data:image/png;base64,AAAA" }],
        failed: true,
      },
      { type: "message", role: "user", parts: [{ type: "text", text: "and?" }] },
    ]);
  });

  test("reads searches with their queries, and sources of a text", () => {
    const { items } = read(
      said(
        "assistant",
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "dams" } },
        { type: "web_search_tool_result", tool_use_id: "s1", content: [{ url: "https://a.test" }] },
        {
          type: "text",
          text: "305 m",
          citations: [{ type: "web_search_result_location", url: "https://a.test", title: null }],
        },
      ),
    );
    const sources = [{ type: "url", url: "https://a.test" }];
    expect(items).toEqual([
      {
        type: "search",
        id: "s1",
        status: "completed",
        action: { type: "search", query: "dams", sources },
      },
      {
        type: "message",
        role: "assistant",
        parts: [
          {
            type: "text",
            text: "305 m",
            annotations: [
              {
                type: "url_citation",
                url: "https://a.test",
                title: "",
                start_index: 0,
                end_index: 5,
              },
            ],
          },
        ],
      },
    ]);
  });

  test("carries signatures: envelopes as they are, the wire's own in one", () => {
    const foreign = seal("gemini", { signature: "g" });
    const { items } = read(
      said(
        "assistant",
        { type: "thinking", thinking: "a", signature: foreign },
        { type: "thinking", thinking: "b", signature: "native" },
        { type: "thinking", thinking: "c", signature: "" },
        { type: "redacted_thinking", data: "d" },
      ),
    );
    expect(items).toEqual([
      { type: "reasoning", summary: ["a"], sealed: foreign },
      {
        type: "reasoning",
        summary: ["b"],
        sealed: seal("messages", { thinking: "b", signature: "native" }),
      },
      { type: "reasoning", summary: ["c"] },
      { type: "reasoning", summary: [], sealed: seal("messages", { data: "d" }) },
    ]);
  });
});

describe("the tools of a messages conversation", () => {
  test("are functions, searches, or known by their place only", () => {
    const { tools } = read({
      tools: [
        { name: "f", description: "d", input_schema: { type: "object" }, strict: true },
        {
          type: "web_search_20250305",
          name: "web_search",
          max_uses: 3,
          allowed_domains: ["a.test"],
          user_location: { type: "approximate", country: "AT" },
        },
        { type: "bash_20250124", name: "bash" },
      ],
    });
    expect(tools).toEqual([
      {
        type: "function",
        name: "f",
        description: "d",
        parameters: { type: "object" },
        strict: true,
      },
      {
        type: "web_search",
        maxCalls: 3,
        settings: {
          filters: { allowed_domains: ["a.test"] },
          user_location: { type: "approximate", country: "AT" },
        },
      },
      { type: "foreign", path: "tools[2]" },
    ]);
  });

  test.each([
    [{ type: "auto" }, { mode: "auto" }, undefined],
    [{ type: "any", disable_parallel_tool_use: true }, { mode: "required" }, false],
    [{ type: "tool", name: "f" }, { mode: "tool", name: "f" }, undefined],
    [{ type: "none" }, { mode: "none" }, undefined],
  ])("are chosen by %p", (tool_choice, toolChoice, parallelToolCalls) => {
    const tools = [{ name: "f", input_schema: { type: "object" } }];
    const conversation = read({ tools, tool_choice });
    expect(conversation.toolChoice).toEqual(toolChoice as never);
    expect(conversation.parallelToolCalls).toBe(parallelToolCalls);
  });
});

test.each([
  [{}, {}],
  [{ thinking: { type: "disabled" } }, { effort: "none", thinkingBudget: 0 }],
  [
    { thinking: { type: "enabled", budget_tokens: 2000 } },
    { thinkingBudget: 2000, summary: "auto" },
  ],
  [
    { thinking: { type: "adaptive", display: "omitted" }, output_config: { effort: "xhigh" } },
    { effort: "xhigh", thinkingBudget: -1 },
  ],
])("thinking as %p is %p", (asked, expected) => {
  const { effort, thinkingBudget, summary } = read(asked);
  expect({ effort, thinkingBudget, summary }).toEqual({
    effort: undefined,
    thinkingBudget: undefined,
    summary: undefined,
    ...expected,
  } as never);
});

test("a format is strict only where other wires would take it as such", () => {
  const open = { type: "object", properties: { a: { type: "string" } } };
  const closed = { ...open, required: ["a"], additionalProperties: false };
  const format = (schema: object) =>
    read({ output_config: { format: { type: "json_schema", schema } } }).format;
  expect(format(open)).toEqual({
    type: "json_schema",
    name: "output",
    schema: open,
    strict: false,
  });
  expect(format(closed)).toMatchObject({ strict: true });
});
