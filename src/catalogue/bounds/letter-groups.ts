import { CUT_LETTER, GROUP_MAX, MORE_SPACE, SECOND_SPACE, SPACE } from "./word-cuts.ts";

/**
 * What each letter of a word is to the three before it: the input for the word's cuts, by the last
 * four symbols of five bits each. The space is symbol 0, then come the letters.
 */
export type LetterGroups = Uint8Array;

export const SYMBOL_BITS = 5;
export const FOUR_SYMBOLS = (1 << (4 * SYMBOL_BITS)) - 1;
const SYMBOLS = 1 << SYMBOL_BITS;
const THREES = 1 << (3 * SYMBOL_BITS);

/** The inputs of letters that complete a known group of two, of three, of four. */
const PAIR = 1;
export const TRIPLE = 2;
const FOUR = 3;

/** Sets an input for two symbols, whatever stands before them, in a table of three. */
function setPair(ofThree: Uint8Array, two: number, input: number): void {
  for (let first = 0; first < SYMBOLS; first++) ofThree[(first << (2 * SYMBOL_BITS)) | two] = input;
}

/** The groups of one length, which stand in a text one after the other, as their symbols. */
function* read(text: string, length: number, letters: string): Generator<number> {
  for (let at = 0; at < text.length; at += length) {
    let symbols = 0;
    for (let i = at; i < at + length; i++) {
      symbols = (symbols << SYMBOL_BITS) | (letters.indexOf(text.charAt(i)) + 1);
    }
    yield symbols;
  }
}

function setSpaces(ofThree: Uint8Array): void {
  for (let before = 1; before < SYMBOLS; before++) setPair(ofThree, before << SYMBOL_BITS, SPACE);
  setPair(ofThree, 0, SECOND_SPACE);
  ofThree[0] = MORE_SPACE;
}

/** What is known of the groups of letters of an alphabet. */
interface Known {
  readonly letters: string;
  /** Groups of 2, 3 and 4 letters that are one token. */
  readonly groups: readonly string[];
  /** Pairs whose second letter can be cut in its middle. */
  readonly cutPairs: string;
  /** Further symbols that are one token with the space before them. */
  readonly spaced: readonly number[];
}

export function letterGroups({ letters, groups, cutPairs, spaced }: Known): LetterGroups {
  const [pairs = "", triples = "", fours = ""] = groups;
  const ofThree = new Uint8Array(THREES);
  for (const two of read(pairs, 2, letters)) setPair(ofThree, two, PAIR);
  for (const two of spaced) setPair(ofThree, two, PAIR);
  for (const three of read(triples, 3, letters)) ofThree[three] = TRIPLE;
  for (const two of read(cutPairs, 2, letters)) setPair(ofThree, two, CUT_LETTER);
  setSpaces(ofThree);
  // The first of four makes no difference, unless they are known together.
  const ofFour = new Uint8Array(THREES * SYMBOLS);
  for (let first = 0; first < SYMBOLS; first++) ofFour.set(ofThree, first * THREES);
  for (const four of read(fours, GROUP_MAX, letters)) {
    // A longer group counts only where the shorter ones at its end do.
    if (ofFour[four] === TRIPLE) ofFour[four] = FOUR;
  }
  return ofFour;
}
