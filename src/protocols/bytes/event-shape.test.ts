import { describe, expect, test } from "bun:test";
import { type EventPaths, shapeOf } from "./event-shape.ts";
import { OneWrite } from "./one-write.ts";

const EVENT_PATHS: EventPaths = {
  texts: [["list", 0, "text"]],
  numbers: [["missing"], ["number"]],
  free: [["noise"]],
  renamed: { path: ["model"], by: Buffer.from('"ours"') },
};

const event = (text: string, number: number | string = 1, noise = "xx", model = "theirs") =>
  `data: {"model":"${model}","list":[{"text":"${text}"}],"number":${number},"noise":"${noise}"}\n\n`;

const written = (text: string) => Buffer.from(event(text).replace("theirs", "ours"));

function learn(from = event("abcd"), to = written("abcd"), tokens = 1) {
  return shapeOf({ event: Buffer.from(from), written: to, tokens }, EVENT_PATHS);
}

describe("a shape", () => {
  test("knows an event by what is the same, and reads what is not", () => {
    const shape = learn();
    const bytes = Buffer.from(`before${event("eight ch", 907, "other")}after`);
    expect(shape?.matches(bytes, 6)).toBe(true);
    expect([shape?.end, shape?.tokens]).toEqual([bytes.length - 5, 2]);
    expect([...(shape?.numbers ?? [])]).toEqual([Number.NaN, 907]);
    const out = new OneWrite(bytes);
    shape?.write(out, 6, 0);
    expect(Buffer.from(out.done() ?? []).toString()).toBe(event("eight ch", 907, "other", "ours"));
  });

  test.each([
    ["another model", event("a", 1, "x", "others")],
    ["no number", event("a", '"1"')],
    ["a fraction", event("a", "1.5")],
    ["a number that JSON has not", event("a", "01")],
    ["a number that is too long", event("a", "1234567890123456")],
    ["one more member", event('a","more":"b')],
    ["a string that is none", event("\\x")],
    ["no blank line", event("a").slice(0, -1)],
    ["an end of its line", event("a").replace("\n\n", "\r\n\r\n")],
  ])("does not take an event with %s for its own", (_name, other) => {
    const shape = learn();
    expect(shape?.matches(Buffer.from(event("a")), 0)).toBe(true);
    expect(shape?.matches(Buffer.from(other), 0)).toBe(false);
    // What was read on the way to a difference is not kept.
    expect(shape?.numbers[1]).toBe(1);
  });

  test.each([
    ["has a line that shapes have not", `id: 1\n${event("abcd")}`, written("abcd"), 1],
    ["has its data in two lines", event("abcd").replace(",", ",\ndata: "), written("abcd"), 1],
    ["lacks the text", event("abcd").replace("text", "said"), written("abcd"), 1],
    ["counts more than its text", event("abcd"), written("abcd"), 2],
    ["was written in a way that is not explained", event("abcd"), written("efgh"), 1],
  ])("is not made of an event that %s", (_name, from, to, tokens) => {
    expect(learn(from, to, tokens)).toBeUndefined();
  });

  test("adds to the numbers of what it knows, however long they are", () => {
    const shape = learn();
    const bytes = Buffer.from(event("abcd", 98));
    expect(shape?.matches(bytes, 0)).toBe(true);
    const out = new OneWrite(bytes);
    shape?.write(out, 0, 3);
    expect(Buffer.from(out.done() ?? []).toString()).toBe(event("abcd", 101, "xx", "ours"));
  });

  test("writes another frame around what it knows", () => {
    const crlf = event("abcd").replace("\n\n", "\r\n\r\n");
    const framed = Buffer.from(`,\n${written("abcd").toString().slice(6, -2)}\n`);
    const shape = learn(crlf, framed);
    const bytes = Buffer.from(crlf.replace("abcd", "four"));
    expect(shape?.matches(bytes, 0)).toBe(true);
    const out = new OneWrite(bytes);
    shape?.write(out, 0, 0);
    expect(Buffer.from(out.done() ?? []).toString()).toBe(
      framed.toString().replace("abcd", "four"),
    );
  });
});
