// Settings and parts of the wrong kind: one refusal at the field, before any vendor could take it otherwise.
import { describe, expect, test } from "bun:test";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import { FACES, type Face } from "../support/samples/faces.ts";
import { type JsonObject, MODEL } from "../support/samples/wires.ts";

const { root, key } = await perFile(async (parts) => {
  const { server } = await serve(parts, { books: true });
  const { key } = await server.account("1", "--rpm", "0");
  return { key, root: server.url.replace(/\/v1$/, "") };
});

/** The field that is wrong, and what makes it so. */
type Case = readonly [param: string, change: JsonObject];

const ADDRESS = "https://pictures.example/fox.png";
const said = (...content: unknown[]) => ({ messages: [{ role: "user", content }] });
const input = (...content: unknown[]) => ({ input: [{ role: "user", content }] });
const PART = "input[0].content[0]";
const BLOCK = "messages[0].content[0]";

const OPENAI_TEXTS: readonly Case[] = [
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
].flatMap((name): Case[] => [
  [name, { [name]: 5 }],
  [name, { [name]: ["x"] }],
]);

const GROUP = { type: "namespace", name: "f" };
const CALL = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };

const RESPONSES_CASES: readonly Case[] = [
  ...OPENAI_TEXTS,
  ["text.verbosity", { text: { verbosity: 5 } }],
  ["text.verbosity", { text: { verbosity: "loud" } }],
  ["reasoning.effort", { reasoning: { effort: 5 } }],
  ["reasoning.summary", { reasoning: { summary: 5 } }],
  [
    "stream_options.include_obfuscation",
    { stream: true, stream_options: { include_obfuscation: "x" } },
  ],
  ["context_management", { context_management: 5 }],
  ["prompt_cache_options", { prompt_cache_options: 5 }],
  ["tools[0].parameters", { tools: [{ type: "function", name: "f", parameters: 5 }] }],
  ["tools[0].strict", { tools: [{ type: "function", name: "f", strict: "x" }] }],
  ["tools[0].description", { tools: [{ type: "function", name: "f", description: 5 }] }],
  ["tools[0].format", { tools: [{ type: "custom", name: "f", format: 5 }] }],
  ["tools[0].tools", { tools: [{ ...GROUP, tools: 5 }] }],
  [
    "tools[0].tools[0].parameters",
    { tools: [{ ...GROUP, tools: [{ type: "function", name: "g", parameters: 5 }] }] },
  ],
  [`${PART}.type`, input({ type: "wish", text: "x" })],
  [`${PART}.type`, input({ type: "text_or_so" })],
  [`${PART}.image_url`, input({ type: "input_image", image_url: 5 })],
  [`${PART}.image_url.url`, input({ type: "input_image", image_url: {} })],
  [`${PART}.detail`, input({ type: "input_image", image_url: ADDRESS, detail: 5 })],
  [`${PART}.file_data`, input({ type: "input_file", filename: "a.pdf" })],
  [`${PART}.file_data`, input({ type: "input_file", file_data: 5 })],
  [`${PART}.file_url`, input({ type: "input_file", file_url: 5 })],
  [`${PART}.filename`, input({ type: "input_file", file_data: "eA==", filename: 5 })],
  [`${PART}.refusal`, input({ type: "refusal" })],
  [`${PART}.refusal`, input({ type: "refusal", refusal: 5 })],
  ["input[0].call_id", { input: [{ ...CALL, call_id: 5 }] }],
  ["input[0].call_id", { input: [{ ...CALL, call_id: undefined }] }],
  ["input[0].arguments", { input: [{ ...CALL, arguments: { city: "Oslo" } }] }],
  ["input[0].input", { input: [{ type: "custom_tool_call", call_id: "c", name: "f", input: 5 }] }],
  ["input[1].output", { input: [CALL, { type: "function_call_output", call_id: "c" }] }],
  [
    "input[1].output[0].type",
    { input: [CALL, { type: "function_call_output", call_id: "c", output: [{ type: "wish" }] }] },
  ],
  ["input[0].summary", { input: [{ type: "reasoning", summary: 5 }] }],
];

const called = (call: unknown) => ({
  messages: [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: "c", content: "x" },
  ],
});
const CALLED = "messages[0].tool_calls[0]";

