import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { seal } from "../../envelope.ts";
import { ANYTHING } from "../../unpriced.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { messagesWire } from "../wire.ts";
import { readCountRequest } from "./request.ts";

const wire = messagesWire(readConfig({}).limits);
const BASE = { model: "m-1.0", max_tokens: 100, messages: [{ role: "user", content: "hi" }] };
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "vendor-name",
  maxOutput: 64_000,
  webSearch: true,
};

function read(body: unknown) {
  return wire.readRequest(body, JSON.stringify(body));
}

function refusal(act: () => unknown): { code: string; param: string | null; status: number } {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Fault) {
      return { status: thrown.status, code: thrown.code, param: thrown.param };
    }
    throw thrown;
  }
  throw new Error("it was accepted");
}

test("a vendor that may shorten the conversation reads and writes twice", () => {
  const edits = (type: string) => read({ ...BASE, context_management: { edits: [{ type }] } });
  expect(edits("compact_20260112").rounds).toBe(2);
  expect(edits("clear_tool_uses_20250919").rounds).toBe(1);
  for (const context_management of [undefined, null, {}, { edits: [null] }]) {
    expect(read({ ...BASE, context_management }).rounds).toBe(1);
  }
});

const block = (content: unknown) => ({ messages: [{ role: "user", content: [content] }] });
const FILE = { type: "file", file_id: "file_1" };
const PLACE = "messages[0].content[0]";

