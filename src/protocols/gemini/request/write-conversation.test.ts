import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import type { Conversation, Item, Tool } from "../../canon.ts";
import type { UpstreamOptions } from "../../wire.ts";
import { writeGeminiConversation } from "./write-conversation.ts";

const HI: Item = { type: "message", role: "user", parts: [{ type: "text", text: "hi" }] };
const PLAIN: Conversation = {
  items: [HI],
  tools: [],
  stop: [],
  choices: 1,
  stream: false,
  lost: [],
};
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "gemini-2.5-flash",
  maxOutput: 65_536,
  webSearch: true,
};
const LEVELS: Partial<UpstreamOptions> = { model: "gemini-3.5-flash", rules: ["thinking_level"] };

function write(conversation: Partial<Conversation>, options: Partial<UpstreamOptions> = {}) {
  const written = writeGeminiConversation(
    { ...PLAIN, ...conversation },
    { ...OPTIONS, ...options },
  );
  return { body: JSON.parse(written.text), dropped: written.dropped };
}

function configOf(conversation: Partial<Conversation>, options?: Partial<UpstreamOptions>) {
  return write(conversation, options).body.generationConfig;
}

test("a plain question is nothing but its content", () => {
  expect(write({})).toEqual({
    body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
    dropped: [],
  });
});

test("instructions and leading system turns stand before the conversation", () => {
  const system = (role: "system" | "developer", text: string): Item => ({
    type: "message",
    role,
    parts: [{ type: "text", text }],
  });
  const items = [system("developer", "b"), system("system", "c"), HI, system("system", "d")];
  const { body } = write({ instructions: "a", items });
  expect(body.systemInstruction).toEqual({ parts: [{ text: "a" }, { text: "b" }, { text: "c" }] });
  expect(body.contents).toEqual([{ role: "user", parts: [{ text: "hi" }, { text: "d" }] }]);
  expect(write({ items: [system("system", "alone")] }).body).toEqual({
    contents: [{ role: "user", parts: [{ text: "alone" }] }],
  });
});

test("settings get the vendor's names", () => {
  const config = configOf({
    maxOutput: 100,
    temperature: 0,
    topP: 0.5,
    topK: 3,
    presencePenalty: 0,
    frequencyPenalty: 0.5,
    seed: 1,
    stop: ["x"],
    topLogprobs: 2,
  });
  expect(config).toEqual({
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
    topK: 3,
    frequencyPenalty: 0.5,
    seed: 1,
    stopSequences: ["x"],
    responseLogprobs: true,
    logprobs: 2,
  });
  expect(configOf({ topLogprobs: 0 })).toEqual({ responseLogprobs: true });
});

test("the output is capped by the client, the model and the hold, whichever is least", () => {
  const most = (maxOutput?: number, options?: Partial<UpstreamOptions>) =>
    configOf({ maxOutput }, options)?.maxOutputTokens;
  expect(most(100_000)).toBe(65_536);
  expect(most(100, { outputClamp: 40 })).toBe(40);
  expect(most(30, { outputClamp: 40 })).toBe(30);
  expect(most(undefined, { outputClamp: 40 })).toBe(40);
  expect(most()).toBeUndefined();
});

test("what the vendor has no words for is named", () => {
  const { dropped } = write({
    user: "u",
    cacheKey: "k",
    verbosity: "low",
    parallelToolCalls: false,
    tools: [{ type: "foreign", path: "tools[3]" }],
  });
  expect(dropped).toEqual([
    "parallel_tool_calls",
    "verbosity",
    "user",
    "prompt_cache_key",
    "tools[3]",
  ]);
  const refusing = write({ temperature: 1, topP: 1, topK: 1 }, { rules: ["no_sampling"] });
  expect(refusing.dropped).toEqual(["temperature", "top_p", "top_k"]);
  expect(refusing.body.generationConfig).toBeUndefined();
});

test("more than one choice is refused, since one would be something else", () => {
  expect(() => write({ choices: 2 })).toThrow("'n': 1");
});

describe("thinking", () => {
  test.each<[string, string, number, string, number]>([
    ["none", "MINIMAL", 0, "LOW", 128],
    ["minimal", "MINIMAL", 1_024, "LOW", 1_024],
    ["low", "LOW", 1_024, "LOW", 1_024],
    ["medium", "MEDIUM", 8_192, "MEDIUM", 8_192],
    ["high", "HIGH", 24_576, "HIGH", 24_576],
    ["xhigh", "HIGH", 24_576, "HIGH", 24_576],
  ])("with the effort %s is a level or a budget", (effort, level, budget, proLevel, proBudget) => {
    const config = (options: Partial<UpstreamOptions>) =>
      configOf({ effort }, options).thinkingConfig;
    expect(config(LEVELS)).toEqual({ thinkingLevel: level });
    expect(config({})).toEqual({ thinkingBudget: budget });
    expect(config({ ...LEVELS, model: "gemini-3.1-pro-preview" })).toEqual({
      thinkingLevel: proLevel,
    });
    expect(config({ model: "gemini-2.5-pro" })).toEqual({ thinkingBudget: proBudget });
  });

  test.each<[number, string | undefined, number]>([
    [-1, undefined, -1],
    [1_500, "LOW", 1_500],
    [5_000, "MEDIUM", 5_000],
    [90_000, "HIGH", 24_576],
  ])("with a budget of %i is shown to those who count it", (thinkingBudget, level, budget) => {
    const config = (options: Partial<UpstreamOptions>) =>
      configOf({ thinkingBudget }, options).thinkingConfig;
    const byLevel = level ? { thinkingLevel: level } : {};
    expect(config(LEVELS)).toEqual({ ...byLevel, includeThoughts: true });
    expect(config({})).toEqual({ thinkingBudget: budget, includeThoughts: true });
  });

  test("is shown where a summary is wanted", () => {
    expect(configOf({ summary: "auto" }).thinkingConfig).toEqual({ includeThoughts: true });
    expect(configOf({ summary: "none", thinkingBudget: 100 }).thinkingConfig).toEqual({
      thinkingBudget: 100,
    });
  });
});

