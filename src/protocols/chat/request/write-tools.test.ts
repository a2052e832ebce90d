import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import type { Conversation, Item, Tool } from "../../canon.ts";
import type { Dialect, UpstreamOptions } from "../../wire.ts";
import { chatWire } from "../wire.ts";

const wire = chatWire(readConfig({}).limits);
const OPENAI: Dialect = { developerRole: true, customTools: true };
const OPTIONS: UpstreamOptions = { ...UPSTREAM_OPTIONS, model: "vendor-name", dialect: OPENAI };
const BASE: Conversation = {
  items: [{ type: "message", role: "user", parts: [{ type: "text", text: "hi" }] }],
  tools: [],
  stop: [],
  choices: 1,
  stream: false,
  lost: [],
};

function write(conversation: Partial<Conversation>, options: Partial<UpstreamOptions> = {}) {
  const written = wire.writeConversation({ ...BASE, ...conversation }, { ...OPTIONS, ...options });
  return { body: JSON.parse(written.text), dropped: written.dropped };
}

const messages = (items: Item[], dialect: Dialect = OPENAI) =>
  write({ items }, { dialect }).body.messages;
describe("tools", () => {
  const fn: Tool = { type: "function", name: "f", namespace: "box", description: "d" };
  const format = { type: "grammar", syntax: "lark", definition: "start: A" };
  const custom: Tool = { type: "custom", name: "g", description: "e", format };
  const search: Tool = {
    type: "web_search",
    settings: {
      search_context_size: "low",
      user_location: { type: "approximate", country: "CH" },
    },
  };

  test("of functions get a flat name and parameters", () => {
    expect(write({ tools: [fn] }).body.tools).toEqual([
      {
        type: "function",
        function: {
          name: "box__f",
          description: "d",
          parameters: { type: "object", properties: {} },
        },
      },
    ]);
  });

  test("of free text go as they are or as functions of one text", () => {
    const { syntax, definition } = format;
    expect(write({ tools: [custom] }).body.tools[0]).toEqual({
      type: "custom",
      custom: {
        name: "g",
        description: "e",
        format: { type: "grammar", grammar: { syntax, definition } },
      },
    });
    const [wrapped] = write({ tools: [custom] }, { dialect: {} }).body.tools;
    expect(wrapped).toMatchObject({
      type: "function",
      function: { name: "g", parameters: { required: ["input"] } },
    });
    expect(wrapped.function.description).toContain("start: A");
    const item: Item = { type: "call", callId: "c1", name: "g", custom: true, arguments: "free" };
    expect(messages([item])[0].tool_calls[0].custom).toEqual({ name: "g", input: "free" });
    const { arguments: sent } = messages([item], {})[0].tool_calls[0].function;
    expect(JSON.parse(sent)).toEqual({ input: "free" });
  });

  test("that the vendor runs are passed where they have a price", () => {
    const tools = [search, { type: "foreign", path: "tools[1]" } as const];
    const toolChoice = { mode: "required" } as const;
    const { body, dropped } = write({ tools, toolChoice, parallelToolCalls: true });
    expect(Object.keys(body)).toEqual(["model", "messages"]);
    expect(dropped).toEqual(["tools[1]", "tools.web_search"]);
    expect(write({ tools }, { webSearch: true }).body.web_search_options).toEqual({
      search_context_size: "low",
      user_location: { type: "approximate", approximate: { country: "CH" } },
    });
  });

  test.each([
    [{ mode: "required" } as const, "required", "required"],
    [
      { mode: "tool", name: "f", namespace: "box" } as const,
      { type: "function", function: { name: "box__f" } },
      { type: "function", function: { name: "box__f" } },
    ],
    [
      { mode: "tool", name: "g" } as const,
      { type: "custom", custom: { name: "g" } },
      { type: "function", function: { name: "g" } },
    ],
    [{ mode: "tool", name: "gone" } as const, undefined, undefined],
    [
      { mode: "allowed", names: ["g"], required: false } as const,
      {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "custom", custom: { name: "g" } }] },
      },
      "auto",
    ],
  ])("choice %p", (toolChoice, openai, other) => {
    const conversation = { tools: [fn, custom], toolChoice, parallelToolCalls: false };
    const { body } = write(conversation);
    expect(body.tool_choice).toEqual(openai);
    expect(body.parallel_tool_calls).toBe(false);
    expect(write(conversation, { dialect: {} }).body.tool_choice).toEqual(other);
  });

  test("that are not there cannot be chosen, which is told", () => {
    const gone = { mode: "tool", name: "gone" } as const;
    expect(write({ tools: [fn], toolChoice: gone }).dropped).toEqual(["tool_choice"]);
    const searched = { mode: "tool", name: "web_search" } as const;
    const { body, dropped } = write({ tools: [fn, search], toolChoice: searched });
    expect(body).not.toHaveProperty("tool_choice");
    expect(dropped).toEqual(["tools.web_search", "tool_choice"]);
  });

  test("one with the very name that is chosen goes before one of a group", () => {
    const toolChoice = { mode: "tool", name: "f" } as const;
    const alone = { type: "function", name: "f" } as const;
    expect(write({ tools: [fn, alone], toolChoice }).body.tool_choice).toEqual({
      type: "function",
      function: { name: "f" },
    });
  });

  test("that may not be called are not shown to a vendor that cannot be told so", () => {
    const toolChoice = { mode: "allowed", names: ["g"], required: true } as const;
    expect(write({ tools: [fn, custom], toolChoice }, { dialect: {} }).body.tools).toHaveLength(1);
    expect(write({ tools: [fn, custom], toolChoice }).body.tools).toHaveLength(2);
  });
});
