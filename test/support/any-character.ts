import fc from "fast-check";

/** Halves of pairs, which are no characters by themselves. */
const HALVES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

function characterAt(place: number): string {
  return String.fromCodePoint(place < HALVES.first ? place : place + HALVES.count);
}

function placeOf(character: unknown): number {
  const point = typeof character === "string" ? (character.codePointAt(0) ?? 0) : 0;
  const place = point < HALVES.first ? point : point - HALVES.count;
  if (characterAt(place) !== character) throw new Error("this is not one character");
  return place;
}

/**
 * Any character at all, for `unit` and `stringUnit`. The library has the same by the name of `"binary"`, but
 * begins with a table of all 1.1 million of them, which takes each process most of a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - HALVES.count })
  .map(characterAt, placeOf);