const PARAMETERS = { type: "object", properties: { a: { type: "string" } } };
const F: Tool = { type: "function", name: "f", description: "F", parameters: PARAMETERS };
const G: Tool = { type: "function", name: "g", namespace: "group" };
const FREE: Tool = {
  type: "custom",
  name: "patch",
  description: "Patch",
  format: { type: "grammar", syntax: "lark", definition: "start: WORD" },
};
const SEARCH: Tool = { type: "web_search", settings: {} };

describe("tools", () => {
  test("are declared with flat names; those of free text as functions of one text", () => {
    const [tool] = write({ tools: [F, G, FREE] }).body.tools;
    expect(tool.functionDeclarations).toMatchObject([
      { name: "f", description: "F", parametersJsonSchema: PARAMETERS },
      { name: "group__g" },
      { name: "patch", parametersJsonSchema: { required: ["input"] } },
    ]);
    expect(tool.functionDeclarations[1]).not.toHaveProperty("parametersJsonSchema");
    expect(tool.functionDeclarations[2].description).toContain("start: WORD");
  });

  test.each<[NonNullable<Conversation["toolChoice"]>, object | undefined]>([
    [{ mode: "auto" }, undefined],
    [{ mode: "none" }, { mode: "NONE" }],
    [{ mode: "required" }, { mode: "ANY" }],
    [
      { mode: "tool", name: "g", namespace: "group" },
      { mode: "ANY", allowedFunctionNames: ["group__g"] },
    ],
    [
      { mode: "tool", name: "g" },
      { mode: "ANY", allowedFunctionNames: ["group__g"] },
    ],
    [{ mode: "allowed", names: ["f"], required: true }, { mode: "ANY" }],
    [{ mode: "allowed", names: ["f"], required: false }, undefined],
  ])("are chosen by %j", (toolChoice, calling) => {
    const { body } = write({ tools: [F, G], toolChoice });
    expect(body.toolConfig?.functionCallingConfig).toEqual(calling);
    const names = body.tools[0].functionDeclarations.map(({ name }: { name: string }) => name);
    expect(names).toEqual(toolChoice.mode === "allowed" ? ["f"] : ["f", "group__g"]);
  });

  test("that are not there cannot be chosen", () => {
    expect(write({ toolChoice: { mode: "required" } }).body).not.toHaveProperty("toolConfig");
    const { body, dropped } = write({ tools: [F], toolChoice: { mode: "tool", name: "x" } });
    expect(body.toolConfig).toBeUndefined();
    expect(dropped).toEqual(["tool_choice"]);
  });
});

describe("a search", () => {
  test("is the vendor's own where it has a price", () => {
    expect(write({ tools: [SEARCH] }).body.tools).toEqual([{ googleSearch: {} }]);
    const unpriced = write({ tools: [SEARCH] }, { webSearch: false });
    expect(unpriced).toMatchObject({ dropped: ["web_search"] });
    expect(unpriced.body).not.toHaveProperty("tools");
  });

  test("stands beside functions only for models that can mix them", () => {
    const older = write({ tools: [F, SEARCH] });
    expect([older.body.tools.length, older.dropped]).toEqual([1, ["web_search"]]);
    const newer = write({ tools: [F, SEARCH] }, LEVELS);
    expect(newer.body.tools[1]).toEqual({ googleSearch: {} });
    expect(newer.body.toolConfig).toEqual({
      functionCallingConfig: { mode: "VALIDATED" },
      includeServerSideToolInvocations: true,
    });
  });

  test("loses by name what would narrow it", () => {
    const settings = { filters: { allowed_domains: ["a.com"] }, search_context_size: "low" };
    const { dropped } = write({ tools: [{ type: "web_search", settings, maxCalls: 2 }] });
    expect(dropped).toEqual(["web_search.filters", "web_search.max_calls"]);
  });
});

describe("formats", () => {
  const format = { type: "json_schema", name: "x", schema: PARAMETERS } as const;

  test("are a type and a schema", () => {
    expect(configOf({ format })).toEqual({
      responseMimeType: "application/json",
      responseJsonSchema: PARAMETERS,
    });
    expect(configOf({ format: { type: "json_object" } })).toEqual({
      responseMimeType: "application/json",
    });
  });

  test("with a call that must be made are refused, and both are named", () => {
    const forced = { format, tools: [F], toolChoice: { mode: "required" } } as const;
    expect(() => write(forced)).toThrow(/format.*tool_choice/);
    expect(write({ format, tools: [F] }).body.tools).toHaveLength(1);
  });
});
