import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { given } from "../../../test/support/clients/given.ts";
import { count } from "../../../test/support/counts.ts";
import { processorMs } from "../../../test/support/load/processor-time.ts";
import { type Model, shippedCatalogue } from "../../catalogue/models.ts";
import { readConfig } from "../../config/config.ts";
import type { Writes } from "../../protocols/bytes/writes.ts";
import type { CanonEvent, OutputItem } from "../../protocols/canon.ts";
import { openTranslation } from "../../protocols/translation/translate.ts";
import { NO_USAGE } from "../../protocols/usage.ts";
import type { ClientRequest, Endpoint } from "../../protocols/wire.ts";
import { openWires } from "../../protocols/wires.ts";
import { MeteredStream } from "./metered-stream.ts";

const wires = openWires(readConfig({}).limits);
const ENDPOINTS: readonly Endpoint[] = ["chat", "responses", "messages", "gemini"];
const OPTIONS = { model: "gpt-4.1", echo: {} };
const DIALECT = { developerRole: true, customTools: true };
const MODEL = shippedCatalogue().find("gpt-4.1") as Model;

const BODIES: Readonly<Record<Endpoint, object>> = {
  chat: { model: "gpt-4.1", stream: true, messages: [{ role: "user", content: "x" }] },
  responses: { model: "gpt-4.1", stream: true, input: "x" },
  messages: {
    model: "gpt-4.1",
    stream: true,
    max_tokens: 9_000,
    messages: [{ role: "user", content: "x" }],
  },
  gemini: { contents: [{ role: "user", parts: [{ text: "x" }] }] },
};

function requestOf(endpoint: Endpoint): ClientRequest {
  const body = BODIES[endpoint];
  return wires[endpoint].readRequest(body, JSON.stringify(body), {
    model: "gpt-4.1",
    stream: true,
  });
}

const WORDS = 'Der Hund said 漢字 and 😀 went home, twice: {"a": 1}\n'.split(/(?<= )/);

/** A message of so many words, then a call. */
function answerOf(words: number): { events: CanonEvent[]; text: string; args: string } {
  const deltas = Array.from({ length: words }, (_, i) => WORDS[i % WORDS.length] as string);
  const text = deltas.join("");
  const parts = [{ type: "text", text }] as const;
  const message: OutputItem = { type: "message", role: "assistant", parts };
  const args = JSON.stringify({ city: "Ulm ".repeat(20) });
  const call: OutputItem = {
    type: "call",
    callId: "call_1",
    name: "look",
    custom: false,
    arguments: args,
  };
  return {
    text,
    args,
    events: [
      { type: "begin", id: "msg_1" },
      { type: "item", item: { ...message, parts: [] } },
      ...deltas.map((delta) => ({ type: "text", delta }) as const),
      { type: "item_done", item: message },
      { type: "item", item: { ...call, arguments: "" } },
      { type: "arguments", delta: args.slice(0, 30) },
      { type: "arguments", delta: args.slice(30) },
      { type: "item_done", item: call },
      { type: "end", status: "completed", usage: { ...NO_USAGE, fresh: 5, output: 9 } },
    ],
  };
}

/** As a vendor of this wire streams it, in pieces of these sizes. */
function chunksOf(endpoint: Endpoint, words: number, sizes: readonly number[]): Uint8Array[] {
  const writer = wires[endpoint].openWriter(requestOf(endpoint), OPTIONS);
  const { events } = answerOf(words);
  const bytes = Buffer.from(events.map((event) => writer.write(event)).join(""));
  const chunks: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] as number;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

interface Streamed {
  readonly out: Uint8Array[];
  readonly stream: MeteredStream;
  take(writes: Writes | undefined): void;
}

function open(client: Endpoint, vendor: Endpoint, limit: number | (() => number)): Streamed {
  const translation = openTranslation(wires[client], wires[vendor], requestOf(client), DIALECT);
  const pass = translation.openStream(OPTIONS);
  const stream = new MeteredStream(
    pass,
    wires[vendor].openTrack(),
    MODEL,
    typeof limit === "number" ? () => limit : limit,
  );
  const out: Uint8Array[] = [];
  const take = (writes: Writes | undefined) => {
    if (writes) out.push(given(writes));
  };
  return { out, stream, take };
}

/** What a client of the wire makes of the bytes. */
function readAs(client: Endpoint, bytes: readonly Uint8Array[]) {
  const reader = wires[client].openReader();
  const events = [...reader.push(Buffer.concat(bytes)), ...reader.close()];
  const joined = (type: "text" | "arguments") =>
    events.map((event) => (event.type === type ? event.delta : "")).join("");
  const end = events.find(({ type }) => type === "end" || type === "failed");
  return { text: joined("text"), args: joined("arguments"), end };
}

const END = { cost: "0.1", usage: { ...NO_USAGE, fresh: 5, output: 9 }, mended: true, echo: {} };

