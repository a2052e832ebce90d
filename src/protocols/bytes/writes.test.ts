import { describe, expect, test } from "bun:test";
import { asWrites, bytesIn, inOrder } from "./writes.ts";

const bytes = (length: number, letter = "x") => Buffer.alloc(length, letter);
const HALF = bytes(300 * 1024);

describe("writes to a client", () => {
  test("are one as long as they are short", () => {
    const all = asWrites([Buffer.from("a"), HALF, Buffer.from("b")]);
    expect(Buffer.isBuffer(all)).toBe(true);
    expect(bytesIn(all)).toBe(HALF.length + 2);
  });

  test("are several where they are long, the short ones together and none copied without need", () => {
    const [first, second, third] = [bytes(10, "a"), bytes(20, "b"), bytes(600 * 1024, "c")];
    const all = asWrites([first, second, third, HALF, HALF]);
    expect(all).toEqual([Buffer.concat([first, second]), third, HALF, HALF]);
    expect(all[1]).toBe(third);
    expect(bytesIn(all)).toBe(30 + third.length + 2 * HALF.length);
  });

  test("follow each other, whichever of them are there", () => {
    const one = Buffer.from("a");
    expect([inOrder([]), inOrder([undefined]), inOrder([undefined, one])]).toEqual([
      undefined,
      undefined,
      one,
    ]);
    expect(inOrder([one, undefined, Buffer.from("b")])).toEqual(Buffer.from("ab"));
    expect(inOrder([one, [HALF, HALF], one])).toEqual([
      Buffer.concat([one, HALF]),
      Buffer.concat([HALF, one]),
    ]);
  });
});
