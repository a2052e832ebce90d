// The official clients of this wire read what the writers make of another wire's answer.
import { afterAll, describe, expect, test } from "bun:test";
import { createOpenResponses } from "@ai-sdk/open-responses";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, streamText, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import { given } from "../../../test/support/clients/given.ts";
import { readText, textOf } from "../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../config/config.ts";
import type { AnswerStatus, CanonEvent, OutputItem } from "../canon.ts";
import { seal } from "../envelope.ts";
import { NO_USAGE } from "../usage.ts";
import type { ClientRequest } from "../wire.ts";
import { responsesWire } from "./wire.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;
const wire = responsesWire(readConfig({}).limits);
const USAGE = { ...NO_USAGE, fresh: 20, cacheRead: 10, output: 7, reasoning: 2 };
const END = { cost: undefined, usage: NO_USAGE, echo: {} };
const COMPLETED: AnswerStatus = { status: "completed" };

const message = (text: string): OutputItem => ({
  type: "message",
  role: "assistant",
  parts: [{ type: "text", text }],
});
const call = (callId: string, name: string, text: string, custom = false): OutputItem => ({
  type: "call",
  callId,
  name,
  custom,
  arguments: text,
});
const thought: OutputItem = {
  type: "reasoning",
  summary: ["Counting the letters."],
  sealed: seal("messages", { signature: "s" }),
};
const refusal: OutputItem = {
  type: "message",
  role: "assistant",
  parts: [{ type: "refusal", text: "I will not." }],
};

/** Answers by the model that is asked. */
const ANSWERS: Readonly<Record<string, readonly [readonly OutputItem[], AnswerStatus]>> = {
  text: [[message("Grüße, 你好")], COMPLETED],
  reasoning: [[thought, message("Three.")], COMPLETED],
  parallel: [[call("c1", "add", '{"a":1}'), call("c2", "add", '{"a":2}')], COMPLETED],
  custom: [[call("c3", "patch", "*** begin", true)], COMPLETED],
  refusal: [[refusal], COMPLETED],
  incomplete: [[message("Half a")], { status: "incomplete", reason: "max_output_tokens" }],
};

function deltas(item: OutputItem): CanonEvent[] {
  if (item.type === "reasoning") {
    return item.summary.map((delta, part) => ({ type: "summary", delta, part }));
  }
  if (item.type === "call") return [{ type: "arguments", delta: item.arguments }];
  if (item.type !== "message") return [];
  return item.parts.flatMap((part): CanonEvent[] => {
    if (part.type !== "text" && part.type !== "refusal") return [];
    return [...part.text].map((delta) => ({ type: part.type, delta }));
  });
}

function emptied(item: OutputItem): OutputItem {
  if (item.type === "message") return { ...item, parts: [] };
  return item.type === "call" ? { ...item, arguments: "" } : { type: "reasoning", summary: [] };
}

function answerStream(request: ClientRequest): Uint8Array {
  const [items = [], status = COMPLETED] = ANSWERS[request.model] ?? [];
  const options = { model: request.model, echo: {} };
  const writer = wire.openWriter(request, options);
  const pass = wire.openStream(request, options);
  const events: CanonEvent[] = [
    { type: "begin", id: "msg_of_another_wire" },
    ...items.flatMap((item): CanonEvent[] => [
      { type: "item", item: emptied(item) },
      ...deltas(item),
      { type: "item_done", item },
    ]),
    { type: "end", usage: USAGE, ...status },
  ];
  const pieces = events.map((event) => pass.push(Buffer.from(writer.write(event))));
  return Buffer.concat([...pieces, pass.finish(END)].map(given));
}

function answerWhole(request: ClientRequest): string {
  const [items = [], status = COMPLETED] = ANSWERS[request.model] ?? [];
  const options = { model: request.model, echo: {} };
  const written = wire.writeAnswer({ id: "x", items, usage: USAGE, ...status }, request, options);
  return textOf(readText(wire.readResult, JSON.stringify(written)).write(options, END));
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (incoming) => {
    const text = await incoming.text();
    const request = wire.readRequest(JSON.parse(text), text);
    if (request.stream) {
      const headers = { "content-type": "text/event-stream" };
      return new Response(answerStream(request), { headers });
    }
    return new Response(answerWhole(request), { headers: { "content-type": "application/json" } });
  },
});
afterAll(() => server.stop(true));

const baseURL = `http://127.0.0.1:${server.port}/v1`;
const client = new OpenAI({ baseURL, apiKey: "k", maxRetries: 0 });

const PARAMETERS = { type: "object" as const, properties: { a: { type: "number" as const } } };
const addTool = {
  type: "function" as const,
  name: "add",
  parameters: PARAMETERS,
  strict: false,
};
const customTool = { type: "custom" as const, name: "patch" };
const SCHEMA = {
  format: { type: "json_schema" as const, name: "n", schema: { type: "object" }, strict: true },
};

