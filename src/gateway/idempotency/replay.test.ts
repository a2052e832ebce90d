import { expect, test } from "bun:test";
import { replay } from "./replay.ts";

test("a whole answer comes back to the byte, with its own headers and whose it is", async () => {
  const body = new Uint8Array([0x7b, 0x7d, 0xc3, 0xa9]);
  const headers = { "content-type": "application/json", "x-faregate-cost": "0.1" };
  const response = replay({ status: 200, headers, body }, "req_1").response();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toEqual({
    ...headers,
    "x-faregate-idempotency": "replay",
    "x-faregate-receipt": "req_1",
  });
  expect([...(await response.bytes())]).toEqual([...body]);
});

test("a stream comes back event by event, whatever stands behind the last one", async () => {
  const headers = { "content-type": "text/event-stream; charset=utf-8" };
  for (const events of [
    ["data: 1\n\n", "event: a\ndata: 2\n\n", ": a comment\n\n", "data: [DONE]\n\n"],
    ["data: 1\n\n", "data: cut"],
    [],
  ]) {
    const body = Buffer.from(events.join(""));
    const response = replay({ status: 200, headers, body }, "req_1").response();
    const pieces: string[] = [];
    const stream = response.body as unknown as AsyncIterable<Uint8Array>;
    for await (const piece of stream) pieces.push(Buffer.from(piece).toString());
    expect(pieces).toEqual(events);
  }
});
