import { expect, test } from "bun:test";
import { FOUR_SYMBOLS, letterGroups, SYMBOL_BITS } from "./letter-groups.ts";
import { CUT_LETTER, MORE_SPACE, SECOND_SPACE, SPACE } from "./word-cuts.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const CAPITAL = 30;
const groups = letterGroups({
  letters,
  groups: [" aabbc", " ababc", " abcxabc"],
  cutPairs: "bd",
  spaced: [CAPITAL],
});

/** What the last letter of a text is to those before it; anything but a letter is a capital. */
function inputOf(text: string): number {
  let symbols = 0;
  for (const letter of `zzzz${text}`) {
    const symbol = letter === " " ? 0 : letters.indexOf(letter) + 1 || CAPITAL;
    symbols = ((symbols << SYMBOL_BITS) | symbol) & FOUR_SYMBOLS;
  }
  return groups[symbols] as number;
}

test.each([
  ["b", 0],
  ["ab", 1],
  [" ab", 2],
  ["abc", 2],
  [" abc", 3],
  ["xabc", 3],
  ["yabc", 2],
])("a letter knows how many of those before it are a group with it: %p", (text, input) => {
  expect(inputOf(text)).toBe(input);
});

test("spaces are told apart by how many there are", () => {
  expect(inputOf("a ")).toBe(SPACE);
  expect(inputOf("a  ")).toBe(SECOND_SPACE);
  expect(inputOf("a   ")).toBe(MORE_SPACE);
  expect(inputOf("    ")).toBe(MORE_SPACE);
});

test("a letter that can be cut is no part of a group", () => {
  expect(inputOf("abd")).toBe(CUT_LETTER);
});

test("further symbols may be one with their space", () => {
  expect(inputOf(" X")).toBe(1);
  expect(inputOf("aX")).toBe(0);
});