const pairs = ENDPOINTS.flatMap((client) => ENDPOINTS.map((vendor) => [client, vendor] as const));
const sizes = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 5 });

test.each(ENDPOINTS)("an end marker takes nothing of the allowance: %s", (vendor) => {
  const { stream } = open(vendor, vendor, 1);
  stream.push(Buffer.from("data: [DONE]\n\n"));
  expect(stream.isFull).toBe(false);
});

describe.each(pairs)("a %s client of a %s vendor", (client, vendor) => {
  test("has its answer ended where the allowance ends, as one that reached a maximum", () => {
    const facts = fc.record({ limit: fc.integer({ min: 1, max: 400 }), sizes });
    fc.assert(
      fc.property(facts, ({ limit, sizes }) => {
        const whole = answerOf(300);
        const { out, stream, take } = open(client, vendor, limit);
        for (const chunk of chunksOf(vendor, 300, sizes)) {
          if (stream.isFull) break;
          take(stream.push(chunk));
        }
        expect([stream.isFull, stream.ended]).toEqual([true, false]);
        take(stream.cutShort());
        expect([stream.ended, stream.failure, stream.isCut]).toEqual([true, undefined, true]);
        take(stream.finish(END));
        const { text, args, end } = readAs(client, out);
        expect(whole.text.startsWith(text)).toBe(true);
        expect(args).toBe("");
        expect(end).toMatchObject({
          type: "end",
          status: "incomplete",
          reason: "max_output_tokens",
        });
        // Plain estimates are far below the bound, and nothing of what was kept back is in them.
        expect(stream.outputTokens).toBeLessThanOrEqual(limit);
      }),
      { numRuns: count(5, 15) },
    );
  });

  test("that is given more allowance whenever it is full gets all of it", () => {
    fc.assert(
      fc.property(sizes, (sizes) => {
        const whole = answerOf(60);
        let limit = 1;
        const { out, stream, take } = open(client, vendor, () => limit);
        const widen = () => {
          while (stream.isFull) {
            limit += 7;
            take(stream.resume());
          }
        };
        for (const chunk of chunksOf(vendor, 60, sizes)) {
          take(stream.push(chunk));
          widen();
        }
        take(stream.close());
        widen();
        expect([stream.ended, stream.failure, stream.isCut]).toEqual([true, undefined, false]);
        take(stream.finish(END));
        const { text, args, end } = readAs(client, out);
        expect([text, JSON.parse(args)]).toEqual([whole.text, JSON.parse(whole.args)]);
        expect(end).toMatchObject({ type: "end", status: "completed" });
      }),
      { numRuns: count(4, 10) },
    );
  });

  test("may be cut in the middle of a call", () => {
    const { out, stream, take } = open(client, vendor, 70);
    for (const chunk of chunksOf(vendor, 3, [50_000])) take(stream.push(chunk));
    expect(stream.isFull).toBe(true);
    take(stream.cutShort());
    take(stream.finish(END));
    const { end } = readAs(client, out);
    expect(end).toMatchObject({ type: "end", status: "incomplete", reason: "max_output_tokens" });
  });
});

test("half of the allowance is known before it is used up", () => {
  const { stream, take } = open("chat", "chat", 200);
  const [first = new Uint8Array(), ...rest] = chunksOf("chat", 300, [2_000]);
  take(stream.push(first));
  expect(stream.isHalfFull).toBe(false);
  for (const chunk of rest) if (!stream.isHalfFull) take(stream.push(chunk));
  expect([stream.isHalfFull, stream.isFull]).toEqual([true, false]);
});

test("an answer of very many calls costs as much more to measure as it is longer", async () => {
  const call = (index: number) => {
    const tool_calls = [{ index, id: `c${index}`, function: { name: "f", arguments: "{}" } }];
    const choices = [{ index: 0, delta: { tool_calls }, finish_reason: null }];
    return Buffer.from(`data: ${JSON.stringify({ id: "c", model: "v", choices })}\n\n`);
  };
  const cost = (calls: number) =>
    processorMs(() => {
      const { stream } = open("chat", "chat", Number.POSITIVE_INFINITY);
      for (let i = 0; i < calls; i++) stream.push(call(i));
      expect(stream.isFull).toBe(false);
    });
  await cost(2_000);
  const [short, long] = [await cost(2_000), await cost(count(16_000, 40_000))];
  expect(long / Math.max(short, 10)).toBeLessThan(count(40, 100));
});

test("an event that cannot be read counts by its bytes", () => {
  const { stream } = open("responses", "responses", 20);
  expect(() => stream.push(Buffer.from('data: {"type": 1}\n\n'))).toThrow();
  expect(
    stream.push(Buffer.from("data: {not json at all, and longer than the allowance\n\n")),
  ).toBeUndefined();
  expect(stream.isFull).toBe(true);
});
