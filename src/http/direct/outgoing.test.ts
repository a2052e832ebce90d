import { expect, test } from "bun:test";
import fc from "fast-check";
import { Outgoing } from "./outgoing.ts";

/** A socket that takes so many bytes of each write, and all once there are no more numbers. */
function takingOf(takes: readonly number[]) {
  const taken: Buffer[] = [];
  let at = 0;
  const write = (data: string | Uint8Array, from = 0, length?: number): number => {
    const bytes =
      typeof data === "string"
        ? Buffer.from(data)
        : Buffer.from(data.buffer, data.byteOffset, data.length);
    const offered = bytes.subarray(from, length === undefined ? undefined : from + length);
    const take = Math.min(takes[at++] ?? offered.length, offered.length);
    taken.push(Buffer.from(offered.subarray(0, Math.max(0, take))));
    return take;
  };
  return { socket: { write } as never, all: () => Buffer.concat(taken).toString() };
}

const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom("é".repeat(9_000), "x".repeat(30_000)),
);
const steps = fc.oneof(
  fc.tuple(fc.constant("text" as const), texts),
  fc.tuple(fc.constant("bytes" as const), texts),
  fc.tuple(fc.constant("chunk" as const), texts),
  fc.tuple(fc.constant("last" as const), texts),
  fc.tuple(fc.constant("answer" as const), texts),
);

const HEAD = "HTTP/1.1 200 OK\r\na: b\r\n";

test("all goes out once and in order, however little a client takes at a time", () => {
  const takes = fc.array(fc.oneof(fc.integer({ min: -1, max: 12 }), fc.integer({ max: 70_000 })));
  fc.assert(
    fc.property(takes, fc.array(steps, { maxLength: 6 }), (some, all) => {
      const { socket, all: sent } = takingOf(some);
      const out = new Outgoing(socket);
      let wanted = "";
      for (const [step, text] of all) {
        const bytes = Buffer.from(text);
        const size = bytes.length.toString(16);
        if (step === "text") out.text(text, bytes.length);
        else if (step === "bytes") out.bytes(bytes);
        else if (step === "chunk") out.chunk("h", bytes, false);
        else if (step === "last") out.chunk("", bytes, true);
        else out.answer(HEAD, text);
        if (step === "chunk") wanted += `h${size}\r\n${text}\r\n`;
        else if (step === "last") wanted += `${size}\r\n${text}\r\n0\r\n\r\n`;
        else if (step === "answer")
          wanted += `${HEAD}content-length: ${bytes.length}\r\n\r\n${text}`;
        else wanted += text;
      }
      for (let turns = 0; !out.drain(); turns++)
        if (turns > 10_000) throw new Error("it never ends");
      expect(out.isSent).toBe(true);
      expect(sent()).toBe(wanted);
    }),
  );
});
