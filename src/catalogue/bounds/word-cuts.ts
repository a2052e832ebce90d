import data from "./vocabularies.json" with { type: "json" };

/**
 * Into how many tokens a word can be cut at most.
 *
 * A tokenizer merges neighbours for as long as together they are a token. So where a group of
 * letters is a token of its own, no two tokens that make it up stand side by side in what the
 * tokenizer returns. Of all cuts that keep to this, the one with the most tokens bounds the rest.
 * It is found letter by letter: what has to be remembered on the way (how long the last tokens of the
 * best cuts are) comes down to a few states, so that each letter is one look into a table. The table
 * is made by test/tokenizers/make-word-cuts.ts.
 */

/** The longest groups that are looked at. */
export const GROUP_MAX = 4;

/** Tokens are counted in eighths, for runs of spaces that are a token together. */
export const EIGHTHS = 8;

/** Inputs 0 to 3 are letters: so many of those before it are a known group with it. */
export const SPACE = GROUP_MAX;
/** A second space in a row, and any further one. */
export const SECOND_SPACE = GROUP_MAX + 1;
export const MORE_SPACE = GROUP_MAX + 2;
/** A letter of several bytes that a token may end or begin within. */
export const CUT_LETTER = GROUP_MAX + 3;
export const INPUT_BITS = 3;

/** In the middle of something that a token may go on from: the beginning of a text, or any mark. */
export const ANYWHERE = 0;

/** Where an input leads from a state: `STEPS[state | input]` has the next state and what it adds. */
export const STEPS = Int32Array.from(data.cuts.steps);

export const EIGHTHS_BITS = 8;

export function stateOf(step: number): number {
  return step >> EIGHTHS_BITS;
}

/** What a step adds to the most tokens, in eighths; a letter that completes a group takes away. */
export function eighthsOf(step: number): number {
  return (step << (32 - EIGHTHS_BITS)) >> (32 - EIGHTHS_BITS);
}

const OPEN = Uint8Array.from(data.cuts.open);

/** What a token that is still open adds in a state, in eighths. */
export function openEighths(state: number): number {
  return OPEN[state >> INPUT_BITS] as number;
}
