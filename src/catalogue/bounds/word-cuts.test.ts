import { expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../test/support/counts.ts";
import { ANYWHERE, EIGHTHS, eighthsOf, GROUP_MAX, SPACE, STEPS, stateOf } from "./word-cuts.ts";

/** By the table: inputs one after the other, from the beginning of a word. */
function byTable(inputs: readonly number[]): number {
  let state = ANYWHERE;
  let eighths = 0;
  for (const input of inputs) {
    const step = STEPS[state | input] as number;
    eighths += eighthsOf(step);
    state = stateOf(step);
  }
  return eighths / EIGHTHS;
}

/** By trying every cut of a word whose first character is the space. */
function byTrying(inputs: readonly number[]): number {
  let most = 0;
  const length = inputs.length;
  for (let cuts = 0; cuts < 1 << (length - 1); cuts++) {
    const ends = inputs.flatMap((_, i) => (i === length - 1 || (cuts >> i) & 1 ? [i] : []));
    const isPossible = ends.every((end, i) => {
      const before = i < 1 ? undefined : i < 2 ? -1 : (ends[i - 2] as number);
      if (before === undefined) return true;
      const together = end - before;
      return together > GROUP_MAX || together > (inputs[end] as number) + 1;
    });
    if (isPossible) most = Math.max(most, ends.length);
  }
  return most;
}

test("finds the cut with the most tokens that no known group forbids", () => {
  const letter = fc.integer({ min: 0, max: GROUP_MAX - 1 });
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 11 }), (letters) => {
      // Groups reach back to the space and no further, whatever the input says.
      const known = letters.map((input, i) => Math.min(input, i + 1));
      expect(byTable([SPACE, ...known])).toBe(byTrying([SPACE, ...known]));
    }),
    { numRuns: count(500, 2_000) },
  );
});

test("a word of which nothing is known is a token for each letter", () => {
  expect(byTable([SPACE, 0, 0, 0, 0])).toBe(5);
});

test("a word whose every group is known is one token up to the longest group", () => {
  expect(byTable([SPACE, 1, 2, 3])).toBe(1);
  expect(byTable([SPACE, 1, 2, 3, 3])).toBe(2);
});

test("what stands before a word has no part in its groups", () => {
  expect(byTable([SPACE, 1, 2, 3, SPACE, 1, 2, 3])).toBe(2);
});
