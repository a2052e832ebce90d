import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../test/support/samples/upstream-options.ts";
import { readConfig } from "../config/config.ts";
import { type AllowedFeatures, ANYTHING, NOTHING_MORE } from "./unpriced.ts";
import type { Dialect, PassWire, UpstreamOptions } from "./wire.ts";
import { openWires, type Wires } from "./wires.ts";

const wires = openWires(readConfig({}).limits);
type Name = keyof Wires;

const BASES: Readonly<Record<Name, object>> = {
  chat: { model: "m", messages: [{ role: "user", content: "hi" }] },
  responses: { model: "m", input: "hi" },
  messages: { model: "m", max_tokens: 5, messages: [{ role: "user", content: "hi" }] },
  gemini: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  embeddings: { model: "m", input: "hi" },
};
const NAMES = Object.keys(BASES) as Name[];

function write(
  name: Name,
  more: object,
  allows: AllowedFeatures,
  dialect: Dialect = {},
  webSearch = false,
) {
  const wire: PassWire = wires[name];
  const body = { ...BASES[name], ...more };
  const text = JSON.stringify(body);
  const path = name === "gemini" ? { model: "m", stream: false } : undefined;
  const request = wire.readRequest(JSON.parse(text), text, path);
  const options: UpstreamOptions = { ...UPSTREAM_OPTIONS, model: "v", dialect, allows, webSearch };
  const { text: sent, dropped } = wire.writeRequest(request, options);
  return { sent: JSON.parse(sent), dropped };
}

/** What vendors sell by such members, on one wire or another. */
const SOLD: Readonly<Record<string, unknown>> = {
  enable_search: true,
  search_parameters: { mode: "on" },
  plugins: [{ id: "web" }],
  web_search: { enable: true },
  deferred: true,
  somethingNew: 1,
};

/** One wire takes them in another spelling. */
function soldOn(name: Name): Readonly<Record<string, unknown>> {
  if (name !== "gemini") return SOLD;
  return {
    enableSearch: true,
    searchParameters: { mode: "on" },
    plugins: [{ id: "web" }],
    somethingNew: 1,
  };
}

describe.each(NAMES)("a member that nothing prices, on %s,", (name) => {
  test("is left out for a vendor that bills, and named", () => {
    const { sent, dropped } = write(name, soldOn(name), NOTHING_MORE);
    for (const member of Object.keys(soldOn(name))) {
      expect(sent).not.toHaveProperty(member);
      expect(dropped).toContain(member);
    }
  });

  test("is left out in silence where it asks for nothing", () => {
    const { sent, dropped } = write(
      name,
      { enablesearch: false, plugins: null, x: {} },
      NOTHING_MORE,
    );
    expect(Object.keys(sent)).not.toContain("enablesearch");
    expect(Object.keys(sent)).not.toContain("plugins");
    expect(dropped).toEqual([]);
  });

  test("passes where nobody is billed, where the vendor takes it, and where it is allowed", () => {
    const sold = soldOn(name);
    expect(write(name, sold, ANYTHING).sent).toMatchObject(sold);
    expect(write(name, { newer: 1 }, NOTHING_MORE, { takes: ["newer"] }).sent.newer).toBe(1);
    const { sent, dropped } = write(name, sold, {
      ...NOTHING_MORE,
      members: new Set(["plugins"]),
    });
    expect(sent.plugins).toEqual([{ id: "web" }]);
    expect(dropped).not.toContain("plugins");
    expect(sent.somethingNew).toBeUndefined();
  });

  test("is left out even where its name is the language's own", () => {
    const more = JSON.parse('{"__proto__":{"x":1},"constructor":1}');
    const { sent, dropped } = write(name, Object.fromEntries(Object.entries(more)), NOTHING_MORE);
    expect(Object.keys(sent)).not.toContain("__proto__");
    expect(Object.keys(sent)).not.toContain("constructor");
    expect(dropped).toContain("constructor");
  });
});

describe("what an answer would not be itself without", () => {
  test.each(["guided_json", "guided_regex", "structured_outputs"])("is refused: %s", (member) => {
    const asked = { [member]: { any: "thing" } };
    expect(() => write("chat", asked, NOTHING_MORE)).toThrow(/leave it out|instead/);
    expect(write("chat", { [member]: null }, NOTHING_MORE).dropped).toEqual([]);
    expect(write("chat", asked, ANYTHING).sent[member]).toEqual({ any: "thing" });
  });
});