const CHAT_CASES: readonly Case[] = [
  ...OPENAI_TEXTS,
  ["verbosity", { verbosity: 5 }],
  ["verbosity", { verbosity: "loud" }],
  ["seed", { seed: "x" }],
  ["seed", { seed: 1.5 }],
  ["stop", { stop: 5 }],
  ["stop", { stop: ["a", 5] }],
  ["logit_bias", { logit_bias: 5 }],
  ["logit_bias.50256", { logit_bias: { "50256": "x" } }],
  ["top_logprobs", { top_logprobs: 3 }],
  ["top_logprobs", { top_logprobs: 3, logprobs: false }],
  ["store", { store: "x" }],
  ["metadata", { metadata: 5 }],
  ["metadata.a", { metadata: { a: 5 } }],
  ["prediction", { prediction: 5 }],
  ["response_format.type", { response_format: {} }],
  ["modalities", { modalities: "text" }],
  ["usage", { usage: true }],
  ["usage.include", { usage: { include: "yes" } }],
  ["stream_options.include_usage", { stream: true, stream_options: { include_usage: "x" } }],
  [
    "tools[0].function.parameters",
    { tools: [{ type: "function", function: { name: "f", parameters: 5 } }] },
  ],
  [
    "tools[0].function.description",
    { tools: [{ type: "function", function: { name: "f", description: 5 } }] },
  ],
  [
    "tools[0].function.strict",
    { tools: [{ type: "function", function: { name: "f", strict: "x" } }] },
  ],
  ["functions[0].parameters", { functions: [{ name: "f", parameters: 5 }] }],
  [
    "tool_choice.function.name",
    {
      tools: [{ type: "function", function: { name: "f" } }],
      tool_choice: { type: "function" },
    },
  ],
  [`${BLOCK}.type`, said({ type: "wish" })],
  [`${BLOCK}.type`, said({ type: "input_text", text: "x" })],
  [`${BLOCK}.image_url`, said({ type: "image_url" })],
  [`${BLOCK}.image_url`, said({ type: "image_url", image_url: 5 })],
  [`${BLOCK}.image_url.url`, said({ type: "image_url", image_url: {} })],
  [`${BLOCK}.image_url.url`, said({ type: "image_url", image_url: { url: 5 } })],
  [
    `${BLOCK}.image_url.detail`,
    said({ type: "image_url", image_url: { url: ADDRESS, detail: 5 } }),
  ],
  [`${BLOCK}.file`, said({ type: "file" })],
  [`${BLOCK}.file.file_data`, said({ type: "file", file: {} })],
  [`${BLOCK}.file.file_data`, said({ type: "file", file: { file_data: 5 } })],
  [`${BLOCK}.refusal`, said({ type: "refusal" })],
  ["messages[0].name", { messages: [{ role: "user", content: "x", name: 5 }] }],
  [
    "messages[0].name",
    {
      messages: [
        { role: "function", content: "x" },
        { role: "user", content: "x" },
      ],
    },
  ],
  ["messages[0].refusal", { messages: [{ role: "assistant", refusal: 5 }] }],
  ["messages[0].tool_calls", { messages: [{ role: "assistant", tool_calls: 5 }] }],
  ["messages[0].function_call", { messages: [{ role: "assistant", function_call: 5 }] }],
  ["messages[0].function_call.name", { messages: [{ role: "assistant", function_call: {} }] }],
  [CALLED, called(5)],
  [`${CALLED}.id`, called({ type: "function", function: { name: "f", arguments: "{}" } })],
  [`${CALLED}.function`, called({ id: "c", type: "function" })],
  [`${CALLED}.function.name`, called({ id: "c", function: { arguments: "{}" } })],
  [`${CALLED}.function.arguments`, called({ id: "c", function: { name: "f", arguments: {} } })],
];

const TOOL = { name: "f", input_schema: { type: "object" } };

const MESSAGES_CASES: readonly Case[] = [
  ["metadata.user_id", { metadata: { user_id: 5 } }],
  ["thinking.type", { thinking: { type: "wild" } }],
  ["tool_choice.type", { tools: [TOOL], tool_choice: { type: "wish" } }],
  ["tool_choice", { tool_choice: { type: "any" } }],
  ["tool_choice", { tools: [TOOL], tool_choice: { type: "tool", name: "g" } }],
  ["tools[0].description", { tools: [{ ...TOOL, description: 5 }] }],
  ["output_config.effort", { output_config: { effort: 5 } }],
  ["output_config.format", { output_config: { format: 5 } }],
  ["output_config.format.type", { output_config: { format: { type: "xml" } } }],
  ["output_config.format.schema", { output_config: { format: { type: "json_schema" } } }],
  ["cache_control", { cache_control: 5 }],
  ["system[0].type", { system: [{ type: "wish" }] }],
  [`${BLOCK}.source.type`, said({ type: "image", source: { type: "wish" } })],
  [`${BLOCK}.source.data`, said({ type: "image", source: { type: "base64" } })],
  [`${BLOCK}.source.url`, said({ type: "image", source: { type: "url" } })],
  [`${BLOCK}.source.data`, said({ type: "document", source: { type: "text", data: 5 } })],
  [`${BLOCK}.is_error`, said({ type: "tool_result", tool_use_id: "c", is_error: "x" })],
  [`${BLOCK}.thinking`, said({ type: "thinking", thinking: 5, signature: "x" })],
];