describe("reading a messages request", () => {
  test.each([
    ["no model", { model: undefined }, "missing_required_parameter", "model"],
    ["no messages", { messages: undefined }, "missing_required_parameter", "messages"],
    [
      "a search that may not be made",
      { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 0 }] },
      "integer_below_min_value",
      "tools[0].max_uses",
    ],
    ["empty messages", { messages: [] }, "empty_array", "messages"],
    ["a message that is a text", { messages: ["x"] }, "invalid_type", "messages[0]"],
    [
      "a wrong role",
      { messages: [{ role: "tool", content: "" }] },
      "invalid_value",
      "messages[0].role",
    ],
    ["no role", { messages: [{ content: "x" }] }, "missing_required_parameter", "messages[0].role"],
    [
      "no content",
      { messages: [{ role: "user" }] },
      "missing_required_parameter",
      "messages[0].content",
    ],
    ["a block without type", block({}), "missing_required_parameter", `${PLACE}.type`],
    ["a text without text", block({ type: "text" }), "missing_required_parameter", `${PLACE}.text`],
    [
      "an image of a vendor's account",
      block({ type: "image", source: FILE }),
      "unsupported_parameter",
      `${PLACE}.source.file_id`,
    ],
    [
      "a document of a vendor's account",
      block({ type: "document", source: FILE }),
      "unsupported_parameter",
      `${PLACE}.source.file_id`,
    ],
    [
      "a vendor's file in what a tool returned",
      block({ type: "tool_result", tool_use_id: "t", content: [{ type: "image", source: FILE }] }),
      "unsupported_parameter",
      `${PLACE}.content[0].source.file_id`,
    ],
    [
      "an upload to a container",
      block({ type: "container_upload", file_id: "f" }),
      "unsupported_parameter",
      PLACE,
    ],
    [
      "a result without call",
      block({ type: "tool_result" }),
      "missing_required_parameter",
      `${PLACE}.tool_use_id`,
    ],
    ["no maximum", { max_tokens: undefined }, "missing_required_parameter", "max_tokens"],
    ["a maximum of zero", { max_tokens: 0 }, "integer_below_min_value", "max_tokens"],
    ["a maximum beyond all", { max_tokens: 1e9 }, "integer_above_max_value", "max_tokens"],
    ["temperature above", { temperature: 1.1 }, "decimal_above_max_value", "temperature"],
    ["top_p below", { top_p: -1 }, "decimal_below_min_value", "top_p"],
    ["top_k broken", { top_k: 1.5 }, "invalid_type", "top_k"],
    ["a stop sequence of no text", { stop_sequences: [1] }, "invalid_type", "stop_sequences[0]"],
    ["stream as text", { stream: "yes" }, "invalid_type", "stream"],
    [
      "a tool without name",
      { tools: [{ input_schema: {} }] },
      "missing_required_parameter",
      "tools[0].name",
    ],
    [
      "a tool without schema",
      { tools: [{ name: "f" }] },
      "missing_required_parameter",
      "tools[0].input_schema",
    ],
    [
      "a choice without type",
      { tool_choice: {} },
      "missing_required_parameter",
      "tool_choice.type",
    ],
    [
      "a choice without name",
      { tool_choice: { type: "tool" } },
      "missing_required_parameter",
      "tool_choice.name",
    ],
    [
      "thinking without budget",
      { thinking: { type: "enabled" } },
      "invalid_type",
      "thinking.budget_tokens",
    ],
    ["a container", { container: "c_1" }, "unsupported_parameter", "container"],
    ["servers of tools", { mcp_servers: [{}] }, "unsupported_parameter", "mcp_servers"],
    ["a thread", { thread: { id: "t" } }, "unsupported_parameter", "thread"],
    ["a place of computing", { inference_geo: "us" }, "unsupported_parameter", "inference_geo"],
    ["a system of no kind", { system: 5 }, "invalid_type", "system"],
  ])("refuses %s", (_name, change, code, param) => {
    expect(refusal(() => read({ ...BASE, ...change }))).toEqual({ status: 400, code, param });
  });

  test.each([
    [
      "tools that clients run",
      { tools: [{ type: "bash_20250124", name: "bash" }, { type: "computer_toolset_20260801" }] },
    ],
    [
      "blocks of the system",
      { system: [{ type: "text", text: "x", cache_control: { type: "ephemeral" } }] },
    ],
    ["a system message", { messages: [...BASE.messages, { role: "system", content: "x" }] }],
    ["nulls and unknown members", { temperature: null, tools: null, whatever: 1, mcp_servers: [] }],
    [
      "blocks with odd types",
      { messages: [{ role: "user", content: [{ type: "__defineGetter__" }] }] },
    ],
  ])("accepts %s", (_name, change) => {
    expect(read({ ...BASE, ...change }).maxOutput).toBe(100);
  });

  test("knows whether a search may be billed", () => {
    expect(read(BASE).webSearch).toBe(false);
    const tools = [{ type: "web_search_20250305", name: "web_search" }];
    expect(read({ ...BASE, tools }).webSearch).toBe(true);
  });

  test("counts tokens without a maximum", () => {
    const { max_tokens: _, ...body } = BASE;
    expect(readCountRequest(body, JSON.stringify(body)).maxOutput).toBeUndefined();
    expect(refusal(() => readCountRequest({ model: "m" }, "{}")).param).toBe("messages");
  });

  test("never breaks in any other way than with a fault", () => {
    const field = fc.constantFrom(
      "messages",
      "tools",
      "system",
      "thinking",
      "tool_choice",
      "stream",
    );
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), (changes) => {
        const body = { ...BASE, ...changes };
        try {
          wire.writeConversation(wire.readConversation(read(body)), OPTIONS);
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Fault);
        }
      }),
      { numRuns: count(100, 500) },
    );
  });
});

test("what counts as input holds no picture's bytes and no signature", () => {
  const data = "A".repeat(1_000);
  const messages = [
    {
      role: "user",
      content: [
        { type: "image", source: { type: "base64", media_type: "image/png", data } },
        {
          type: "tool_result",
          tool_use_id: "t",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }],
        },
      ],
    },
    { role: "assistant", content: [{ type: "thinking", thinking: "hm", signature: data }] },
  ];
  const input = JSON.stringify(wire.inputOf(read({ ...BASE, system: "be brief", messages })));
  expect(input).not.toContain(data);
  expect(input).toContain("be brief");
  expect(input.match(/"image_url":"data:image\/"/g)).toHaveLength(2);
});