describe("kinds of tools that a vendor runs", () => {
  const hosted = { type: "code_interpreter", container: { type: "auto" } };
  const named = { type: "function", name: "f", parameters: {} };

  test("do not go out inside a group", () => {
    const tools = [{ type: "namespace", name: "n", tools: [named, hosted] }, named];
    const { sent, dropped } = write("responses", { tools }, NOTHING_MORE);
    expect(JSON.stringify(sent)).not.toContain("code_interpreter");
    expect(dropped).toEqual(["tools[0]"]);
    const deep = [{ type: "namespace", name: "n", tools: [{ ...tools[0], name: "m" }] }];
    expect(JSON.stringify(write("responses", { tools: deep }, NOTHING_MORE).sent)).not.toContain(
      "code_interpreter",
    );
  });

  test("are not searched for in a group either: nobody would count them", () => {
    const tools = [{ type: "namespace", name: "n", tools: [{ type: "web_search" }] }];
    const { sent, dropped } = write("responses", { tools }, NOTHING_MORE, {}, true);
    expect(sent.tools).toBeUndefined();
    expect(dropped).toEqual(["tools[0]"]);
  });

  test("take a choice of them along", () => {
    const own = { type: "function", function: { name: "f" } };
    const chat = { tools: [own, { type: "web_search" }], tool_choice: { type: "web_search" } };
    const left = write("chat", chat, NOTHING_MORE);
    expect(left.sent.tool_choice).toBeUndefined();
    expect(left.dropped).toEqual(["tools[1]", "tool_choice"]);
    const kept = { tools: chat.tools, tool_choice: { type: "function", function: { name: "f" } } };
    expect(write("chat", kept, NOTHING_MORE).sent.tool_choice).toEqual(kept.tool_choice);
    const tools = [
      { name: "f", input_schema: {} },
      { type: "web_fetch_20250910", name: "fetch" },
    ];
    const messages = { tools, tool_choice: { type: "tool", name: "fetch" } };
    expect(write("messages", messages, NOTHING_MORE).sent.tool_choice).toBeUndefined();
  });

  test("go out where they are allowed, and where nobody is billed", () => {
    const allows = { ...NOTHING_MORE, tools: new Set(["code_interpreter"]) };
    const tools = [named, hosted, { type: "file_search" }];
    expect(write("responses", { tools }, allows).sent.tools).toEqual([named, hosted]);
    expect(write("responses", { tools }, ANYTHING).sent.tools).toEqual(tools);
    const chat = [{ type: "function", function: { name: "f" } }, { type: "browser_search" }];
    expect(write("chat", { tools: chat }, NOTHING_MORE).dropped).toEqual(["tools[1]"]);
    expect(write("chat", { tools: chat }, ANYTHING).sent.tools).toEqual(chat);
    const gemini = [{ codeExecution: {}, functionDeclarations: [] }];
    expect(write("gemini", { tools: gemini }, NOTHING_MORE).dropped).toEqual([
      "tools[0].codeExecution",
    ]);
    const coding = { ...NOTHING_MORE, tools: new Set(["codeExecution"]) };
    expect(write("gemini", { tools: gemini }, coding).sent.tools).toEqual(gemini);
  });
});

test("settings of Gemini that nothing prices are left out by name", () => {
  const generationConfig = { temperature: 1, imageConfig: { a: 1 }, speechConfig: {}, newer: 2 };
  const { sent, dropped } = write("gemini", { generationConfig }, NOTHING_MORE);
  expect(sent.generationConfig).toEqual({ temperature: 1 });
  expect(dropped).toEqual(["generationConfig.imageConfig", "generationConfig.newer"]);
});

test("a way of thinking that may have another price is left out, and the rest of it stays", () => {
  const reasoning = { effort: "high", mode: "pro" };
  const { sent, dropped } = write("responses", { reasoning }, NOTHING_MORE);
  expect(sent.reasoning).toEqual({ effort: "high" });
  expect(dropped).toEqual(["reasoning.mode"]);
  const plain = { reasoning: { effort: "high", mode: "standard" } };
  expect(write("responses", plain, NOTHING_MORE).dropped).toEqual([]);
  expect(write("responses", { reasoning }, ANYTHING).sent.reasoning).toEqual(reasoning);
});

test("what is neither text nor a picture is refused, in and out", () => {
  for (const type of ["input_audio", "video_url", "input_video"]) {
    const content = [{ type }];
    const messages = [{ role: "user", content }];
    expect(() => write("chat", { messages }, ANYTHING)).toThrow("no price");
    expect(() => write("responses", { input: messages }, ANYTHING)).toThrow("no price");
  }
  expect(() => write("chat", { modalities: ["image", "text"] }, NOTHING_MORE)).toThrow(
    "has a price",
  );
  expect(write("chat", { modalities: ["text"] }, NOTHING_MORE).sent.modalities).toEqual(["text"]);
});

test("only a tier may be the standard one", () => {
  const { sent } = write("messages", { fallbacks: "standard_only" }, NOTHING_MORE);
  expect(sent.fallbacks).toBeUndefined();
});

test("a schema under the vendor's inner name is still a schema", () => {
  const generationConfig = { _responseJsonSchema: { type: "object" } };
  const { sent, dropped } = write("gemini", { generationConfig }, NOTHING_MORE);
  expect(sent.generationConfig.responseJsonSchema).toEqual({ type: "object" });
  expect(dropped).toEqual([]);
});
