// Streams on the Responses wire from vendors of other wires, which repeat long instructions in several of their events.
import { describe, expect, test } from "bun:test";
import { count } from "../../../test/support/counts.ts";
import {
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  RESPONSES,
  STOP,
  theOnly,
} from "../../../test/support/houses/pipeline.ts";
import { ticksDuring } from "../../../test/support/waiting.ts";
import type { Remembered } from "../../conversations/conversations.ts";
import type { Services } from "../services.ts";

/** As much as is written in one tick of the event loop. */
const STEP_CHARS = 512 * 1024;
const LONG = 'be "kind"\n& brief; '.repeat(count(80_000, 200_000));
const ASKED = { ...RESPONSES, stream: true, store: false };
const CHAT_ANSWER = DELTA + STOP + COUNTS + event("[DONE]");

/** How often a stream repeats what was asked: as it is created, as it begins, and at its end. */
const REPEATED = 3;

const named = (data: { type: string }) => `event: ${data.type}\n${event(data)}`;

/** A short answer by a vendor of each wire. */
const ANSWERS = {
  chat: CHAT_ANSWER,
  messages: [
    { type: "message_start", message: { id: "m1", usage: { input_tokens: 10 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "12345678" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ]
    .map(named)
    .join(""),
  gemini: event({
    candidates: [{ content: { parts: [{ text: "12345678" }] }, finishReason: "STOP" }],
    responseId: "g1",
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2 },
  }),
};

type Vendor = keyof typeof ANSWERS;
type Setting = NonNullable<Parameters<typeof gateway>[0]>;

function answering(vendor: Vendor, more: Setting = {}) {
  const send = async () => new Response(ANSWERS[vendor]);
  return gateway({ endpoints: [vendor], send, ...more });
}

interface Report {
  readonly type: string;
  readonly response?: Readonly<Record<string, unknown>>;
}

function eventsIn(text: string): Report[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

/** Without what every answer has of its own. */
function unnamed(text: string): string {
  return text
    .replaceAll(/"(resp|msg)_\w+"/g, '"-"')
    .replaceAll(/"(created_at|completed_at)":\d+/g, '"$1":0');
}

function readerOf(response: Response) {
  return (response.body as ReadableStream<Uint8Array>).getReader();
}

/** What is left of a stream, write by write. */
async function writesOf(reader: ReturnType<typeof readerOf>): Promise<Uint8Array[]> {
  const writes: Uint8Array[] = [];
  for (;;) {
    const { value } = await reader.read();
    if (!value) return writes;
    writes.push(value);
  }
}

describe.each(Object.keys(ANSWERS) as Vendor[])(
  "long instructions, with a vendor of %s,",
  (vendor) => {
    test("are repeated in steps, between which others have their turns", async () => {
      const it = answering(vendor);
      const response = await it.post("responses", { ...ASKED, instructions: LONG });
      let writes: Uint8Array[] = [];
      const turns = await ticksDuring(async () => {
        writes = await writesOf(readerOf(response));
      });
      const events = eventsIn(Buffer.concat(writes).toString());
      const repeated = events.filter(({ response }) => response?.instructions === LONG);
      expect(repeated.map(({ type }) => type)).toEqual([
        "response.created",
        "response.in_progress",
        "response.completed",
      ]);
      expect(Math.max(...writes.map(({ length }) => length))).toBeLessThanOrEqual(STEP_CHARS);
      expect(turns).toBeGreaterThan((REPEATED * LONG.length) / STEP_CHARS);
      await theOnly(it);
    });

    test("are to the byte what short ones are, as all else that is repeated, and cost as much", async () => {
      const heard = async (said: string, alsoSaid: string) => {
        const it = answering(vendor);
        const tools = [{ type: "function", name: "f", description: alsoSaid, parameters: {} }];
        const asked = { ...ASKED, instructions: said, tools, user: alsoSaid };
        const text = await (await it.post("responses", asked)).text();
        const { charge } = await theOnly(it);
        return { text: unnamed(text), cost: charge.amount };
      };
      const short = await heard("SHORT", "ALSO SHORT");
      const wide = "狐\u2028😀 ".repeat(100_000);
      const long = await heard(LONG, wide);
      const expected = short.text
        .replaceAll('"SHORT"', () => JSON.stringify(LONG))
        .replaceAll('"ALSO SHORT"', () => JSON.stringify(wide));
      expect(expected.length).toBeGreaterThan(REPEATED * (LONG.length + wide.length));
      expect(long.text === expected).toBe(true);
      expect(long.cost).toBe(short.cost);
    });
  },
);

/** A stream with long instructions, of which the vendor has said no more than its first word. */
async function begun(more: Setting = {}, instructions = LONG) {
  const vendor = fed();
  const it = gateway({ endpoints: ["chat"], send: vendor.send, ...more });
  vendor.say(DELTA);
  const response = await it.post("responses", { ...ASKED, instructions });
  return { it, vendor, response };
}

/** So many turns that the next step is there if anybody has asked for it. */
async function someTurns(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

test("what an answer that breaks off says of itself has them too, in steps", async () => {
  const { it, vendor, response } = await begun();
  vendor.break();
  let writes: Uint8Array[] = [];
  const turns = await ticksDuring(async () => {
    writes = await writesOf(readerOf(response));
  });
  const failed = eventsIn(Buffer.concat(writes).toString()).at(-1);
  expect(failed).toMatchObject({ type: "response.failed", response: { status: "failed" } });
  expect(failed?.response?.instructions === LONG).toBe(true);
  expect(Math.max(...writes.map(({ length }) => length))).toBeLessThanOrEqual(STEP_CHARS);
  expect(turns).toBeGreaterThan((REPEATED * LONG.length) / STEP_CHARS);
  expect((await theOnly(it)).billingReason).toBe("upstream_failed");
});

describe.each([
  ["abort", "client_closed"],
  ["drain", "client_closed_finished"],
] as const)("a client whose vendor hears of it by %s,", (onDisconnect, reason) => {
  test("leaving at whichever step of the stream, pays once", async () => {
    const ends: string[] = [];
    for (let steps = 1; ends.at(-1) !== "completed"; steps++) {
      const { it, vendor, response } = await begun({ onDisconnect }, LONG.slice(0, 2 * STEP_CHARS));
      vendor.say(CHAT_ANSWER);
      vendor.end();
      const reader = readerOf(response);
      for (let i = 0; i < steps; i++) await reader.read();
      await reader.cancel();
      const { billingReason, charge } = await theOnly(it);
      expect(it.problems).toEqual([]);
      expect(charge.amount).toBeGreaterThan(0n);
      ends.push(billingReason);
    }
    expect(ends[0]).toBe(reason);
    // Of each of the events at its beginning several steps were taken.
    expect(ends.length).toBeGreaterThan(4);
  });
});

test("a client that takes nothing between two steps counts as gone", async () => {
  const { it, response } = await begun();
  const reader = readerOf(response);
  await reader.read();
  await someTurns();
  it.goTo(it.services.limits.client_idle_ms);
  await expect(writesOf(reader)).rejects.toThrow("takes nothing");
  expect((await theOnly(it)).billingReason).toBe("client_closed");
});

test("a client that takes nothing of the end has paid for its answer, and is let go", async () => {
  const it = answering("chat");
  const reader = readerOf(await it.post("responses", { ...ASKED, instructions: LONG }));
  while (it.settled.length === 0) await reader.read();
  await someTurns();
  it.goTo(it.services.limits.client_idle_ms);
  await expect(writesOf(reader)).rejects.toThrow("takes nothing");
  expect((await theOnly(it)).billingReason).toBe("completed");
});

test("no sign of life comes between the steps of an event", async () => {
  const { it, vendor, response } = await begun();
  vendor.say(CHAT_ANSWER);
  vendor.end();
  const reader = readerOf(response);
  const first = await reader.read();
  // The client waits for the next step, and the time for a sign has come before that is made.
  const second = reader.read();
  it.goTo(it.services.limits.keep_alive_ms);
  const writes = [first, await second].map(({ value }) => value ?? Buffer.of());
  const text = Buffer.concat([...writes, ...(await writesOf(reader))]).toString();
  expect(eventsIn(text).at(0)?.type).toBe("response.created");
  expect(text).not.toContain("keepalive");
  expect((await theOnly(it)).billingReason).toBe("completed");
});

test("a response that is stored has them as they were asked", async () => {
  const it = answering("chat");
  const kept: Remembered[] = [];
  const turns: Partial<Services["turns"]> = {
    enabled: true,
    wantsAll: false,
    expand: async () => undefined,
    remember: async (_reader, turn) => kept.push(turn) > 0,
  };
  Object.assign(it.services, { turns });
  const asked = { ...ASKED, store: true, instructions: LONG };
  const events = eventsIn(await (await it.post("responses", asked)).text());
  expect(kept).toHaveLength(1);
  expect(Bun.deepEquals(kept[0]?.response, events.at(-1)?.response)).toBe(true);
  await theOnly(it);
});
