import { type LetterGroups, letterGroups, SYMBOL_BITS, TRIPLE } from "./letter-groups.ts";
import data from "./vocabularies.json" with { type: "json" };

/**
 * What is known of the tokens of a kind of tokenizer. Made from tokenizers that can be had, by
 * test/tokenizers/make-vocabularies.ts; `any` holds for all of them.
 */
export interface Vocabulary {
  /** Small Latin letters, in words: one table, since English is in all vocabularies. */
  readonly latin: LetterGroups;
  /** Small letters of the Cyrillic alphabet, in words. */
  readonly cyrillic: LetterGroups;
  /** Their symbols, by the code. */
  readonly cyrillicSymbols: Uint8Array;
  /**
   * The most tokens that can begin within a character, whatever stands around it, by its code or
   * the first half of its pair, with the mark of those that a token may begin within after one that
   * has their first bytes.
   */
  readonly characters: Uint8Array;
}

export type VocabularyName = keyof typeof data.vocabularies;
export const VOCABULARY_NAMES = Object.keys(data.vocabularies) as VocabularyName[];

const { letters } = data;

/** The first code behind the small letters of the alphabet. */
export const CYRILLIC_END = 0x450;

/** Behind the 26 letters: what stands before a text, two kinds of capitals, others, all that is none. */
export const BEGINNING = 27;
const CAPITAL_KIND = 28;
const OTHER_CAPITAL = 30;
export const MARK = 31;

/** A capital is one token with the space before it, whichever it is. */
const CAPITALS = [CAPITAL_KIND, CAPITAL_KIND + 1, OTHER_CAPITAL];

/**
 * Two kinds of capitals are one token with the space before them and some letters behind them, as
 * long as nothing else may have taken that space in: without it the two need not be a token.
 */
function withCapitals(groups: LetterGroups): LetterGroups {
  for (const [i, kind] of data.capitals.entries()) {
    for (const letter of kind.letters) {
      const three = ((CAPITAL_KIND + i) << SYMBOL_BITS) | (letters.latin.indexOf(letter) + 1);
      for (let before = 1; before <= MARK; before++) {
        if (before !== BEGINNING) groups[(before << (3 * SYMBOL_BITS)) | three] = TRIPLE;
      }
    }
  }
  return groups;
}

function asciiSymbols(): Uint8Array {
  const symbols = new Uint8Array(0x80).fill(MARK);
  symbols[0x20] = 0;
  for (let code = 0x41; code <= 0x5a; code++) symbols[code] = OTHER_CAPITAL;
  for (const [i, letter] of [...letters.latin].entries()) symbols[letter.charCodeAt(0)] = i + 1;
  for (const [i, { capitals }] of data.capitals.entries()) {
    for (const capital of capitals) symbols[capital.charCodeAt(0)] = CAPITAL_KIND + i;
  }
  return symbols;
}

export const ASCII_SYMBOLS = asciiSymbols();

export const ENTERED = 0x80;
export const WEIGHT = ENTERED - 1;

/** Letters that can be more than one token count like any other character: 0 is no letter. */
function cyrillicSymbols(characters: Uint8Array): Uint8Array {
  const symbols = new Uint8Array(CYRILLIC_END);
  for (const [i, letter] of [...letters.cyrillic].entries()) {
    const code = letter.charCodeAt(0);
    if (((characters[code] as number) & WEIGHT) === 1) symbols[code] = i + 1;
  }
  return symbols;
}

const opened = new Map<VocabularyName, Vocabulary>();
let latin: LetterGroups | undefined;

function open(name: VocabularyName): Vocabulary {
  const { cyrillic, cut, characters: packed } = data.vocabularies[name];
  const characters = Bun.inflateSync(Buffer.from(packed, "base64"));
  latin ??= withCapitals(
    letterGroups({
      letters: letters.latin,
      groups: data.latin,
      cutPairs: "",
      spaced: CAPITALS,
    }),
  );
  return {
    latin,
    cyrillic: letterGroups({
      letters: letters.cyrillic,
      groups: cyrillic,
      cutPairs: cut,
      spaced: [],
    }),
    cyrillicSymbols: cyrillicSymbols(characters),
    characters,
  };
}

/** Its tables, two megabytes, are made when it is first asked for: most gateways talk to few vendors. */
export function openVocabulary(name: VocabularyName): Vocabulary {
  let vocabulary = opened.get(name);
  if (!vocabulary) {
    vocabulary = open(name);
    opened.set(name, vocabulary);
  }
  return vocabulary;
}

/** How many times its bytes a text can come to where it is rewritten before it is read. */
export function growthOf(name: VocabularyName): number {
  return data.vocabularies[name].growth;
}
