import { expect, test } from "bun:test";
import { FrameCounter } from "./postgres-ear.ts";

function frame(letter: string, text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const head = new DataView(new ArrayBuffer(5));
  head.setUint8(0, letter.charCodeAt(0));
  head.setUint32(1, bytes.length + 4);
  return new Uint8Array([...new Uint8Array(head.buffer), ...bytes]);
}

const frames = [
  ["R", "ok"],
  ["C", "BEGIN\0"],
  ["D", "C".repeat(300)],
  ["C", "COMMIT\0"],
  ["Z", "I"],
].flatMap(([letter = "", text = ""]) => [...frame(letter, text)]);

test("statements are counted by their frames, wherever these are cut", () => {
  for (let cut = 0; cut <= frames.length; cut++) {
    const counter = new FrameCounter();
    counter.push(new Uint8Array(frames.slice(0, cut)));
    counter.push(new Uint8Array(frames.slice(cut)));
    expect(counter.completed).toBe(2);
  }
});

test("the answer to the question for encryption is no frame", () => {
  const counter = new FrameCounter();
  counter.push(new TextEncoder().encode("N"));
  counter.push(new Uint8Array(frames));
  expect(counter.completed).toBe(2);
});
