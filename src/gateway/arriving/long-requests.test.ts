// Requests that are so long that they are read and written in steps.
import { expect, test } from "bun:test";
import { CHAT, gateway, type Send, theOnly } from "../../../test/support/houses/pipeline.ts";
import type { ClientRequest } from "../../protocols/wire.ts";
import { readRequest } from "../generate.ts";
import { NO_ENDS } from "./body.ts";

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

/** How many turns of the loop others have while something is done. */
async function turnsDuring(done: () => unknown): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await done();
  isOver = true;
  return turns;
}

test("a request that its wire words anew is written anew in steps", async () => {
  const { services } = gateway({ send: down });
  const words = Array.from({ length: 40 }, () => ({ text: "long ".repeat(50_000) }));
  const value = { contents: [{ parts: words }], system_instruction: { parts: words } };
  const text = JSON.stringify(value);
  const body = { value, text, ends: NO_ENDS };
  let request: ClientRequest | undefined;
  const turns = await turnsDuring(async () => {
    request = await readRequest(services.wires.gemini, body, { model: "m", stream: false });
  });
  const { contents, system_instruction: systemInstruction } = value;
  expect(request?.json.text).toBe(JSON.stringify({ contents, systemInstruction }));
  // To look for twins, to write it, to weigh it and to look through it: each has a turn for every half of a megabyte.
  expect(turns).toBeGreaterThanOrEqual((4 * text.length) / (512 * 1024) - 4);
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
