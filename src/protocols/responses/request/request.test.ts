import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { ANYTHING } from "../../unpriced.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { responsesWire } from "../wire.ts";

const wire = responsesWire(readConfig({}).limits);
const BASE = { model: "m-1.0", input: "hi" };
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "vendor-name",
  maxOutput: 8_192,
  webSearch: true,
};

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

const part = (content: unknown) => ({ input: [{ role: "user", content: [content] }] });

describe("reading a Responses request", () => {
  test.each([
    ["no model", { model: null }, "missing_required_parameter", "model"],
    ["no input", { input: undefined }, "missing_required_parameter", "input"],
    ["an empty input", { input: [] }, "empty_array", "input"],
    ["an input of no kind", { input: 5 }, "invalid_type", "input"],
    ["an item that is a text", { input: ["hi"] }, "invalid_type", "input[0]"],
    [
      "a message without role",
      { input: [{ content: "x" }] },
      "missing_required_parameter",
      "input[0].role",
    ],
    ["a wrong role", { input: [{ role: "tool", content: "x" }] }, "invalid_value", "input[0].role"],
    ["a role of no kind", { input: [{ role: 5, content: "x" }] }, "invalid_type", "input[0].role"],
    ["no content", { input: [{ role: "user" }] }, "missing_required_parameter", "input[0].content"],
    [
      "content of no kind",
      { input: [{ role: "user", content: {} }] },
      "invalid_type",
      "input[0].content",
    ],
    [
      "a part without type",
      part({ text: "x" }),
      "missing_required_parameter",
      "input[0].content[0].type",
    ],
    ["audio", part({ type: "input_audio" }), "unsupported_parameter", "input[0].content[0]"],
    [
      "a vendor's file",
      part({ type: "input_file", file_id: "file-1" }),
      "unsupported_parameter",
      "input[0].content[0].file_id",
    ],
    ["temperature above", { temperature: 2.5 }, "decimal_above_max_value", "temperature"],
    ["temperature below", { temperature: -1 }, "decimal_below_min_value", "temperature"],
    ["top_p above", { top_p: 1.01 }, "decimal_above_max_value", "top_p"],
    ["top_p as text", { top_p: "1" }, "invalid_type", "top_p"],
    [
      "max_output_tokens zero",
      { max_output_tokens: 0 },
      "integer_below_min_value",
      "max_output_tokens",
    ],
    [
      "max_output_tokens huge",
      { max_output_tokens: 1e12 },
      "integer_above_max_value",
      "max_output_tokens",
    ],
    ["max_output_tokens broken", { max_output_tokens: 1.5 }, "invalid_type", "max_output_tokens"],
    ["max_tool_calls zero", { max_tool_calls: 0 }, "integer_below_min_value", "max_tool_calls"],
    ["stream as a number", { stream: 1 }, "invalid_type", "stream"],
    ["background", { background: true }, "unsupported_parameter", "background"],
    ["a conversation", { conversation: "conv_1" }, "unsupported_parameter", "conversation"],
    ["a prompt template", { prompt: { id: "p" } }, "unsupported_parameter", "prompt"],
    ["tools as an object", { tools: {} }, "invalid_type", "tools"],
    [
      "a tool without type",
      { tools: [{ name: "f" }] },
      "missing_required_parameter",
      "tools[0].type",
    ],
    [
      "a function without name",
      { tools: [{ type: "function" }] },
      "missing_required_parameter",
      "tools[0].name",
    ],
    ["instructions of no kind", { instructions: 5 }, "invalid_type", "instructions"],
    ["store of no kind", { store: "no" }, "invalid_type", "store"],
    ["metadata of no kind", { metadata: { a: 5 } }, "invalid_type", "metadata.a"],
    ["include of no kind", { include: "x" }, "invalid_type", "include"],
    [
      "a previous response of no kind",
      { previous_response_id: 5 },
      "invalid_type",
      "previous_response_id",
    ],
  ])("refuses %s", (_name, change, code, param) => {
    expect(refusal({ ...BASE, ...change })).toEqual({ status: 400, code, param });
  });

  test.each([
    ["what Codex sends", { client_metadata: {}, store: false, include: [], tool_choice: "auto" }],
    ["empty settings", { tools: [], text: {}, include: [], reasoning: {}, metadata: {} }],
    [
      "nulls",
      { temperature: null, instructions: null, tools: null, metadata: null, background: null },
    ],
    ["messages without type", { input: [{ role: "developer", content: "x" }] }],
    ["a null content", { input: [{ role: "assistant", content: null }] }],
    ["reasoning with null content", { input: [{ type: "reasoning", summary: [], content: null }] }],
    ["a reference", { input: [{ type: "item_reference", id: "msg_1" }] }],
    ["a bare reference", { input: [{ id: "msg_1" }] }],
    ["a vendor's own items", { input: [{ type: "acme:thing" }], tools: [{ type: "new_tool" }] }],
    [
      "the choice of a tool in a group",
      {
        tools: [{ type: "namespace", name: "ns", tools: [{ type: "function", name: "g" }] }],
        tool_choice: { type: "function", name: "g", namespace: "ns" },
      },
    ],
    [
      "the choice of a tool among the input",
      {
        input: [{ type: "additional_tools", role: "developer", tools: [{ type: "mcp" }] }],
        tool_choice: { type: "mcp", server_label: "x" },
      },
    ],
    [
      "a choice whose tools what went before may have declared",
      { previous_response_id: "resp_1", tool_choice: "required" },
    ],
    ["a single token", { max_output_tokens: 1 }],
    ["background off", { background: false }],
  ])("accepts %s", (_name, change) => {
    expect(read({ ...BASE, ...change }).model).toBe("m-1.0");
  });

  test("knows whether searches may be billed", () => {
    expect(read({ ...BASE, tools: [{ type: "web_search_preview" }] }).webSearch).toBe(true);
    expect(read({ ...BASE, tools: [{ type: "function", name: "web_search" }] }).webSearch).toBe(
      false,
    );
  });

  test("never breaks in any other way than with a fault", () => {
    const field = fc.constantFrom(
      ...[
        "input",
        "tools",
        "temperature",
        "stream",
        "metadata",
        "store",
        "max_output_tokens",
        "include",
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
      { numRuns: count(100, 500) },
    );
  });
});

describe("writing a Responses request", () => {
  const write = (body: object, options: Partial<UpstreamOptions> = {}) => {
    const written = wire.writeRequest(read(body), { ...OPTIONS, ...options });
    return { body: JSON.parse(written.text), dropped: written.dropped };
  };

  test("sends the vendor's model and keeps nothing there", () => {
    const { body } = write({
      ...BASE,
      store: true,
      previous_response_id: "resp_1",
      background: false,
    });
    expect(body).toEqual({ model: "vendor-name", input: "hi", store: false });
  });

  test("keeps unknown fields and number forms to the byte", () => {
    const text = '{"model":"m-1.0","input":"h\\u0069","x":1.50,"big":12345678901234567890}';
    const request = wire.readRequest(JSON.parse(text), text);
    expect(wire.writeRequest(request, { ...OPTIONS, model: "v", allows: ANYTHING }).text).toBe(
      '{"model":"v","input":"h\\u0069","x":1.50,"big":12345678901234567890,"store":false}',
    );
  });

  test("leaves out tools that nothing here prices, and names them", () => {
    const tools = [
      { type: "function", name: "f", parameters: null },
      { type: "code_interpreter", container: { type: "auto" } },
      { type: "file_search", vector_store_ids: ["vs_1"] },
      { type: "web_search" },
    ];
    const { body, dropped } = write({ ...BASE, tools, tool_choice: "auto" });
    expect(body.tools).toEqual([tools[0], tools[3]]);
    expect(body.tool_choice).toBe("auto");
    expect(dropped).toEqual(["tools[1]", "tools[2]"]);
  });

  test("drops the choice of tools where no tool is left", () => {
    const { body } = write({
      ...BASE,
      tools: [{ type: "mcp", server_label: "x" }],
      tool_choice: "required",
      parallel_tool_calls: false,
    });
    expect(body).toEqual({ model: "vendor-name", input: "hi", store: false });
  });

  test("strips the service tier and says so where it was dearer", () => {
    expect(write({ ...BASE, service_tier: "priority" }).dropped).toEqual(["service_tier"]);
    expect(write({ ...BASE, service_tier: "default" }).dropped).toEqual([]);
    expect(write({ ...BASE, service_tier: "flex" }).body).not.toHaveProperty("service_tier");
  });

  test("asks for sealed reasoning where the answer will be kept", () => {
    const sealed = "reasoning.encrypted_content";
    expect(write(BASE, { keepReasoning: true }).body.include).toEqual([sealed]);
    const include = ["message.output_text.logprobs"];
    expect(write({ ...BASE, include }, { keepReasoning: true }).body.include).toEqual([
      ...include,
      sealed,
    ]);
    expect(write({ ...BASE, include: [sealed] }, { keepReasoning: true }).body.include).toEqual([
      sealed,
    ]);
    expect(write(BASE).body).not.toHaveProperty("include");
  });

  test.each([
    [{}, 50],
    [{ max_output_tokens: 80 }, 50],
    [{ max_output_tokens: 20 }, 20],
    [{ max_output_tokens: null }, 50],
  ])("with %p at most %p tokens are asked for", (asked, sent) => {
    expect(write({ ...BASE, ...asked }, { outputClamp: 50 }).body.max_output_tokens).toBe(sent);
  });

  test("never forwards a file of a vendor's account, also not from a tool's answer", () => {
    const output = [{ type: "input_file", file_id: "file-of-someone-else" }];
    const input = [{ type: "function_call_output", call_id: "c", output }];
    let sent = "";
    try {
      sent = JSON.stringify(write({ ...BASE, input }).body);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Fault);
    }
    expect(sent).not.toContain("file-of-someone-else");
  });

  test("lets no unpriced tool in by way of an input item", () => {
    const tools = [{ type: "code_interpreter", container: { type: "auto" } }];
    const input = [
      { type: "additional_tools", role: "developer", tools },
      { role: "user", content: "x" },
    ];
    let sent = "";
    try {
      sent = JSON.stringify(write({ ...BASE, input }).body);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(Fault);
    }
    expect(sent).not.toContain("code_interpreter");
  });

  test("leaves out what a model refuses, and names it", () => {
    const asked = { ...BASE, temperature: 0.5, top_p: null, user: "u" };
    const { body, dropped } = write(asked, { rules: ["no_sampling"] });
    expect(body).toEqual({ ...BASE, model: "vendor-name", user: "u", store: false });
    expect(dropped).toEqual(["temperature"]);
    expect(write(asked).body.temperature).toBe(0.5);
  });

  test("leaves out searches where the vendor runs none, wherever they are declared", () => {
    const search = { type: "web_search_preview" };
    const named = { type: "function", name: "f" };
    const input = [
      { type: "additional_tools", role: "developer", tools: [search, named] },
      { role: "user", content: "x" },
    ];
    const { body, dropped } = write(
      { ...BASE, input, tools: [search, named] },
      { webSearch: false },
    );
    expect(body.tools).toEqual([named]);
    expect(body.input).toEqual([{ ...input[0], tools: [named] }, input[1]]);
    expect(dropped).toEqual(["tools[0]", "input[0].tools"]);
  });

  test.each([
    [{ type: "web_search" }, undefined, ["tool_choice"]],
    [{ type: "required" }, { type: "required" }, []],
    [{ type: "function", name: "f" }, { type: "function", name: "f" }, []],
    [
      { type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] },
      "none",
      ["tool_choice.tools"],
    ],
    [
      {
        type: "allowed_tools",
        tools: [{ type: "web_search" }, { type: "function", name: "f" }],
      },
      { type: "allowed_tools", tools: [{ type: "function", name: "f" }] },
      ["tool_choice.tools"],
    ],
  ])("the choice %p fits what is left of the tools", (tool_choice, sent, dropped) => {
    const tools = [{ type: "web_search" }, { type: "function", name: "f" }];
    const written = write({ ...BASE, tools, tool_choice }, { webSearch: false });
    expect(written.body.tool_choice).toEqual(sent);
    expect(written.dropped).toEqual(["tools[0]", ...dropped]);
    const kept = write({ ...BASE, tools, tool_choice }).body.tool_choice;
    expect(kept).toEqual(tool_choice);
  });
});