describe("passing a messages request on", () => {
  const write = (body: object, options: Partial<UpstreamOptions> = {}) => {
    const written = wire.writeRequest(read(body), { ...OPTIONS, ...options });
    return { body: JSON.parse(written.text), dropped: written.dropped };
  };

  test("changes the model and nothing else, to the byte", () => {
    const text =
      '{ "model" : "m-1.0", "max_tokens":5, "messages":[{"role":"user","content":"h\\u0069"}], "x": 1.0, "context_management":{"edits":[]} }';
    const request = wire.readRequest(JSON.parse(text), text);
    expect(wire.writeRequest(request, { ...OPTIONS, allows: ANYTHING }).text).toBe(
      text.replace('"m-1.0"', '"vendor-name"'),
    );
  });

  test("leaves out what has no price and says so", () => {
    const { body, dropped } = write({ ...BASE, speed: "fast", fallbacks: [{ model: "x" }] });
    expect(dropped).toEqual(["fallbacks", "speed"]);
    expect(Object.keys(body)).toEqual(Object.keys(BASE));
    expect(write({ ...BASE, service_tier: "auto", speed: "standard" }).dropped).toEqual([]);
    expect(write({ ...BASE, service_tier: "standard_only" }).body.service_tier).toBe(
      "standard_only",
    );
    expect(write({ ...BASE, service_tier: "priority" }).dropped).toEqual(["service_tier"]);
  });

  test("leaves out tools that a vendor would run, searches only where they have no price", () => {
    const search = { type: "web_search_20250305", name: "web_search" };
    const own = { name: "f", input_schema: { type: "object" } };
    const bash = { type: "bash_20250124", name: "bash" };
    const code = { type: "code_execution_20250825", name: "code_execution" };
    const tools = [search, own, code, bash];
    const priced = write({ ...BASE, tools });
    const limited = { ...search, max_uses: 4 };
    expect([priced.body.tools, priced.dropped]).toEqual([[limited, own, bash], ["tools[2]"]]);
    expect(write({ ...BASE, tools }, { webSearch: false }).body.tools).toEqual([own, bash]);
    const none = write({ ...BASE, tools: [code], tool_choice: { type: "any" } });
    expect(Object.keys(none.body)).toEqual(Object.keys(BASE));
  });

  test("lowers a maximum of searches without calling it dropped", () => {
    const search = { type: "web_search_20250305", name: "web_search" };
    const lowered = write({ ...BASE, tools: [{ ...search, max_uses: 8 }] });
    expect([lowered.body.tools, lowered.dropped]).toEqual([[{ ...search, max_uses: 4 }], []]);
  });

  test("clamps the output, and the thinking inside it", () => {
    const thinking = { type: "enabled", budget_tokens: 4_000 };
    const asked = { ...BASE, max_tokens: 8_000, thinking };
    expect(write(asked, { outputClamp: 9_000 }).body).toMatchObject({
      max_tokens: 8_000,
      thinking,
    });
    const clamped = write(asked, { outputClamp: 2_000 });
    expect(clamped.body.max_tokens).toBe(2_000);
    expect(clamped.body.thinking.budget_tokens).toBe(1_999);
    const small = write(asked, { outputClamp: 500 });
    expect([small.body.thinking, small.dropped]).toEqual([undefined, ["thinking"]]);
  });

  test("opens our envelopes and leaves out what other wires' vendors had sealed", () => {
    const native = { type: "thinking", thinking: "hm", signature: "sig" };
    const content = [
      { type: "thinking", thinking: "shown", signature: seal("messages", { ...native }) },
      { type: "thinking", thinking: "shown", signature: seal("gemini", { signature: "g" }) },
      native,
      { type: "redacted_thinking", data: "d" },
      { type: "server_tool_use", id: "srvtoolu_fgs_1", name: "web_search", input: {} },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_fgs_1", content: [] },
      { type: "text", text: "x", citations: [{ url: "https://a.test", encrypted_index: "" }] },
    ];
    const messages = [...BASE.messages, { role: "assistant", content }];
    const { body, dropped } = write({ ...BASE, messages });
    expect(body.messages[1].content).toEqual([
      native,
      native,
      { type: "redacted_thinking", data: "d" },
      { type: "text", text: "x" },
    ]);
    expect(dropped).toEqual(["reasoning"]);
    const [own, , ...rest] = content;
    const kept = [...BASE.messages, { role: "assistant", content: [own, ...rest] }];
    expect(write({ ...BASE, messages: kept }).dropped).toEqual([]);
  });
});
