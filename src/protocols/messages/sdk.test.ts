import { afterAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import { given } from "../../../test/support/clients/given.ts";
import { readConfig } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import type { CanonEvent } from "../canon.ts";
import { seal } from "../envelope.ts";
import { NO_USAGE } from "../usage.ts";
import type { ClientRequest } from "../wire.ts";
import streams from "./vendor-streams.json";
import { messagesWire } from "./wire.ts";

const wire = messagesWire(readConfig({}).limits);
const OPTIONS = { model: "ours-1.0", echo: {} };
const SETTLED = { cost: "0.25", usage: NO_USAGE, echo: {} };

/** What the client is given next, by whatever asks. */
let answer: () => Response = () => new Response(null, { status: 500 });
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => answer() });
const client = new Anthropic({
  apiKey: "none",
  baseURL: `http://127.0.0.1:${server.port}`,
  maxRetries: 0,
});
afterAll(() => server.stop(true));

/** A vendor's bytes on their way through the stream that keeps the end back. */
function passed(text: string): string {
  const pass = wire.openStream({} as ClientRequest, OPTIONS);
  const out = [pass.push(Buffer.from(text)), pass.close()];
  const end = pass.failure ? pass.fail(pass.failure) : pass.finish(SETTLED);
  return Buffer.concat([...out, pass.keepAlive(), end].map(given)).toString();
}

function written(events: readonly CanonEvent[]): string {
  const writer = wire.openWriter({} as ClientRequest, OPTIONS);
  return passed(events.map((event) => writer.write(event)).join(""));
}

/** The official client's own account of a stream. */
async function accumulate(text: string) {
  answer = () => new Response(text, { headers: { "content-type": "text/event-stream" } });
  const messages = [{ role: "user" as const, content: "hi" }];
  return client.messages.stream({ model: "m", max_tokens: 5, messages }).finalMessage();
}

const BEGIN: CanonEvent = { type: "begin", id: undefined };
const USAGE = { ...NO_USAGE, fresh: 7, cacheRead: 2, output: 9 };
const SEALED = seal("gemini", { signature: "s" });

const text = (said: string): CanonEvent[] => [
  { type: "item", item: { type: "message", role: "assistant", parts: [] } },
  { type: "text", delta: said.slice(0, 2) },
  { type: "text", delta: said.slice(2) },
  {
    type: "item_done",
    item: { type: "message", role: "assistant", parts: [{ type: "text", text: said }] },
  },
];

function call(callId: string, args: string): CanonEvent[] {
  const item = { type: "call", callId, name: "f", custom: false } as const;
  return [
    { type: "item", item: { ...item, arguments: "" } },
    { type: "arguments", delta: args.slice(0, 3) },
    { type: "arguments", delta: args.slice(3) },
    { type: "item_done", item: { ...item, arguments: args } },
  ];
}

const THOUGHT: CanonEvent[] = [
  { type: "item", item: { type: "reasoning", summary: [] } },
  { type: "summary", delta: "Let me see.", part: 0 },
  { type: "item_done", item: { type: "reasoning", summary: ["Let me see."], sealed: SEALED } },
];

describe("the official client reads our stream of", () => {
  test("text, with the counts and the cost", async () => {
    const end: CanonEvent = { type: "end", status: "completed", usage: USAGE };
    const message = await accumulate(written([BEGIN, ...text("Hello 漢字"), end]));
    expect(message.content as unknown[]).toEqual([{ type: "text", text: "Hello 漢字" }]);
    expect(message).toMatchObject({ model: "ours-1.0", stop_reason: "end_turn" });
    expect(message.usage).toMatchObject({
      input_tokens: 7,
      cache_read_input_tokens: 2,
      output_tokens: 9,
    });
  });

  test("a thought with its signature", async () => {
    const end: CanonEvent = { type: "end", status: "completed", usage: USAGE };
    const message = await accumulate(written([BEGIN, ...THOUGHT, ...text("391"), end]));
    expect(message.content as unknown[]).toEqual([
      { type: "thinking", thinking: "Let me see.", signature: SEALED },
      { type: "text", text: "391" },
    ]);
  });

  test("two calls at once", async () => {
    const end: CanonEvent = { type: "end", status: "completed", usage: USAGE };
    const calls = [...call("c1", '{"valley":"Inn"}'), ...call("c2", "{}")];
    const message = await accumulate(written([BEGIN, ...calls, end]));
    expect(message.stop_reason).toBe("tool_use");
    expect(message.content).toMatchObject([
      { type: "tool_use", id: "c1", name: "f", input: { valley: "Inn" } },
      { type: "tool_use", id: "c2", name: "f", input: {} },
    ]);
  });

  test("a refusal", async () => {
    const refused: CanonEvent[] = [
      { type: "item", item: { type: "message", role: "assistant", parts: [] } },
      { type: "refusal", delta: "I cannot." },
      {
        type: "item_done",
        item: {
          type: "message",
          role: "assistant",
          parts: [{ type: "refusal", text: "I cannot." }],
        },
      },
      { type: "end", status: "incomplete", reason: "content_filter", usage: USAGE },
    ];
    const message = await accumulate(written([BEGIN, ...refused]));
    expect(message.stop_reason).toBe("refusal");
    expect(message.content).toMatchObject([{ text: "I cannot." }]);
  });

  test("an answer cut short by its maximum", async () => {
    const end: CanonEvent = {
      type: "end",
      status: "incomplete",
      reason: "max_output_tokens",
      usage: USAGE,
    };
    const message = await accumulate(written([BEGIN, ...text("Once"), end]));
    expect(message.stop_reason).toBe("max_tokens");
  });
});

describe("the official client reads a vendor's stream that passed", () => {
  const bytes = (name: keyof typeof streams) =>
    streams[name].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join("");

  test("with thoughts, calls and searches", async () => {
    expect((await accumulate(passed(bytes("thinking")))).content).toMatchObject([
      { type: "thinking", thinking: "Let me see.", signature: "c2lnbmVk" },
      { type: "redacted_thinking" },
      { type: "text", text: "391" },
    ]);
    const called = await accumulate(passed(bytes("tools")));
    expect(called.content[1]).toMatchObject({ input: { valley: "Inn" } });
    const searched = await accumulate(passed(bytes("search")));
    expect(searched.usage.server_tool_use?.web_search_requests).toBe(2);
    expect(searched.content).toHaveLength(7);
  });

  test("and hears of a failure as one", async () => {
    const failure = accumulate(passed(bytes("error on the way")));
    await expect(failure).rejects.toMatchObject({ type: "overloaded_error" });
  });
});

describe("the official client reads our error of", () => {
  test.each([
    [new Fault("invalid_type", "wrong"), Anthropic.BadRequestError],
    [new Fault("invalid_api_key", "no"), Anthropic.AuthenticationError],
    [new Fault("model_not_found", "none"), Anthropic.NotFoundError],
    [new Fault("rate_limit_exceeded", "slow"), Anthropic.RateLimitError],
    [new Fault("upstream_unavailable", "gone"), Anthropic.InternalServerError],
  ])("%s", async (fault, kind) => {
    answer = () => new Response(wire.writeFault(fault, "req_1"), { status: fault.status });
    const asked = client.messages.create({
      model: "m",
      max_tokens: 5,
      messages: [{ role: "user", content: "hi" }],
    });
    const error = await asked.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(kind);
    expect(String(error)).toContain(fault.message);
  });
});
