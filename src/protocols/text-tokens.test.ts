import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countText, textTokens } from "./text-tokens.ts";

describe("textTokens", () => {
  test("four Latin characters are a token, a Chinese one nearly one of its own", () => {
    expect(textTokens("abcd".repeat(25))).toBe(25);
    expect(textTokens("漢".repeat(100))).toBeCloseTo(80);
    expect(textTokens("")).toBe(0);
  });

  test("more text is never fewer tokens", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        expect(textTokens(a + b)).toBeGreaterThanOrEqual(textTokens(a) - 1e-9);
      }),
    );
  });
});

describe("countText", () => {
  const tokens = (json: string) => {
    const counted = { tokens: 0 };
    const end = countText(Buffer.from(`${json},"more":"x"`), 1, counted);
    expect(end).toBe(Buffer.byteLength(json) - 1);
    return counted.tokens;
  };

  test("agrees with the parsed text, whatever its characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(tokens(JSON.stringify(text))).toBeCloseTo(textTokens(text), 6);
      }),
    );
  });

  test.each([
    ['"\\u6f22\\u5b57"', "漢字"],
    ['"\\ud83c\\udf89"', "🎉"],
    ['"\\u0041\\u00e9"', "Aé"],
    ['"a\\"b\\\\"', 'a"b\\'],
  ])("agrees for %p, which a vendor escaped", (json, text) => {
    expect(tokens(json)).toBeCloseTo(textTokens(text), 6);
  });

  test.each([
    ['"never closed', "no end"],
    ['"a\nb"', "a line end"],
    ['"\\x41"', "an escape that is none"],
    ['"\\u00g1"', "digits that are none"],
    ['"\\u00', "a code that is cut"],
    ['"\\', "an escape that is cut"],
  ])("%p is no string: %s", (json) => {
    expect(countText(Buffer.from(json), 1, { tokens: 0 })).toBe(-1);
  });
});
