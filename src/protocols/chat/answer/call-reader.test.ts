import { describe, expect, test } from "bun:test";
import type { CallItem, CanonEvent } from "../../canon.ts";
import { unseal } from "../../envelope.ts";
import { ChatReader } from "./read-stream.ts";

function chunk(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: "chatcmpl-1", choices })}\n\n`;
}

const piece = (index: number, text: string) => ({ index, function: { arguments: text } });
const opened = (index: number, id: string, name: string, text = "") => ({
  ...{ index, id, type: "function", function: { name, arguments: text } },
});
const calls = (...pieces: object[]) => chunk({ tool_calls: pieces });

const FIRST = chunk({ role: "assistant", content: "", refusal: null });
const STOP = chunk({}, "stop");

function read(stream: string): CanonEvent[] {
  const reader = new ChatReader();
  return [...reader.push(Buffer.from(stream)), ...reader.close()];
}

const items = (events: readonly CanonEvent[]) =>
  events.flatMap((each) => (each.type === "item_done" ? [each.item] : []));
const last = (events: readonly CanonEvent[]) => events.at(-1);
const callsOf = (events: readonly CanonEvent[]) =>
  items(events).filter((item): item is CallItem => item.type === "call");

/** No item begins inside another, and the pieces of each are what it came to. */
function checkOrder(events: readonly CanonEvent[]): void {
  let told: string | undefined;
  for (const each of events) {
    if (each.type === "item") {
      expect(told).toBeUndefined();
      told = "";
    } else if (each.type === "item_done") {
      if (each.item.type === "call") expect(told).toBe(each.item.arguments);
      told = undefined;
    } else if ("delta" in each) told += each.delta;
  }
  expect(told).toBeUndefined();
}

describe("hand-written calls of chat vendors", () => {
  test("the first is told as it comes", () => {
    const reader = new ChatReader();
    reader.push(Buffer.from(FIRST + calls(opened(0, "c1", "f"))));
    expect(reader.push(Buffer.from(calls(piece(0, '{"a"'))))).toEqual([
      { type: "arguments", delta: '{"a"' },
    ]);
  });

  test("mixed pieces are told one call behind the other", () => {
    const stream =
      calls(opened(0, "c1", "f"), opened(1, "c2", "g")) +
      calls(piece(1, '{"b":')) +
      calls(piece(0, '{"a":')) +
      calls(piece(1, "2}"), piece(0, "1}")) +
      chunk({}, "tool_calls");
    const events = read(stream);
    checkOrder(events);
    expect(callsOf(events).map((call) => [call.callId, call.arguments])).toEqual([
      ["c1", '{"a":1}'],
      ["c2", '{"b":2}'],
    ]);
  });

  test("a call waits for its name", () => {
    const stream =
      calls({ index: 0, id: "c1", type: "function", function: { arguments: '{"a":' } }) +
      calls({ index: 0, function: { name: "f", arguments: "1}" } }) +
      chunk({}, "tool_calls");
    const events = read(stream);
    checkOrder(events);
    expect(callsOf(events)).toMatchObject([{ name: "f", arguments: '{"a":1}' }]);
  });

  test("names and ids that are repeated are not doubled", () => {
    const stream =
      calls(opened(0, "c1", "f", '{"a"')) + calls(opened(0, "c1", "f", ":1}")) + chunk({}, "stop");
    expect(callsOf(read(stream))).toEqual([
      { type: "call", callId: "c1", name: "f", custom: false, arguments: '{"a":1}' },
    ]);
  });

  test("ids that are missing or taken are made unique", () => {
    const stream =
      calls(opened(0, "call_0", "f", "{}"), opened(1, "call_0", "g", "{}")) +
      calls({ index: 2, function: { name: "h" } }) +
      chunk({}, "tool_calls");
    const found = callsOf(read(stream));
    expect(found.map(({ name }) => name)).toEqual(["f", "g", "h"]);
    expect(found[0]?.callId).toBe("call_0");
    expect(new Set(found.map(({ callId }) => callId)).size).toBe(3);
  });

  test("calls that all have the number 0, or none, are told apart by their ids", () => {
    const zero = calls(opened(0, "c1", "f", "{}")) + calls(opened(0, "c2", "g", "{}"));
    const { index: _, ...bare } = opened(0, "c3", "h", "{}");
    const found = callsOf(read(zero + calls(bare) + chunk({}, "tool_calls")));
    expect(found.map(({ callId, name }) => [callId, name])).toEqual([
      ["c1", "f"],
      ["c2", "g"],
      ["c3", "h"],
    ]);
  });

  test("arguments may be missing, or the object itself", () => {
    const stream =
      calls(opened(0, "c1", "f")) +
      calls({ index: 1, id: "c2", function: { name: "g", arguments: { a: 1 } } }) +
      chunk({}, "tool_calls");
    const events = read(stream);
    checkOrder(events);
    expect(callsOf(events).map((call) => call.arguments)).toEqual(["{}", '{"a":1}']);
  });

  test("free text is a custom call", () => {
    const stream =
      calls({ index: 0, id: "c1", type: "custom", custom: { name: "g", input: "" } }) +
      calls({ index: 0, custom: { input: "a }" } }) +
      chunk({}, "tool_calls");
    expect(callsOf(read(stream))).toMatchObject([{ custom: true, arguments: "a }" }]);
  });

  test("the older form is a call without an id", () => {
    const stream =
      chunk({ function_call: { name: "f", arguments: "" } }) +
      chunk({ function_call: { arguments: '{"a":1}' } }) +
      chunk({}, "function_call");
    const events = read(stream);
    expect(callsOf(events)).toMatchObject([{ name: "f", arguments: '{"a":1}' }]);
    expect(callsOf(events)[0]?.callId).toMatch(/^call_/);
    expect(last(events)).toMatchObject({ status: "completed" });
  });

  test("text amid the pieces of a call waits for its end, and a line break is no text", () => {
    const stream =
      calls(opened(0, "c1", "f", '{"a"')) +
      chunk({ content: "also" }) +
      chunk({ content: "\n" }) +
      calls(piece(0, ":1}")) +
      STOP;
    const events = read(stream);
    checkOrder(events);
    expect(items(events)).toMatchObject([
      { type: "call", arguments: '{"a":1}' },
      { type: "message", parts: [{ text: "also" }] },
    ]);
  });

  test("a finish reason of stop is no less an end", () => {
    const events = read(calls(opened(0, "c1", "f", "{}")) + STOP);
    expect(callsOf(events)).toHaveLength(1);
    expect(last(events)).toMatchObject({ type: "end", status: "completed" });
  });

  test("Gemini's signature is a sealed thought before its call", () => {
    const extra_content = { google: { thought_signature: "sig" } };
    const stream =
      calls({ ...opened(0, "c1", "f", "{}"), extra_content }) + chunk({}, "tool_calls");
    const [thought, call] = items(read(stream));
    expect(thought?.type === "reasoning" && unseal("gemini", thought.sealed)).toMatchObject({
      signature: "sig",
      call: "c1",
    });
    expect(call?.type).toBe("call");
  });
});
