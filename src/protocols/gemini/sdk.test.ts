import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ApiError, type GenerateContentConfig, GoogleGenAI } from "@google/genai";
import { given } from "../../../test/support/clients/given.ts";
import { readText, textOf } from "../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import type { Answer, CanonEvent, OutputItem } from "../canon.ts";
import { seal } from "../envelope.ts";
import { toUsage } from "../usage.ts";
import type { ClientRequest } from "../wire.ts";
import { readGeminiPath } from "./path.ts";
import { geminiWire } from "./wire.ts";

/**
 * The vendor's own client against what this wire writes: a server answers every request with the
 * answer that is set, by the writer and the pass, as it does for the answer of any other vendor.
 */
const wire = geminiWire(readConfig({}).limits);
const OPTIONS = { model: "ours-1.0", echo: {} };
const USAGE = toUsage({ input: 10, output: 6, reasoning: 2 });
const END = { cost: "0.01", usage: USAGE, echo: {} };

let next: Answer = { id: "r1", items: [], usage: USAGE, status: "completed" };
let last: ClientRequest | undefined;
let failing: Fault | undefined;

function eventsOf(item: OutputItem): CanonEvent[] {
  const done: CanonEvent = { type: "item_done", item };
  if (item.type === "message") {
    const deltas = item.parts.flatMap((part) =>
      part.type === "text" ? [...part.text].map((delta) => ({ type: "text", delta }) as const) : [],
    );
    return [{ type: "item", item: { ...item, parts: [] } }, ...deltas, done];
  }
  if (item.type === "reasoning") {
    const deltas = item.summary.map((delta, part) => ({ type: "summary", delta, part }) as const);
    return [{ type: "item", item: { type: "reasoning", summary: [] } }, ...deltas, done];
  }
  return [{ type: "item", item }, done];
}

function streamed(request: ClientRequest): Response {
  const writer = wire.openWriter(request, OPTIONS);
  const pass = wire.openStream(request, OPTIONS);
  const { items, usage, id, ...status } = next;
  const events: CanonEvent[] = [{ type: "begin", id }, ...items.flatMap(eventsOf)];
  const pieces = events.map((event) => pass.push(Buffer.from(writer.write(event))));
  pieces.push(pass.keepAlive());
  if (failing) pieces.push(pass.fail(failing));
  else {
    pieces.push(pass.push(Buffer.from(writer.write({ type: "end", usage, ...status }))));
    pieces.push(pass.close(), pass.finish(END));
  }
  const body = Buffer.concat(pieces.map(given));
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function answer(incoming: Request): Promise<Response> {
  const headers = { "content-type": "application/json" };
  const path = readGeminiPath(new URL(incoming.url).pathname.split("/").at(-1) ?? "");
  const text = await incoming.text();
  try {
    if (!path) throw new Fault("unknown_url", "no such method");
    const stream = path.method === "streamGenerateContent";
    last = wire.readRequest(JSON.parse(text), text, { model: path.model, stream });
    if (stream) return streamed(last);
    if (failing) throw failing;
    const written = JSON.stringify(wire.writeAnswer(next, last, OPTIONS));
    const result = readText(wire.readResult, written);
    return new Response(textOf(result.write(OPTIONS, END)), { headers });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return new Response(wire.writeFault(thrown, "req_1"), { status: thrown.status, headers });
  }
}

let server: ReturnType<typeof Bun.serve>;
let client: GoogleGenAI;
beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  client = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: server.url.href } });
});
afterAll(() => server.stop(true));

async function ask(
  items: OutputItem[],
  config: GenerateContentConfig = {},
  status: Partial<Answer> = {},
) {
  failing = undefined;
  next = { id: "r1", items, usage: USAGE, status: "completed", ...status };
  const request = { model: "gemini-2.5-pro", contents: "hi", config };
  const whole = await client.models.generateContent(request);
  const chunks = [];
  for await (const each of await client.models.generateContentStream(request)) chunks.push(each);
  return { whole, chunks };
}

function says(text: string): OutputItem {
  return { type: "message", role: "assistant", parts: [{ type: "text", text }] };
}

function call(callId: string, name: string, args: object): OutputItem {
  return { type: "call", callId, name, custom: false, arguments: JSON.stringify(args) };
}

const SEALED = seal("messages", { signature: "s" });
const THOUGHT: OutputItem = { type: "reasoning", summary: ["hm"], sealed: SEALED };

test("the vendor's client reads text, our model, the usage and the cost", async () => {
  const { whole, chunks } = await ask([says("Grüße 漢字")]);
  expect(whole.text).toBe("Grüße 漢字");
  expect(chunks.map(({ text }) => text).join("")).toBe("Grüße 漢字");
  for (const end of [whole, chunks.at(-1)]) {
    expect(end?.modelVersion).toBe("ours-1.0");
    expect(end?.candidates?.[0]?.finishReason as string).toBe("STOP");
    expect(end?.usageMetadata as object).toEqual({
      promptTokenCount: 10,
      candidatesTokenCount: 4,
      thoughtsTokenCount: 2,
      totalTokenCount: 16,
      cost: 0.01,
      cost_exact: "0.01",
    });
  }
});

