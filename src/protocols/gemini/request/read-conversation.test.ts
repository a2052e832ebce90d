import { describe, expect, test } from "bun:test";
import { readConfig } from "../../../config/config.ts";
import type { Item } from "../../canon.ts";
import { seal, unseal } from "../../envelope.ts";
import { signatureOf } from "../signatures.ts";
import { readGeminiConversation } from "./read-conversation.ts";
import { readGeminiRequest } from "./request.ts";

const { limits } = readConfig({});
const CONTENTS = [{ role: "user", parts: [{ text: "hi" }] }];

function read(body: object) {
  const path = { model: "ours", stream: false };
  return readGeminiConversation(readGeminiRequest(body, JSON.stringify(body), limits, path));
}

function itemsOf(...contents: object[]): readonly Item[] {
  return read({ contents }).items;
}

function model(...parts: object[]) {
  return { role: "model", parts };
}

function user(...parts: object[]) {
  return { role: "user", parts };
}

test("settings have their places", () => {
  const conversation = read({
    systemInstruction: { parts: [{ text: "be" }, { text: "brief" }] },
    contents: CONTENTS,
    generationConfig: {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 99,
      stopSequences: ["END"],
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      seed: 7,
      responseLogprobs: true,
      logprobs: 3,
      thinkingConfig: { includeThoughts: true, thinkingLevel: "HIGH", thinkingBudget: 512 },
    },
  });
  expect(conversation).toMatchObject({
    instructions: "be\n\nbrief",
    temperature: 0.5,
    topP: 0.9,
    topK: 40,
    maxOutput: 99,
    stop: ["END"],
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    seed: 7,
    topLogprobs: 3,
    effort: "high",
    thinkingBudget: 512,
    summary: "auto",
    choices: 1,
    stream: false,
    lost: [],
  });
});

test("what other wires have no words for is told as lost", () => {
  const { lost } = read({
    contents: [...CONTENTS, model({ executableCode: { code: "1" } }), ...CONTENTS],
    safetySettings: [],
    serviceTier: "priority",
    labels: {},
    generationConfig: { mediaResolution: "MEDIA_RESOLUTION_LOW", temperature: 1 },
  });
  expect(lost).toEqual([
    "safetySettings",
    "serviceTier",
    "generationConfig.mediaResolution",
    "contents[1].parts[0].executableCode",
  ]);
});

describe("formats", () => {
  const format = (generationConfig: object) =>
    read({ contents: CONTENTS, generationConfig }).format;
  const responseMimeType = "application/json";

  test("are read from JSON Schema, from the vendor's schema, and without one", () => {
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const own = { type: "OBJECT", properties: { a: { type: "STRING" } } };
    const read = { type: "json_schema", name: "answer", schema } as const;
    expect(format({ responseMimeType, responseJsonSchema: schema })).toEqual(read);
    expect(format({ responseMimeType, responseSchema: own })).toEqual(read);
    expect(format({ responseMimeType })).toEqual({ type: "json_object" });
    expect(format({ responseMimeType: "text/plain" })).toBeUndefined();
  });

  test("that would change the meaning of an answer are refused", () => {
    expect(() => format({ responseMimeType: "text/x.enum" })).toThrow("text/x.enum");
  });
});

describe("tools", () => {
  test("are taken out of their groups", () => {
    const { tools } = read({
      contents: CONTENTS,
      tools: [
        {
          functionDeclarations: [
            { name: "a", description: "A", parametersJsonSchema: { type: "object" } },
            { name: "b", parameters: { type: "OBJECT" } },
          ],
          codeExecution: {},
        },
        { googleSearch: {} },
      ],
    });
    expect(tools).toEqual([
      { type: "function", name: "a", description: "A", parameters: { type: "object" } },
      { type: "function", name: "b", parameters: { type: "object" } },
      { type: "foreign", path: "tools[0].codeExecution" },
      { type: "web_search", settings: {} },
    ]);
  });

  test.each<[object, unknown]>([
    [{ mode: "AUTO" }, { mode: "auto" }],
    [{ mode: "NONE" }, { mode: "none" }],
    [{ mode: "ANY" }, { mode: "required" }],
    [{ mode: "any" }, { mode: "required" }],
    [
      { mode: "ANY", allowedFunctionNames: ["a"] },
      { mode: "tool", name: "a" },
    ],
    [
      { mode: "ANY", allowedFunctionNames: ["a", "b"] },
      { mode: "allowed", names: ["a", "b"], required: true },
    ],
    [
      { mode: "VALIDATED", allowedFunctionNames: ["a"] },
      { mode: "allowed", names: ["a"], required: false },
    ],
    [{}, undefined],
  ])("are chosen by %j", (functionCallingConfig, choice) => {
    const tools = [{ functionDeclarations: [{ name: "a" }, { name: "b" }] }];
    const toolConfig = { functionCallingConfig };
    const { toolChoice } = read({ contents: CONTENTS, tools, toolConfig });
    expect(toolChoice).toEqual(choice as typeof toolChoice);
  });
});

test("pictures and files become data addresses", () => {
  const [message] = itemsOf(
    user(
      { text: "look" },
      { inlineData: { mimeType: "image/png", data: "AA==" } },
      { inlineData: { mimeType: "application/pdf", data: "BB==", displayName: "b.pdf" } },
      { fileData: { mimeType: "image/png", fileUri: "https://example.com/c.png" } },
    ),
  );
  expect(message).toEqual({
    type: "message",
    role: "user",
    parts: [
      { type: "text", text: "look" },
      { type: "image", url: "data:image/png;base64,AA==" },
      { type: "file", url: "data:application/pdf;base64,BB==", name: "b.pdf" },
      { type: "image", url: "https://example.com/c.png" },
    ],
  });
});

