// Whole answers that are so long that they are read and written in steps.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { count } from "../../../test/support/counts.ts";
import {
  CHAT,
  gateway,
  RESPONSES,
  theOnly,
  thrownBy,
} from "../../../test/support/houses/pipeline.ts";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { isLarge } from "../../lib/yield-to-loop.ts";

type Channel = NonNullable<Parameters<typeof gateway>[0]>;
type VendorEndpoint = NonNullable<Channel["endpoints"]>[number];

interface Spoken {
  readonly ask: object;
  /** A good answer of a vendor that says this, with something of the vendor's own in it. */
  answer(said: string, own: string): string;
}

const asked = { role: "user", content: "Say hello." };

const SPOKEN: Readonly<Record<VendorEndpoint, Spoken>> = {
  chat: {
    ask: CHAT,
    answer: (said, own) =>
      `{"id":"c1","object":"chat.completion","created":1794800000,"model":"v","own":${own},"choices":[{"index":0,` +
      `"message":{"role":"assistant","content":${said}},"finish_reason":"stop"}],` +
      '"usage":{"prompt_tokens":10,"completion_tokens":2,"cost":5}}',
  },
  responses: {
    ask: RESPONSES,
    answer: (said, own) =>
      `{"id":"resp_1","object":"response","created_at":1794800000,"status":"completed","model":"v","own" : ${own},` +
      `"output":[{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":${said}}]}],` +
      '"usage":{"input_tokens":10,"output_tokens":2,"total_tokens":12}}',
  },
  messages: {
    ask: { model: CHAT.model, max_tokens: 64, messages: [asked] },
    answer: (said, own) =>
      `{"id":"m1","type":"message","role":"assistant","model":"v","content":[{"type":"text","text":${said}}],` +
      `"stop_reason":"end_turn","own":${own},"usage":{"input_tokens":10,"output_tokens":2}}`,
  },
  gemini: {
    ask: { contents: [{ role: "user", parts: [{ text: "Say hello." }] }] },
    answer: (said, own) =>
      `{"candidates":[{"content":{"role":"model","parts":[{"text":${said}}]},"finishReason":"STOP"}],"own":${own},` +
      '"responseId":"g1","modelVersion":"v","usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2}}',
  },
  embeddings: {
    ask: { model: "sandbox-embedding-1.0", input: "Say hello." },
    answer: (said, own) =>
      `{"object":"list","model":"v","said":${said},"data":[{"object":"embedding","index":0,"embedding":${own}}],` +
      '"usage":{"prompt_tokens":10,"total_tokens":10}}',
  },
};

const WIRES = Object.keys(SPOKEN) as VendorEndpoint[];

/** A gateway whose vendor of a wire answers with these bytes. */
function answering(wire: VendorEndpoint, body: string | Uint8Array<ArrayBuffer>) {
  const it = gateway({ endpoints: [wire], send: async () => new Response(body) });
  return { ...it, ask: (signal?: AbortSignal) => it.post(wire, SPOKEN[wire].ask, signal) };
}

async function heardOf(wire: VendorEndpoint, body: string | Uint8Array<ArrayBuffer>) {
  const it = answering(wire, body);
  const response = await it.ask();
  const text = await response.text();
  const { status, charge } = await theOnly(it);
  expect([response.headers.get("content-type"), status]).toEqual(["application/json", 200]);
  return { text, cost: charge.amount, header: response.headers.get("x-faregate-cost") };
}

const LONG = 200_000;
/** As JSON, each of them longer than what is worked on at once. */
const LONG_VALUES = {
  letters: JSON.stringify("狐 & fox ".repeat(LONG / 8)),
  escapes: JSON.stringify('"\n\\😀'.repeat(LONG / 4)),
  numbers: JSON.stringify(Array.from({ length: LONG / 10 }, (_, i) => i / 7)),
  objects: JSON.stringify(Array.from({ length: LONG / 20 }, (_, i) => ({ i, list: [i, "x"] }))),
};

test("a large answer that cannot be put together is none, and costs nothing", async () => {
  const it = answering("chat", SPOKEN.chat.answer('"hello"', `"${"x".repeat(5_000_000)}"`));
  it.services.threads.join = () => Promise.reject(new Error("not in time"));
  await expect(it.ask()).rejects.toThrow();
  const { charge } = await theOnly(it);
  expect([charge.amount, it.settled[0]?.kind]).toEqual([0n, "void"]);
});

test("a large answer of which no text can be made is none, and costs nothing", async () => {
  const it = answering("chat", SPOKEN.chat.answer('"hello"', `"${"x".repeat(5_000_000)}"`));
  it.services.threads.mend = () => Promise.reject(new Error("not in time"));
  expect((await thrownBy(it.ask())).fault).toBe("upstream_unavailable");
  const { charge } = await theOnly(it);
  expect([charge.amount, it.settled[0]?.kind]).toEqual([0n, "void"]);
});

test("a short answer that repeats a large request in another wire's words gives others their turns", async () => {
  const reply = SPOKEN.chat.answer('"hello"', "1");
  const it = gateway({ endpoints: ["chat"], send: async () => new Response(reply) });
  const instructions = "be kind ".repeat(500_000);
  const asked = await ticksDuring(() => it.post("chat", { ...CHAT, instructions }));
  let told = "";
  const repeated = await ticksDuring(async () => {
    told = await (await it.post("responses", { ...RESPONSES, instructions })).text();
  });
  expect(JSON.parse(told)).toMatchObject({ instructions });
  // It is written and encoded half a megabyte at a time.
  expect(repeated - asked).toBeGreaterThanOrEqual(instructions.length / (512 * 1024));
});

