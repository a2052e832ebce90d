// What real clients make of the answers that we write for them on this wire.
import { afterAll, describe, expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { type ModelMessage, streamText, type ToolSet, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";
import { given } from "../../../test/support/clients/given.ts";
import { readText, textOf } from "../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../config/config.ts";
import type { Answer, AnswerStatus, CanonEvent, OutputItem } from "../canon.ts";
import { seal } from "../envelope.ts";
import { NO_USAGE } from "../usage.ts";
import { chatWire } from "./wire.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;
const wire = chatWire(readConfig({}).limits);
const OPTIONS = { model: "ours-1.0", echo: {} };
const USAGE = { ...NO_USAGE, fresh: 7, cacheRead: 2, output: 5, reasoning: 2 };

interface Case {
  readonly items: readonly OutputItem[];
  readonly ending?: AnswerStatus;
}

const said: OutputItem = {
  ...{ type: "message", role: "assistant", parts: [{ type: "text", text: "Hello, wörld." }] },
};
const called = (callId: string, name: string): OutputItem => ({
  ...{ type: "call", callId, name, custom: false, arguments: `{"of":"${callId}"}` },
});
const signature = seal("gemini", { signature: "sig", call: "c1" });

/** The model's name in the request chooses what is answered. */
const CASES: Readonly<Record<string, Case>> = {
  text: { items: [said] },
  reasoning: {
    items: [{ type: "reasoning", summary: [], text: "hm", sealed: "state" }, said],
  },
  tools: {
    items: [
      { type: "reasoning", summary: [], sealed: signature },
      called("c1", "first"),
      called("c2", "second"),
    ],
  },
  refusal: {
    items: [
      { type: "message", role: "assistant", parts: [{ type: "refusal", text: "I will not." }] },
    ],
  },
  length: { items: [said], ending: { status: "incomplete", reason: "max_output_tokens" } },
};

/** The pieces of an item as a vendor would have sent them, three characters each. */
function eventsOf(item: OutputItem): CanonEvent[] {
  const pieces = (text: string) => text.match(/.{1,3}/gsu) ?? [];
  const events: CanonEvent[] = [];
  if (item.type === "message") {
    for (const part of item.parts) {
      const type = part.type === "refusal" ? "refusal" : "text";
      const text = "text" in part ? part.text : "";
      events.push(...pieces(text).map((delta) => ({ type, delta }) as const));
    }
    return [{ type: "item", item: { ...item, parts: [] } }, ...events, { type: "item_done", item }];
  }
  if (item.type === "call") {
    events.push(...pieces(item.arguments).map((delta) => ({ type: "arguments", delta }) as const));
    const empty = { ...item, arguments: "" };
    return [{ type: "item", item: empty }, ...events, { type: "item_done", item }];
  }
  if (item.type === "reasoning" && item.text) {
    events.push({ type: "thinking", delta: item.text });
  }
  return [
    { type: "item", item: { type: "reasoning", summary: [] } },
    ...events,
    { type: "item_done", item },
  ];
}

const bodies: Record<string, unknown>[] = [];

/** Answers as the gateway does: what is written passes through the stream of this very wire. */
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(incoming) {
    const text = await incoming.text();
    const request = wire.readRequest(JSON.parse(text), text);
    bodies.push(request.body);
    const { items, ending = { status: "completed" } } = CASES[request.model] as Case;
    const end = { cost: "0.5", usage: USAGE, echo: {} };
    if (!request.stream) {
      const answer: Answer = { id: "v1", items, usage: USAGE, ...ending };
      const written = JSON.stringify(wire.writeAnswer(answer, request, OPTIONS));
      const result = readText(wire.readResult, written);
      return new Response(textOf(result.write(OPTIONS, end)), {
        headers: { "content-type": "application/json" },
      });
    }
    const writer = wire.openWriter(request, OPTIONS);
    const events: CanonEvent[] = [
      { type: "begin", id: "v1" },
      ...items.flatMap(eventsOf),
      { type: "end", usage: USAGE, ...ending },
    ];
    const stream = wire.openStream(request, OPTIONS);
    const sent = events.map((event) => stream.push(Buffer.from(writer.write(event))));
    return new Response(Buffer.concat([...sent, stream.finish(end)].map(given)), {
      headers: { "content-type": "text/event-stream" },
    });
  },
});
afterAll(() => server.stop(true));

const baseURL = `http://127.0.0.1:${server.port}/v1`;
const openai = new OpenAI({ baseURL, apiKey: "none", maxRetries: 0 });
const compatible = createOpenAICompatible({ name: "ours", baseURL, includeUsage: true });
const messages = [{ role: "user" as const, content: "hi" }];
const parameters = { type: "object", properties: { of: { type: "string" } } };
const tools = ["first", "second"].map((name) => ({
  ...({ type: "function", function: { name, parameters } } as const),
}));

