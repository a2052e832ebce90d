import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { OneWrite } from "./one-write.ts";

const BYTES = Buffer.from("0123456789");
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

describe("one write", () => {
  test("is nothing where nothing is kept or put", () => {
    const out = new OneWrite(BYTES);
    expect([out.isEmpty, out.done()]).toEqual([true, undefined]);
  });

  test("is the bytes themselves where all of them are kept, in however many stretches", () => {
    const out = new OneWrite(BYTES);
    out.keep(0, 4);
    out.keep(4, 10);
    expect(out.done()).toBe(BYTES);
  });

  test("is a view of them where one stretch is kept", () => {
    const out = new OneWrite(BYTES);
    out.keep(3, 5);
    out.keep(5, 7);
    expect(text(out.done())).toBe("3456");
    expect(out.done()?.buffer).toBe(BYTES.buffer);
  });

  test("is a piece itself where there is nothing else", () => {
    const piece = Buffer.from("new");
    const out = new OneWrite(BYTES);
    out.put(piece);
    expect([out.isEmpty, out.done() === piece]).toEqual([false, true]);
  });

  test("has stretches and pieces in their order", () => {
    const out = new OneWrite(BYTES);
    out.keep(0, 0);
    out.put(Buffer.from("a"));
    out.keep(1, 3);
    out.put(Buffer.from("b"));
    out.put(Buffer.from("c"));
    out.keep(3, 4);
    out.keep(8, 10);
    expect(text(out.done())).toBe("a12bc389");
  });

  test("is what its parts are one behind the other, whichever they are", () => {
    const stretch = fc
      .tuple(fc.nat(10), fc.nat(10))
      .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
    const part = fc.oneof(stretch, fc.string({ maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const out = new OneWrite(BYTES);
        let expected = "";
        for (const each of parts) {
          if (typeof each === "string") out.put(Buffer.from(each));
          else out.keep(each.from, each.to);
          expected +=
            typeof each === "string" ? Buffer.from(each) : BYTES.subarray(each.from, each.to);
        }
        expect(out.isEmpty).toBe(expected === "");
        expect(text(out.done()) ?? "").toBe(expected);
      }),
    );
  });
});
