import { expect, spyOn, test } from "bun:test";
import { Fault } from "../../../lib/faults.ts";
import { JsonText } from "../../bytes/splice.ts";
import { DONE, writeEvent } from "../../bytes/sse.ts";
import { EventFrames, faultFrame } from "./frames.ts";

test("events become texts, whatever the chunks, and the end marker none", () => {
  const first = '{"type":"response.created","text":"你好"}';
  const second = '{"type":"response.completed"}';
  const bytes = Buffer.concat([
    writeEvent(first, "response.created"),
    writeEvent(second, "response.completed"),
    DONE,
  ]);
  const others = Buffer.from(bytes.toString().replaceAll("\n", "\r\n"));
  for (const each of [bytes, others]) {
    for (let at = 0; at < each.length; at++) {
      const frames = new EventFrames();
      const texts = [...frames.push(each.subarray(0, at)), ...frames.push(each.subarray(at))];
      expect(texts).toEqual([first, second]);
    }
  }
});

test("what stands in headers over HTTP is told by the first event alone", () => {
  const bytes = Buffer.concat([
    writeEvent('{"type":"response.created","sequence_number":0}', "response.created"),
    writeEvent('{"type":"response.completed"}', "response.completed"),
    DONE,
  ]);
  const headers = { "x-faregate-dropped": 'seed, "odd"' };
  for (let at = 0; at < bytes.length; at++) {
    const frames = new EventFrames(headers);
    const texts = [...frames.push(bytes.subarray(0, at)), ...frames.push(bytes.subarray(at))];
    expect(texts.map((text) => JSON.parse(text))).toEqual([
      { type: "response.created", sequence_number: 0, headers },
      { type: "response.completed" },
    ]);
  }
});

test("an event that is long is read as it comes, and not looked through to add what stands in headers", () => {
  const long = JSON.stringify({ type: "response.created", said: 'a "狐"\n'.repeat(500_000) });
  const bytes = writeEvent(long, "response.created");
  const headers = { "x-faregate-dropped": "seed" };
  const frames = new EventFrames(headers);
  const step = 300_001;
  const read = spyOn(TextDecoder.prototype, "decode");
  const looked = spyOn(JsonText.prototype, "edit");
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    texts.push(...frames.push(bytes.subarray(at, at + step)));
  }
  const most = Math.max(...read.mock.calls.map(([chunk]) => chunk?.byteLength ?? 0));
  expect(texts).toHaveLength(1);
  expect(Bun.deepEquals(JSON.parse(texts[0] ?? ""), { ...JSON.parse(long), headers })).toBe(true);
  expect(most).toBe(step);
  expect(looked).not.toHaveBeenCalled();
  read.mockRestore();
  looked.mockRestore();
});

test("a refusal says its status", () => {
  const fault = new Fault("previous_response_not_found", "gone", { param: "previous_response_id" });
  expect(JSON.parse(faultFrame(fault))).toEqual({
    type: "error",
    status: 400,
    error: {
      message: "gone",
      type: "invalid_request_error",
      code: "previous_response_not_found",
      param: "previous_response_id",
    },
  });
});