async function ask(model: string, more: object = {}) {
  const body = { model, input: "hi", tools: [addTool, customTool], ...more };
  const stream = client.responses.stream(body);
  const kinds: string[] = [];
  stream.on("event", ({ type }) => kinds.push(type));
  const streamed = await stream.finalResponse();
  const whole = await client.responses.create(body);
  const shape = (response: { output: unknown }) =>
    JSON.stringify(response.output, (name, value) =>
      ["id", "parsed", "parsed_arguments"].includes(name) ? undefined : value,
    );
  expect(shape(streamed)).toBe(shape(whole));
  expect(streamed.output_text).toBe(whole.output_text);
  expect(kinds.at(-1)).toBe(`response.${streamed.status}`);
  return streamed;
}

describe("openai", () => {
  test("text and its counts", async () => {
    const response = await ask("text");
    expect(response.output_text).toBe("Grüße, 你好");
    expect(response.usage).toMatchObject({
      input_tokens: 30,
      output_tokens: 7,
      total_tokens: 37,
      input_tokens_details: { cached_tokens: 10 },
      output_tokens_details: { reasoning_tokens: 2 },
    });
  });

  test("reasoning, sealed", async () => {
    const [first] = (await ask("reasoning")).output;
    expect(first).toMatchObject({
      type: "reasoning",
      summary: [{ type: "summary_text", text: "Counting the letters." }],
      encrypted_content: seal("messages", { signature: "s" }),
    });
  });

  test("parallel calls and a call with free text", async () => {
    const { output } = await ask("parallel");
    expect(output).toMatchObject([
      { type: "function_call", call_id: "c1", arguments: '{"a":1}' },
      { type: "function_call", call_id: "c2", arguments: '{"a":2}' },
    ]);
    expect((await ask("custom")).output).toMatchObject([
      { type: "custom_tool_call", call_id: "c3", name: "patch", input: "*** begin" },
    ]);
  });

  test("a refusal of a schema, and of anything else", async () => {
    const [refused] = (await ask("refusal", { text: SCHEMA })).output;
    expect(refused).toMatchObject({ content: [{ type: "refusal", refusal: "I will not." }] });
    expect((await ask("refusal")).output_text).toBe("I will not.");
  });

  test("an answer that was cut", async () => {
    expect(await ask("incomplete")).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "incomplete" }],
      output_text: "Half a",
    });
  });
});

const openai = createOpenAI({ baseURL, apiKey: "k" });
const openResponses = createOpenResponses({ name: "x", url: `${baseURL}/responses`, apiKey: "k" });

describe.each([
  ["@ai-sdk/openai", (id: string) => openai(id)],
  ["@ai-sdk/open-responses", (id: string) => openResponses(id)],
] as const)("%s", (_name, modelOf) => {
  const tools: ToolSet = { add: tool({ inputSchema: jsonSchema(PARAMETERS) }) };

  async function both(id: string) {
    const options = { model: modelOf(id), prompt: "hi", tools, maxRetries: 0 };
    const whole = await generateText(options);
    const stream = streamText({
      ...options,
      onError: ({ error }) => expect(error).toBeUndefined(),
    });
    await stream.consumeStream();
    const calls = (list: readonly { toolCallId: string; input: unknown }[]) =>
      list.map(({ toolCallId, input }) => [toolCallId, input]);
    const streamed = {
      text: await stream.text,
      reasoning: await stream.reasoningText,
      calls: calls(await stream.toolCalls),
      reason: await stream.finishReason,
      output: (await stream.usage).outputTokens,
    };
    expect(streamed).toEqual({
      text: whole.text,
      reasoning: whole.reasoningText,
      calls: calls(whole.toolCalls),
      reason: whole.finishReason,
      output: whole.usage.outputTokens,
    });
    return streamed;
  }

  test("text, reasoning and what was counted", async () => {
    expect(await both("text")).toMatchObject({ text: "Grüße, 你好", reason: "stop", output: 7 });
    const { reasoning, text } = await both("reasoning");
    expect([reasoning, text]).toEqual(["Counting the letters.", "Three."]);
  });

  test("parallel calls", async () => {
    const { calls, reason } = await both("parallel");
    expect([calls, reason]).toEqual([
      [
        ["c1", { a: 1 }],
        ["c2", { a: 2 }],
      ],
      "tool-calls",
    ]);
  });

  test("a refusal and an answer that was cut", async () => {
    expect((await both("refusal")).text).toBe("I will not.");
    expect(await both("incomplete")).toMatchObject({ text: "Half a", reason: "length" });
  });
});

test("@ai-sdk/openai reads a call with free text", async () => {
  const patch = openai.tools.customTool({ description: "Changes files." });
  const options = { model: openai("custom"), prompt: "hi", tools: { patch }, maxRetries: 0 };
  expect((await generateText(options)).toolCalls).toMatchObject([
    { toolName: "patch", input: "*** begin" },
  ]);
  const stream = streamText(options);
  expect(await stream.toolCalls).toMatchObject([{ toolName: "patch", input: "*** begin" }]);
});