test("the vendor's client reads thoughts apart from the text", async () => {
  const config = { thinkingConfig: { includeThoughts: true } };
  const { whole, chunks } = await ask([THOUGHT, says("so")], config);
  expect(whole.text).toBe("so");
  expect(whole.candidates?.[0]?.content?.parts?.[0]).toEqual({
    text: "hm",
    thought: true,
    thoughtSignature: Buffer.from(SEALED).toString("base64"),
  });
  expect(chunks[0]?.candidates?.[0]?.content?.parts).toEqual([{ text: "hm", thought: true }]);
  expect(chunks.map(({ text }) => text ?? "").join("")).toBe("so");
});

describe("the vendor's client carries a conversation on", () => {
  test.each(["sendMessage", "sendMessageStream"] as const)(
    "by %s, state and calls included",
    async (method) => {
      failing = undefined;
      const turn = [THOUGHT, call("call_1", "f", { x: 1 }), call("call_2", "g", {})];
      next = { id: "r1", items: turn, usage: USAGE, status: "completed" };
      const chat = client.chats.create({
        model: "m",
        config: { thinkingConfig: { includeThoughts: true } },
      });
      const answered = await chat[method]({ message: "hi" });
      if (Symbol.asyncIterator in answered) for await (const _ of answered);
      const response = (name: string) => ({
        functionResponse: { name, response: { output: name } },
      });
      const second = await chat[method]({ message: [response("g"), response("f")] });
      if (Symbol.asyncIterator in second) for await (const _ of second);
      if (!last) throw new Error("nothing was asked");
      const { items } = wire.readConversation(last);
      expect(items.slice(1)).toMatchObject([
        THOUGHT,
        turn[1] as object,
        turn[2] as object,
        { type: "result", callId: "call_2", parts: [{ text: "g" }] },
        { type: "result", callId: "call_1", parts: [{ text: "f" }] },
      ]);
    },
  );
});

test("the vendor's client reads two calls made at once", async () => {
  const { whole, chunks } = await ask([call("1", "f", { x: 1 }), call("2", "f", { x: 2 })]);
  const expected = [
    { id: "1", name: "f", args: { x: 1 } },
    { id: "2", name: "f", args: { x: 2 } },
  ];
  expect(whole.functionCalls).toEqual(expected);
  expect(chunks.flatMap(({ functionCalls }) => functionCalls ?? [])).toEqual(expected);
});

test("the vendor's client reads why an answer is not complete", async () => {
  const filtered = { status: "incomplete", reason: "content_filter" } as const;
  const blocked = await ask([], {}, filtered);
  const cut = await ask([says("On")], {}, { status: "incomplete", reason: "max_output_tokens" });
  const reasonOf = (answer: typeof cut.whole | undefined) =>
    String(answer?.candidates?.[0]?.finishReason);
  expect([blocked.whole, blocked.chunks.at(-1)].map(reasonOf)).toEqual(["SAFETY", "SAFETY"]);
  expect(blocked.whole.text).toBeUndefined();
  expect([cut.whole, cut.chunks.at(-1)].map(reasonOf)).toEqual(["MAX_TOKENS", "MAX_TOKENS"]);
});

test("what the vendor's client asks for is understood", async () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const { whole } = await ask([says('{"a":"b"}')], {
    systemInstruction: "be brief",
    responseMimeType: "application/json",
    responseJsonSchema: schema,
    maxOutputTokens: 50,
    tools: [{ functionDeclarations: [{ name: "f", parametersJsonSchema: schema }] }],
  });
  expect(JSON.parse(whole.text ?? "")).toEqual({ a: "b" });
  if (!last) throw new Error("nothing was asked");
  expect(wire.readConversation(last)).toMatchObject({
    instructions: "be brief",
    maxOutput: 50,
    format: { type: "json_schema", schema },
    tools: [{ type: "function", name: "f", parameters: schema }],
    lost: [],
  });
});

describe("the vendor's client hears of a failure", () => {
  const fault = new Fault("rate_limit_exceeded", "too fast");
  const request = { model: "m", contents: "hi" };

  async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
    return promise.then(
      () => undefined,
      (thrown) => thrown,
    );
  }

  test("by its status before the first byte", async () => {
    failing = fault;
    const thrown = await thrownBy(client.models.generateContent(request));
    expect(thrown).toBeInstanceOf(ApiError);
    expect((thrown as ApiError).status).toBe(429);
    expect((thrown as ApiError).message).toContain("too fast");
  });

  test("and inside a stream that was going well", async () => {
    failing = fault;
    next = { id: "r1", items: [says("ab")], usage: USAGE, status: "completed" };
    const texts: unknown[] = [];
    const read = async () => {
      for await (const { text } of await client.models.generateContentStream(request))
        texts.push(text);
    };
    const thrown = await thrownBy(read());
    expect(thrown).toBeInstanceOf(ApiError);
    expect([(thrown as ApiError).status, texts]).toEqual([429, ["a", "b"]]);
  });
});