describe.each(WIRES)("a large answer of %s", (wire) => {
  const { answer } = SPOKEN[wire];

  test("is to the byte what a short one is, and costs as much", async () => {
    const said = fc
      .string({ unit: anyCharacter, maxLength: 30 })
      .map((text) => JSON.stringify(text));
    const own = fc.constantFrom(...Object.values(LONG_VALUES));
    const same = fc.asyncProperty(said, own, async (text, long) => {
      const large = answer(text, long);
      expect(isLarge(large)).toBe(true);
      const { text: written, ...money } = await heardOf(wire, answer(text, '"OWN"'));
      const heard = await heardOf(wire, large);
      expect(heard.text === written.replace('"OWN"', () => long)).toBe(true);
      expect(heard).toMatchObject(money);
    });
    await fc.assert(same, { numRuns: count(6, 60) });
  });

  test.each(Object.entries(LONG_VALUES))("may say much: %s", async (_name, long) => {
    const { text } = await heardOf(wire, answer(long, "[1.0]"));
    // What the vendor wrote goes through as it stands.
    expect(text).toContain(long);
    expect(text).toContain("[1.0]");
  });

  test.each([count(1, 3), count(5, 6)])("of %p MB leaves others their turns", async (megabytes) => {
    const numbers = `[${"0.0123456789,".repeat((megabytes * 2 ** 20) / 13)}1]`;
    const it = answering(wire, answer('"hello"', numbers));
    const turns = await ticksDuring(async () => (await it.ask()).text());
    // Parsed in steps, and written in others.
    expect(turns).toBeGreaterThan((numbers.length / 2 ** 20) * 4);
    await theOnly(it);
  });

  test.each(["not JSON", "cut short"])("that is %s is none, and costs nothing", async (how) => {
    const whole = answer('"hello"', LONG_VALUES.numbers);
    const it = answering(wire, how === "cut short" ? whole.slice(0, -1) : `${whole}x`);
    const fault = await thrownBy(it.ask());
    expect([fault.status, fault.fault]).toEqual([503, "upstream_unavailable"]);
    const { charge } = await theOnly(it);
    expect([charge.amount, it.settled[0]?.kind]).toEqual([0n, "void"]);
  });

  test.each([0, 200_000, 5_000_000])(
    "has other characters in place of bytes that are none, with %p before them",
    async (before) => {
      const [start = "", end = ""] = answer('"BYTES"', `"${"x".repeat(before)}"`).split("BYTES");
      const wrong = [0xe7, 0x8b, 0xff, 0xf0, 0x9f, 0x98, 0xc0, 0x80, 0x41];
      const bytes = Buffer.concat([Buffer.from(start), Buffer.from(wrong), Buffer.from(end)]);
      const mended = new TextDecoder().decode(bytes);
      const heard = await heardOf(wire, new Uint8Array(bytes));
      const asMended = await heardOf(wire, mended);
      expect(heard.text === asMended.text).toBe(true);
    },
  );
});

/** Without what every answer has of its own. */
function unnamed(text: string): unknown {
  return JSON.parse(text, (name, value) =>
    ["id", "created", "created_at", "completed_at", "responseId"].includes(name) ? "-" : value,
  );
}

const TALKING = ["chat", "responses", "messages", "gemini"] as const;
const TRANSLATED = TALKING.flatMap((client) =>
  TALKING.filter((vendor) => vendor !== client).map((vendor) => [client, vendor] as const),
);

/** What a client of one wire hears of a vendor of another. */
async function translated(client: VendorEndpoint, vendor: VendorEndpoint, body: string) {
  const it = gateway({ endpoints: [vendor], send: async () => new Response(body) });
  let text = "";
  const turns = await ticksDuring(async () => {
    text = await (await it.post(client, SPOKEN[client].ask)).text();
  });
  const { charge } = await theOnly(it);
  return { text, turns, cost: charge.amount };
}

describe.each(TRANSLATED)("a client of %s with a vendor of %s", (client, vendor) => {
  const { answer } = SPOKEN[vendor];

  test("hears of a large answer what it would hear of a short one", async () => {
    const long = "a fox; ".repeat(count(100_000, 300_000));
    const short = await translated(client, vendor, answer('"SAID"', "1"));
    const large = await translated(client, vendor, answer(JSON.stringify(long), "1"));
    expect(large.cost).toBe(short.cost);
    expect(Bun.deepEquals(unnamed(large.text), unnamed(short.text.replaceAll("SAID", long)))).toBe(
      true,
    );
    // What the vendor wrote is parsed in steps, and what is written of it is encoded in steps.
    expect(large.turns).toBeGreaterThan((long.length / 2 ** 20) * 5);
  });
});

test("a client that leaves at whichever step of a large answer pays for it once", async () => {
  const body = SPOKEN.chat.answer('"hello"', LONG_VALUES.numbers);
  const ends = new Set<string>();
  for (let turns = 0; ; turns++) {
    const it = answering("chat", body);
    const client = new AbortController();
    let isAnswered = false;
    const posted = it.ask(client.signal).then(
      () => {
        isAnswered = true;
      },
      () => {},
    );
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    if (isAnswered) break;
    client.abort();
    await posted;
    const { status, charge } = await theOnly(it);
    expect(it.problems).toEqual([]);
    if (it.calls.length > 0) ends.add(`${status} ${charge.amount > 0n}`);
  }
  expect(ends).toContain("200 true");
});
