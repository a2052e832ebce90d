import { expect, test } from "bun:test";
import fc from "fast-check";
import { anyCharacter } from "./any-character.ts";

test("a character is one of all that there are, and no half of a pair", () => {
  fc.assert(
    fc.property(anyCharacter, (character) => {
      expect([...character]).toHaveLength(1);
      expect(character.isWellFormed()).toBe(true);
    }),
  );
});

test.each(["\0", "\ud7ff", "\ue000", "\u{10000}", "\u{10ffff}"])("%j is one", (character) => {
  expect(anyCharacter.canShrinkWithoutContext(character)).toBe(true);
});

test.each(["", "ab", "\ud800", "\udfff", "a\u0301", 1])("%j is none", (other) => {
  expect(anyCharacter.canShrinkWithoutContext(other)).toBe(false);
});

test("texts of them have the words in them that break programs", () => {
  const texts = fc.sample(fc.string({ unit: anyCharacter }), { numRuns: 2_000, seed: 1 });
  expect(texts.some((text) => text.includes("__proto__"))).toBe(true);
});
