import { expect, test } from "bun:test";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { readConfig } from "../../config/config.ts";
import { steadyClock } from "../../lib/clock.ts";
import { closingQuote } from "../../lib/json/json-string.ts";
import { Watchdog } from "../../lib/threads/watchdog.ts";
import { type Body, BodyReader } from "./body.ts";
import { frameBody } from "./frame-body.ts";

const { limits } = readConfig({});
const watchdog = new Watchdog(steadyClock);
const TEXTS = ['"\n'.repeat(700_000), "plain ".repeat(200_000), "漢".repeat(300_000)];

test("a large message is the body that its turn would have over HTTP, made in steps", async () => {
  const input = TEXTS.map((text) => ({ role: "user", content: text }));
  const turn = { model: "sandbox-1.0", input, stream: true };
  const sent = JSON.stringify({ type: "response.create", stream_options: {}, ...turn });
  const reader = new BodyReader(limits, watchdog);
  const frame = await reader.hold(sent, "acct_1", "The message");
  let body: Body | undefined;
  const making = async () => {
    body = await frameBody(frame);
  };
  expect(await ticksDuring(making)).toBeGreaterThan(sent.length / 2 ** 20);
  const { text, value, ends } = body as Body;
  expect(text === JSON.stringify(turn)).toBe(true);
  expect(Bun.deepEquals(value, turn)).toBe(true);
  // Each of them is known, so that nobody has to go through it again.
  expect(ends.size).toBe(TEXTS.length);
  for (const [at, end] of ends) expect(end).toBe(closingQuote(text, at));
  body?.release();
  expect(reader.bytesInFlight).toBe(0);
});

test("a small message is there at once", async () => {
  const reader = new BodyReader(limits, watchdog);
  const frame = await reader.hold(
    '{"type":"response.create","input":"x"}',
    "acct_1",
    "The message",
  );
  expect(frameBody(frame)).toMatchObject({ text: '{"input":"x","stream":true}' });
});
