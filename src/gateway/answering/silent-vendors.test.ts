// A vendor that sends blank lines and comments instead of events.
import { describe, expect, test } from "bun:test";
import {
  CHAT,
  COUNTS,
  DELTA,
  event,
  fed,
  gateway,
  STOP,
  theOnly,
  thrownBy,
} from "../../../test/support/houses/pipeline.ts";
import { SILENT_BYTES_MAX } from "../../protocols/bytes/sse.ts";
import type { Endpoint } from "../../protocols/wire.ts";

const WIRES: readonly Endpoint[] = ["chat", "responses", "messages", "gemini"];
const NOISES = {
  "blank lines": "\n",
  comments: ": wait\n\n",
  "blank lines with CR": "\r\n",
  "lone CRs": "\r",
  "names without data": "event: a\nid: 1\n\n",
  "lines of data that are blank": "data:  \t\n\n",
  "bodies that are none": "{\n\n",
  "empty bodies": "[]\n\n",
  "byte order marks": "\uFEFF\n\n",
};
const SAID = `the vendor has sent ${SILENT_BYTES_MAX} bytes without an event`;

const noiseOf = (piece: string) => piece.repeat(SILENT_BYTES_MAX / piece.length + 1);

/** What each wire says that a client of chat hears of at once. */
const BEGINNINGS: Readonly<Record<Endpoint, string>> = {
  chat: DELTA,
  responses:
    event({ type: "response.created", response: { id: "r", status: "in_progress", output: [] } }) +
    event({
      ...{ type: "response.output_item.added", output_index: 0 },
      item: { id: "m", type: "message", role: "assistant", status: "in_progress", content: [] },
    }) +
    event({
      ...{ type: "response.output_text.delta", output_index: 0, content_index: 0 },
      ...{ item_id: "m", delta: "12345678" },
    }),
  messages:
    event({ type: "message_start", message: { id: "m", content: [], usage: {} } }) +
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    event({
      ...{ type: "content_block_delta", index: 0 },
      delta: { type: "text_delta", text: "12345678" },
    }),
  gemini: event({ candidates: [{ content: { parts: [{ text: "12345678" }] } }] }),
};

describe.each(Object.keys(NOISES) as (keyof typeof NOISES)[])("%s", (kind) => {
  const piece = NOISES[kind];

  test.each(WIRES)("without an event before them are no answer: %s", async (vendor) => {
    const send = async () => new Response(noiseOf(piece));
    const it = gateway({ endpoints: [vendor], send });
    const fault = await thrownBy(it.post("chat", { ...CHAT, stream: true }));
    expect([fault.status, fault.fault]).toEqual([503, "upstream_unavailable"]);
    expect(it.services.routes.status()[0]).toMatchObject({
      faults: 1,
      lastError: { kind: "vendor" },
    });
    const { attempts, charge } = await theOnly(it);
    expect(charge.amount).toBe(0n);
    expect(attempts.at(-1)?.message).toContain(SAID);
  });

  test.each(WIRES)("behind an event end the stream as its vendor's failure: %s", async (wire) => {
    const vendor = fed();
    const it = gateway({ endpoints: [wire], send: vendor.send });
    vendor.say(BEGINNINGS[wire]);
    const response = await it.post("chat", { ...CHAT, stream: true });
    vendor.say(noiseOf(piece));
    const text = await response.text();
    expect(text).toContain("12345678");
    expect(text).toContain("upstream_unavailable");
    expect(it.calls[0]?.signal.aborted).toBe(true);
    const receipt = await theOnly(it);
    expect(receipt.billingReason).toBe("upstream_failed");
    expect(receipt.attempts.at(-1)?.message).toContain(SAID);
  });
});

test("comments within the limit keep a connection alive", async () => {
  const vendor = fed();
  const it = gateway({ send: vendor.send, env: { FAREGATE_UPSTREAM_IDLE_MS: "1000" } });
  vendor.say(DELTA);
  const response = await it.post("chat", { ...CHAT, stream: true });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = Buffer.from((await reader.read()).value ?? []).toString();
  const rest = (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += Buffer.from(value).toString();
    }
  })();
  for (let i = 0; i < 4; i++) {
    it.goTo(999);
    vendor.say(": wait\n\n");
    await Bun.sleep(0);
  }
  vendor.say(STOP + COUNTS + event("[DONE]"));
  vendor.end();
  await rest;
  expect(text).toEndWith("data: [DONE]\n\n");
  expect(text).not.toContain("wait");
  expect((await theOnly(it)).billingReason).toBe("completed");
});

test("others have their turns while one vendor sends megabytes of them", async () => {
  const loud = fed();
  const it = gateway({ send: loud.send });
  loud.say(DELTA);
  const response = await it.post("chat", { ...CHAT, stream: true });
  let isOver = false;
  const ended = response.text().finally(() => {
    isOver = true;
  });
  let turns = 0;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  loud.say(noiseOf("\n"));
  await ended;
  expect(turns).toBeGreaterThanOrEqual(SILENT_BYTES_MAX / (32 * 1024));
  await theOnly(it);
});