const given = (part: JsonObject) => ({ contents: [{ role: "user", parts: [part] }] });
const calling = (config: JsonObject) => ({ toolConfig: { functionCallingConfig: config } });
const DECLARED = { tools: [{ functionDeclarations: [{ name: "f" }] }] };
const CALLING = "toolConfig.functionCallingConfig";

const GEMINI_CASES: readonly Case[] = [
  ["generationConfig.responseMimeType", { generationConfig: { responseMimeType: "text/wish" } }],
  [
    "generationConfig.thinkingConfig.thinkingLevel",
    { generationConfig: { thinkingConfig: { thinkingLevel: "wild" } } },
  ],
  [
    "tools[0].functionDeclarations[0].parameters",
    { tools: [{ functionDeclarations: [{ name: "f", parameters: 5 }] }] },
  ],
  [
    "tools[0].functionDeclarations[0].description",
    { tools: [{ functionDeclarations: [{ name: "f", description: 5 }] }] },
  ],
  [`${CALLING}.mode`, { ...DECLARED, ...calling({ mode: "WISH" }) }],
  [`${CALLING}.mode`, calling({ mode: "ANY" })],
  [
    `${CALLING}.allowedFunctionNames`,
    { ...DECLARED, ...calling({ mode: "ANY", allowedFunctionNames: ["g"] }) },
  ],
  [
    "contents[0].parts[0].functionResponse.response",
    given({ functionResponse: { name: "f", response: 5 } }),
  ],
  ["contents[0].parts[0].functionCall.args", given({ functionCall: { name: "f", args: 5 } })],
  ["safetySettings[0]", { safetySettings: [5] }],
  ["labels", { labels: 5 }],
];

const CASES: Readonly<Record<Face["name"], readonly Case[]>> = {
  responses: RESPONSES_CASES,
  chat: CHAT_CASES,
  messages: MESSAGES_CASES,
  gemini: GEMINI_CASES,
};

async function ask(face: Face, change: JsonObject) {
  const stream = change.stream === true;
  const shown = face.keyHeader === "authorization" ? `Bearer ${key}` : key;
  const answer = await fetch(root + face.path(MODEL, stream), {
    method: "POST",
    headers: { "content-type": "application/json", [face.keyHeader]: shown },
    body: JSON.stringify({ ...face.body(MODEL, stream, "Hi."), ...change }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe.each(FACES.map((face) => [face.name, face] as const))("a client of %s", (name, face) => {
  test.each(CASES[name].map(([param, change]) => [param, JSON.stringify(change), change] as const))(
    "is told that %s is wrong in %s",
    async (param, _shown, change) => {
      const { status, text } = await ask(face, change);
      expect([status, text]).toEqual([400, expect.stringContaining(`'${param}'`)]);
      face.expectRefusal(400, JSON.parse(text) as JsonObject);
    },
  );

  test("may send null where a setting may be missing", async () => {
    const nulls: Readonly<Record<Face["name"], JsonObject>> = {
      responses: { user: null, text: { verbosity: null }, prompt_cache_key: null, reasoning: null },
      chat: { seed: null, user: null, stop: null, logit_bias: null, metadata: null, store: null },
      messages: { metadata: { user_id: null }, cache_control: null },
      gemini: { generationConfig: { responseMimeType: null }, labels: null },
    };
    expect((await ask(face, nulls[name])).status).toBe(200);
  });
});

test.each([
  [FACES[0], "metadata"],
  [FACES[1], "logit_bias"],
] as const)("a name of a client's own is not repeated in full by %p", async (face, member) => {
  const { status, text } = await ask(face as Face, { [member]: { ["n".repeat(100_000)]: [] } });
  expect([status, text.length < 1_000]).toEqual([400, true]);
});