describe("calls and results", () => {
  const call = (name: string, id?: string) => ({ functionCall: { name, args: { of: name }, id } });
  const result = (name: string, response: object, id?: string) => ({
    functionResponse: { name, response, id },
  });

  test("find each other by their ids, in any order", () => {
    const items = itemsOf(
      model(call("f", "1"), call("f", "2")),
      user(result("f", { output: "b" }, "2"), result("f", { output: "a" }, "1")),
    );
    expect(items.map((item) => "callId" in item && item.callId)).toEqual(["1", "2", "2", "1"]);
  });

  test("without ids find each other by name and order, under names that last", () => {
    const turn = [
      model(call("f"), call("g"), call("f")),
      user(result("f", { output: "1" }), result("f", { output: "2" }), result("g", {})),
    ];
    const ids = (items: readonly Item[]) => items.map((item) => "callId" in item && item.callId);
    const first = ids(itemsOf(...turn));
    expect(first).toEqual(["call_0_0", "call_0_1", "call_0_2", "call_0_0", "call_0_2", "call_0_1"]);
    expect(ids(itemsOf(...turn, model({ text: "more" }))).slice(0, 6)).toEqual(first);
  });

  test("carry arguments, texts, errors and pictures", () => {
    const items = itemsOf(model(call("f", "1"), call("g", "2"), call("h", "3")), {
      role: "function",
      parts: [
        result("f", { temperature: 20 }, "1"),
        result("g", { error: "no such city" }, "2"),
        {
          functionResponse: {
            id: "3",
            name: "h",
            response: { output: { a: 1 } },
            parts: [{ inlineData: { mimeType: "image/png", data: "AA==" } }],
          },
        },
      ],
    });
    const text = (words: string) => ({ type: "text", text: words });
    expect(items[0]).toMatchObject({ type: "call", name: "f", arguments: '{"of":"f"}' });
    expect(items.slice(3)).toMatchObject([
      { callId: "1", parts: [text('{"temperature":20}')] },
      { callId: "2", parts: [text("no such city")], failed: true },
      { callId: "3", parts: [text('{"a":1}'), { url: "data:image/png;base64,AA==" }] },
    ]);
    expect(items[3]).not.toHaveProperty("failed");
  });

  test("are taken out of the wrapping that the AI SDK gives them, and of no other", () => {
    const items = itemsOf(
      model(call("f", "1"), call("g", "2"), call("h", "3")),
      user(
        result("f", { name: "f", content: "sunny" }, "1"),
        result("g", { name: "Ada", content: "a letter" }, "2"),
        result("h", { name: "h", content: "x", size: 3 }, "3"),
      ),
    );
    const texts = items.slice(3).map((item) => "parts" in item && item.parts);
    expect(texts).toMatchObject([
      [{ text: "sunny" }],
      [{ text: '{"name":"Ada","content":"a letter"}' }],
      [{ text: '{"name":"h","content":"x","size":3}' }],
    ]);
  });
});

describe("thoughts", () => {
  test("with a signature of Google's own are sealed with the call that it belongs to", () => {
    const items = itemsOf(
      model(
        { text: "hm ", thought: true },
        { text: "well", thought: true },
        { functionCall: { name: "f", id: "1" }, thoughtSignature: "c2ln" },
      ),
    );
    expect(items).toMatchObject([
      { type: "reasoning", summary: ["hm well"] },
      { type: "call", callId: "1" },
    ]);
    const [reasoning] = items;
    const sealed = reasoning?.type === "reasoning" ? reasoning.sealed : undefined;
    expect(unseal("gemini", sealed)).toMatchObject({ signature: "c2ln", call: "1" });
  });

  test.each([
    ["in an envelope", seal("messages", { signature: "s" })],
    ["bare", "gAAAAABo-native"],
  ])("of another vendor come back as they went out, %s", (_, sealed) => {
    const thoughtSignature = signatureOf(sealed);
    const reasoning = { type: "reasoning", summary: [], sealed } as const;
    expect(itemsOf(model({ functionCall: { name: "f" }, thoughtSignature }))[0]).toEqual(reasoning);
    expect(itemsOf(model({ text: "so", thoughtSignature }))[0]).toEqual(reasoning);
    expect(itemsOf(model({ text: "hm", thought: true, thoughtSignature }))).toEqual([
      { ...reasoning, summary: ["hm"] },
    ]);
  });

  test("that say nothing are nothing", () => {
    const skip = "skip_thought_signature_validator";
    expect(
      itemsOf(model({ text: "", thought: true }, { text: "a", thoughtSignature: skip })),
    ).toEqual([{ type: "message", role: "assistant", parts: [{ type: "text", text: "a" }] }]);
  });
});

test("an answer that came in chunks is one message again", () => {
  const chunks = [model({ text: "Hel" }), model({ text: "lo" }), model({ text: "" })];
  expect(itemsOf(...CONTENTS, ...chunks, ...CONTENTS)).toMatchObject([
    { role: "user" },
    { role: "assistant", parts: [{ type: "text", text: "Hello" }] },
    { role: "user" },
  ]);
});
