// Newer models of OpenAI take functions on the Responses wire alone, unless they are told not to think.
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { expectError } from "../support/errors.ts";
import { perFile } from "../support/houses/house.ts";
import { serve } from "../support/houses/serving.ts";
import type { JsonObject } from "../support/samples/wires.ts";
import {
  answer,
  isChat,
  MockVendor,
  streamOf,
  type VendorCall,
} from "../support/vendors/mock-vendor.ts";

const { server, vendor } = await perFile(async (parts) => {
  const mock = parts.keep(new MockVendor());
  const { server: started } = await serve(parts, { settings: mock.settings });
  mock.play(asOpenai);
  return { server: started, vendor: mock };
});

const PARAMETERS = { type: "object", properties: { city: { type: "string" } } };
const WEATHER = {
  type: "function",
  function: { name: "weather", parameters: PARAMETERS },
} as const;
const ARGUMENTS = '{"city":"Oslo"}';

const ITEM = { id: "fc_1", type: "function_call", call_id: "c1", name: "weather" };
const DONE = { ...ITEM, arguments: ARGUMENTS, status: "completed" };
const RESPONSE = {
  ...{ id: "resp_1", object: "response", created_at: 1, status: "completed", output: [DONE] },
  usage: { input_tokens: 5, output_tokens: 5, total_tokens: 10 },
};
const EVENTS = [
  { type: "response.created", response: { ...RESPONSE, output: [], status: "in_progress" } },
  { type: "response.output_item.added", output_index: 0, item: { ...ITEM, arguments: "" } },
  { type: "response.function_call_arguments.delta", output_index: 0, delta: ARGUMENTS },
  { type: "response.output_item.done", output_index: 0, item: DONE },
  { type: "response.completed", response: RESPONSE },
];

/** What OpenAI documents: older models refuse an effort beside functions, newer ones all but `none`. */
function refusesTools({ body }: VendorCall): boolean {
  const model = String(body.model);
  if (model === "gpt-5.1") return false;
  const thinks = model.startsWith("gpt-5.4") ? "none" : "medium";
  return Array.isArray(body.tools) && (body.reasoning_effort ?? thinks) !== "none";
}