describe("the client of OpenAI", () => {
  const stream = (model: string) =>
    openai.chat.completions
      .stream({ model, messages, tools, stream_options: { include_usage: true } })
      .finalChatCompletion();
  const whole = (model: string) => openai.chat.completions.create({ model, messages, tools });

  test.each([
    ["stream", stream],
    ["whole", whole],
  ])("%s: text, usage and cost", async (_how, ask) => {
    const { choices, usage, model } = await ask("text");
    expect(choices[0]?.message.content).toBe("Hello, wörld.");
    expect(choices[0]?.finish_reason).toBe("stop");
    expect(model).toBe("ours-1.0");
    expect(usage).toMatchObject({
      prompt_tokens: 9,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 2 },
      cost: 0.5,
      cost_exact: "0.5",
    });
  });

  test.each([
    ["stream", stream],
    ["whole", whole],
  ])("%s: parallel calls", async (_how, ask) => {
    const { choices } = await ask("tools");
    expect(choices[0]?.finish_reason).toBe("tool_calls");
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: "c1", type: "function", function: { name: "first", arguments: '{"of":"c1"}' } },
      { id: "c2", type: "function", function: { name: "second", arguments: '{"of":"c2"}' } },
    ]);
  });

  test.each([
    ["stream", stream],
    ["whole", whole],
  ])("%s: a refusal, and a limit", async (_how, ask) => {
    const [refused] = (await ask("refusal")).choices;
    expect(refused?.message.refusal).toBe("I will not.");
    expect(refused?.message.content || null).toBeNull();
    expect((await ask("length")).choices[0]?.finish_reason).toBe("length");
  });

  test.each([
    ["stream", stream],
    ["whole", whole],
  ])("%s: a message sent back unchanged brings its thinking along", async (_how, ask) => {
    const first = (await ask("reasoning")).choices[0]?.message;
    const calls = (await ask("tools")).choices[0]?.message;
    const history = [first, calls] as OpenAI.ChatCompletionMessageParam[];
    const body = { model: "m", messages: [...messages, ...history, ...messages] };
    const read = wire.readConversation(wire.readRequest(body, JSON.stringify(body))).items;
    expect(read).toContainEqual(expect.objectContaining({ type: "reasoning", sealed: "state" }));
    const at = read.findIndex((item) => item.type === "call" && item.callId === "c1");
    expect(read[at - 1]).toMatchObject({ type: "reasoning", sealed: signature });
  });
});

describe("the AI SDK's client of compatible vendors", () => {
  const inputSchema = z.object({ of: z.string() });
  const known = { first: tool({ inputSchema }), second: tool({ inputSchema }) } as ToolSet;
  const ask = (model: string, prompt: ModelMessage[] = messages) =>
    streamText({ model: compatible(model), messages: prompt, tools: known });

  test("text, thinking and usage", async () => {
    const answer = ask("reasoning");
    expect(await answer.text).toBe("Hello, wörld.");
    expect(await answer.reasoningText).toBe("hm");
    expect(await answer.finishReason).toBe("stop");
    expect(await answer.usage).toMatchObject({ inputTokens: 9, outputTokens: 5 });
  });

  test("parallel calls, whose signature comes back with the next turn", async () => {
    const answer = ask("tools");
    expect((await answer.toolCalls).map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ["c1", { of: "c1" }],
      ["c2", { of: "c2" }],
    ]);
    expect(await answer.finishReason).toBe("tool-calls");
    const results: ModelMessage = {
      role: "tool",
      content: ["c1", "c2"].map((toolCallId, i) => ({
        ...{ type: "tool-result", toolCallId, toolName: i === 0 ? "first" : "second" },
        output: { type: "text", value: "done" },
      })) as never,
    };
    const { messages: history } = await answer.response;
    await ask("text", [...messages, ...history, results]).text;
    const sent = bodies.at(-1) ?? {};
    const { items } = wire.readConversation(wire.readRequest(sent, JSON.stringify(sent)));
    const at = items.findIndex((item) => item.type === "call" && item.callId === "c1");
    expect(items[at - 1]).toMatchObject({ type: "reasoning", sealed: signature });
    expect(items.slice(-2)).toMatchObject([
      { type: "result", callId: "c1" },
      { type: "result", callId: "c2" },
    ]);
  });

  test("a limit", async () => {
    expect(await ask("length").finishReason).toBe("length");
  });
});
