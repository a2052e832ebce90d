import { expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens, splitTokens } from "./tokens.ts";

test("tokens joined give the text back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      expect(splitTokens(text).join("")).toBe(text);
    }),
  );
});

test("a short word is one token with its space, a long one is several, an ideograph is one", () => {
  expect(splitTokens("a small lighthouse")).toEqual(["a", " small", " lighth", "ouse"]);
  expect(splitTokens("灯塔很高")).toHaveLength(4);
  expect(countTokens("")).toBe(0);
});

test("a very long text is counted by its density", () => {
  const text = "word ".repeat(100_000);
  expect(Math.abs(countTokens(text) - splitTokens(text).length)).toBeLessThan(10);
});