function asOpenai(call: VendorCall): Response {
  if (isChat(call)) {
    if (!refusesTools(call)) return answer(call);
    const message = `Function tools with reasoning_effort are not supported for ${call.body.model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`;
    const error = { message, type: "invalid_request_error", param: "reasoning_effort", code: null };
    return Response.json({ error }, { status: 400 });
  }
  if (!call.body.stream) return Response.json(RESPONSE);
  return streamOf(
    EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

async function ask(path: string, body: JsonObject) {
  vendor.calls.length = 0;
  const response = await server.post(path, server.firstKey, body);
  return { response, paths: vendor.calls.map((call) => call.path.replace("/v1", "")) };
}

function chat(model: string, more: JsonObject = {}) {
  const messages = [{ role: "user", content: "The weather in Oslo?" }];
  return ask("/chat/completions", { model, messages, ...more });
}

describe("a chat client with functions", () => {
  const client = new OpenAI({ baseURL: server.url, apiKey: server.firstKey, maxRetries: 0 });
  const call = { id: "c1", type: "function", function: { name: "weather", arguments: ARGUMENTS } };

  test.each([
    "gpt-6-astra",
    "gpt-6.1-sol",
    "gpt-6.1-terra",
    "gpt-6-luna",
    "gpt-5.6",
    "gpt-5.6-luna",
  ])("gets its calls from %s, whole", async (model) => {
    const { response, paths } = await chat(model, { tools: [WEATHER] });
    expect([response.status, paths]).toEqual([200, ["/responses"]]);
    expect(vendor.lastCall.body.tools).toMatchObject([{ type: "function", name: "weather" }]);
    expect(await response.json()).toMatchObject({
      model,
      choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }],
    });
  });

  test("gets its calls streamed", async () => {
    vendor.calls.length = 0;
    const stream = client.chat.completions.stream({
      model: "gpt-6.1-sol",
      messages: [{ role: "user", content: "The weather in Oslo?" }],
      tools: [WEATHER],
    });
    const { choices } = await stream.finalChatCompletion();
    expect(choices[0]).toMatchObject({
      message: { tool_calls: [call] },
      finish_reason: "tool_calls",
    });
    expect(vendor.calls.map(({ path }) => path)).toEqual(["/v1/responses"]);
  });

  test.each(["gpt-5.4", "gpt-5.4-mini", "gpt-5.5"])(
    "and an effort gets both of %s",
    async (model) => {
      const { response, paths } = await chat(model, { tools: [WEATHER], reasoning_effort: "high" });
      expect([response.status, paths]).toEqual([200, ["/responses"]]);
      expect(vendor.lastCall.body.reasoning).toEqual({ effort: "high" });
    },
  );

  test("of the older form gets its call in that form", async () => {
    const { response, paths } = await chat("gpt-6.1-sol", { functions: [WEATHER.function] });
    expect([response.status, paths]).toEqual([200, ["/responses"]]);
    expect(await response.json()).toMatchObject({
      choices: [{ message: { function_call: { name: "weather", arguments: ARGUMENTS } } }],
    });
  });

  test.each([
    ["no functions", "gpt-6.1-sol", { reasoning_effort: "high" }],
    [
      "a word that the model shall not think",
      "gpt-6.1-terra",
      { tools: [WEATHER], reasoning_effort: "none" },
    ],
    ["a model that thinks when it is asked to", "gpt-5.4", { tools: [WEATHER] }],
    ["an older model", "gpt-5.1", { tools: [WEATHER], reasoning_effort: "high" }],
  ])("stays on its own wire with %s", async (_name, model, more) => {
    const { response, paths } = await chat(model, more);
    expect([response.status, paths]).toEqual([200, ["/chat/completions"]]);
  });
});

describe("who says what the Responses wire has no word for", () => {
  const contents = [{ role: "user", parts: [{ text: "The weather in Oslo?" }] }];
  const declared = [{ functionDeclarations: [{ name: "weather", parameters: PARAMETERS }] }];
  const messages = [{ role: "user", content: "The weather in Oslo?" }];
  const tools = [{ name: "weather", input_schema: PARAMETERS }];

  test("beside functions is answered without it, and told so", async () => {
    const { response, paths } = await chat("gpt-6.1-sol", { tools: [WEATHER], seed: 7 });
    expect([response.status, paths]).toEqual([200, ["/responses"]]);
    expect(response.headers.get("x-faregate-dropped")).toBe("seed");
  });

  test("with any client", async () => {
    const gemini = await ask("/models/gpt-6.1-sol:generateContent", {
      ...{ contents, tools: declared, generationConfig: { seed: 7 } },
    });
    expect([gemini.response.status, gemini.paths]).toEqual([200, ["/responses"]]);
    expect(gemini.response.headers.get("x-faregate-dropped")).toContain("seed");
    const body = { model: "gpt-6.1-sol", messages, tools, max_tokens: 8 };
    const asked = await ask("/messages", body);
    expect([asked.response.status, asked.paths]).toEqual([200, ["/responses"]]);
    expect(asked.response.headers.get("x-faregate-dropped")).toContain("max_");
  });

  test("and cannot do without it is told which word it was, and nobody is asked", async () => {
    const body = { model: "gpt-6.1-sol", messages, tools, max_tokens: 100, stop_sequences: ["x"] };
    const { response, paths } = await ask("/messages", body);
    expect([response.status, paths]).toEqual([400, []]);
    expect(await response.text()).toContain("stop");
    const refused = await chat("gpt-6.1-sol", { tools: [WEATHER], stop: ["x"] });
    await expectError(refused.response, {
      ...{ status: 400, code: "unsupported_parameter", param: "stop" },
      message: /stop sequences/,
    });
    expect(refused.paths).toEqual([]);
  });
});
