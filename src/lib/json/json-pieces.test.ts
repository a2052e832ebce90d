import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { jsonPieces } from "./json-pieces.ts";

const PIECE_CHARS_MAX = 6 * 256 * 1024 + 64 * 1024;
/** Long enough to be written in several pieces, and cut at any place. */
const LONG = 256 * 1024;

const whole = (value: unknown) => [...jsonPieces(value)].join("");

describe("the pieces of a value", () => {
  test("are what JSON.stringify makes of it", () => {
    const values = fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 6 });
    fc.assert(fc.property(values, (value) => whole(value) === JSON.stringify(value)));
  });

  test("leave out members that are undefined", () => {
    const value = { a: undefined, b: [undefined, 1], c: { d: undefined }, e: Number.NaN };
    expect(whole(value)).toBe(JSON.stringify(value));
    expect(whole({ __proto__: null, toString: "x", "": 0 })).toBe('{"toString":"x","":0}');
  });

  test("are the same of long lists of numbers and words, whatever stands between them", () => {
    const simple = [0, -1.5e-7, true, false, null, undefined, Number.NaN];
    const run = Array.from({ length: 10_000 }, (_, i) => simple[i % simple.length]);
    const value = [run, [...run, "text", ...run, {}, 1], [[], ...run], { run }, [undefined]];
    expect(whole(value) === JSON.stringify(value)).toBe(true);
    const lengths = [...jsonPieces(run)].map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThan(128 * 1024);
  });

  test.each([
    ["characters of two units", "😀"],
    ["halves of characters", "\ud83d"],
    ["the other halves", "\ude00"],
    ["what is escaped", '"\\\n\u0000'],
    ["other scripts", "敏捷的狐狸é"],
  ])("of a long string of %s are the same, wherever it is cut", (_name, unit) => {
    for (const ahead of ["", "a"]) {
      const text = ahead + unit.repeat(Math.ceil((2.5 * LONG) / unit.length));
      const value = { content: [text, { text }], after: true };
      expect(whole(value) === JSON.stringify(value)).toBe(true);
    }
  });

  test("are none of them long", () => {
    const value = {
      long: "\u0001".repeat(5 * LONG),
      many: Array.from({ length: 20_000 }, (_, i) => ({ type: "text", text: `${i}`.repeat(40) })),
    };
    const lengths = [...jsonPieces(value)].map(({ length }) => length);
    expect(lengths.length).toBeGreaterThan(20);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(PIECE_CHARS_MAX);
  });
});
