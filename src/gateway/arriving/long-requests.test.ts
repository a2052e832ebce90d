// Requests that are so long that they are read and written in steps.
import { expect, test } from "bun:test";
import { CHAT, gateway, type Send, theOnly } from "../../../test/support/houses/pipeline.ts";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { readCompactRequest } from "../../protocols/responses/request/compact.ts";
import type { ClientRequest, PassWire } from "../../protocols/wire.ts";
import type { Services } from "../services.ts";
import { NO_ENDS } from "./body.ts";
import { readRequest } from "./read-request.ts";

const down: Send = async () => new Response("{}", { status: 400 });

/** Every text of a value that is long. */
function longTexts(value: unknown): string[] {
  if (typeof value === "string") return value.length > 1_000 ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(longTexts) : [];
}

const TEXTS = ['😀 "quoted" \\ \n'.repeat(60_000), "plain ".repeat(50_000), "狐".repeat(300_000)];

test.each(["chat", "responses", "messages", "gemini"] as const)(
  "a vendor of %s reads what the client wrote",
  async (endpoint) => {
    const it = gateway({ endpoints: [endpoint], send: down });
    const content = TEXTS.map((text) => ({ type: "text", text }));
    await it.post("chat", { ...CHAT, messages: [{ role: "user", content }] }).catch(() => {});
    await theOnly(it);
    expect(longTexts(it.calls[0]?.body)).toEqual(TEXTS);
  },
);

const WORDS = Array.from({ length: 40 }, () => "long ".repeat(50_000));

/** Reads a body as a wire does, and tells how many turns others had. */
async function readIn(wire: (services: Services) => PassWire, value: object) {
  const { services } = gateway({ send: down });
  const body = { value, text: JSON.stringify(value, null, 1), ends: NO_ENDS };
  const read = async () => readRequest(wire(services), body, { model: "m", stream: false });
  let request: ClientRequest | undefined;
  const turns = await ticksDuring(async () => {
    request = await read();
  });
  // To look for twins, to write it, to weigh it and to look through it: each has a tick for every half of a megabyte.
  const least = (4 * body.text.length) / (512 * 1024) - 4;
  return { text: request?.json.text, turns, least };
}

test("a request that its wire words anew is written anew in steps", async () => {
  const parts = WORDS.map((text) => ({ text }));
  const value = { contents: [{ parts }], system_instruction: { parts } };
  const { text, turns, least } = await readIn(({ wires }) => wires.gemini, value);
  const { contents, system_instruction: systemInstruction } = value;
  expect(text).toBe(JSON.stringify({ contents, systemInstruction }));
  expect(turns).toBeGreaterThanOrEqual(least);
});

test("so is the request for a summary of what is to be compacted", async () => {
  const input = WORDS.map((content) => ({ role: "user", content }));
  const value = { model: "m", instructions: "Shortly.", input, temperature: 1 };
  const compacting = ({ wires, limits }: Services): PassWire => ({
    ...wires.responses,
    readRequest: (body, text) => readCompactRequest(body, text, limits),
  });
  const { text = "", turns, least } = await readIn(compacting, value);
  const asked = JSON.parse(text);
  expect(asked.input.slice(0, -1)).toEqual(input);
  expect([asked.temperature, asked.instructions, asked.store]).toEqual([
    undefined,
    "Shortly.",
    false,
  ]);
  expect(turns).toBeGreaterThanOrEqual(least);
});

test.each([true, false])(
  "a client that leaves before a vendor is asked, at whichever step, has none asked (stream: %p)",
  async (stream) => {
    const messages = [{ role: "user", content: "long ".repeat(40_000) }];
    const ends: string[] = [];
    for (let turns = 0; ; turns++) {
      const it = gateway({ send: down });
      const client = new AbortController();
      const posted = it.post("chat", { ...CHAT, stream, messages }, client.signal).catch(() => {});
      for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
      if (it.calls.length > 0) break;
      client.abort();
      await posted;
      await it.services.tasks.settled();
      expect([it.calls.length, it.open.size, it.problems]).toEqual([0, 0, []]);
      ends.push(...it.settled.map(({ kind, receipt }) => `${kind} ${receipt.status}`));
    }
    // Some of them while something was held for them already.
    expect(new Set(ends)).toEqual(new Set(["void 499"]));
  },
);
