import { FOUR_SYMBOLS, SYMBOL_BITS } from "./letter-groups.ts";
import {
  ASCII_SYMBOLS,
  BEGINNING,
  CYRILLIC_END,
  ENTERED,
  MARK,
  type Vocabulary,
  WEIGHT,
} from "./vocabularies.ts";
import {
  ANYWHERE,
  CUT_LETTER,
  EIGHTHS,
  eighthsOf,
  openEighths,
  STEPS,
  stateOf,
} from "./word-cuts.ts";

const threeOf = (symbol: number) =>
  (symbol << (2 * SYMBOL_BITS)) | (symbol << SYMBOL_BITS) | symbol;

/** Nothing that stood before this counts; before a text or a part of it, nobody knows what did. */
const NO_WORD = threeOf(MARK);
const UNKNOWN = threeOf(BEGINNING);
const LAST_SYMBOL = (1 << SYMBOL_BITS) - 1;
const SPACE_SYMBOL = 0;
const SPACE_CODE = 0x20;

const ASCII_END = 0x80;
const HIGH_SURROGATES = 0xd800;
const LOW_SURROGATES = 0xdc00;
const SURROGATES_END = 0xe000;
/** What stands for half of a pair has three bytes. */
const HALF_PAIR = ENTERED | 3;

function isPair(high: number, low: number): boolean {
  return high < LOW_SURROGATES && low >= LOW_SURROGATES && low < SURROGATES_END;
}

/**
 * Bounds the tokens of a text, in one look at each of its characters: no tokenizer of the
 * vocabulary makes more of it. Small letters count by word (see word-cuts.ts), every other character
 * by what it weighs, which is a token for each of its bytes at most.
 *
 * A text may come in parts. Parts that are measured apart come to no less than the whole.
 */
export class TextMeter {
  readonly #vocabulary: Vocabulary;
  #eighths = 0;
  #state = ANYWHERE;
  /** The last four characters, as the table of Latin letters knows them. */
  #symbols = UNKNOWN;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** The most tokens of everything so far. A letter that completes a known group takes some away. */
  get tokens(): number {
    return Math.ceil((this.#eighths + openEighths(this.#state)) / EIGHTHS);
  }

  /** What follows is another text. */
  cut(): void {
    this.#eighths += openEighths(this.#state);
    this.#state = ANYWHERE;
    this.#symbols = UNKNOWN;
  }

  push(text: string, from = 0, to = text.length): void {
    const { cyrillicSymbols } = this.#vocabulary;
    for (let at = from; at < to; ) {
      const code = text.charCodeAt(at);
      if (code < ASCII_END) at = this.#ascii(text, at, to);
      else if (code < CYRILLIC_END && cyrillicSymbols[code]) at = this.#cyrillic(text, at, to);
      else at = this.#others(text, at, to);
    }
  }

  #ascii(text: string, from: number, to: number): number {
    const { latin } = this.#vocabulary;
    let state = this.#state;
    let symbols = this.#symbols;
    let eighths = this.#eighths;
    let at = from;
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code >= ASCII_END) break;
      symbols = ((symbols << SYMBOL_BITS) | (ASCII_SYMBOLS[code] as number)) & FOUR_SYMBOLS;
      const step = STEPS[state | (latin[symbols] as number)] as number;
      eighths += eighthsOf(step);
      state = stateOf(step);
    }
    this.#state = state;
    this.#symbols = symbols;
    this.#eighths = eighths;
    return at;
  }

  #cyrillic(text: string, from: number, to: number): number {
    const { cyrillic, cyrillicSymbols } = this.#vocabulary;
    let symbols = 0;
    let at = from;
    if ((this.#symbols & LAST_SYMBOL) !== SPACE_SYMBOL) {
      // What came before is no part of the word, but may have the first byte of its first letter.
      this.#step(CUT_LETTER);
      symbols = cyrillicSymbols[text.charCodeAt(at++)] as number;
    }
    let state = this.#state;
    let eighths = this.#eighths;
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      const symbol = code < CYRILLIC_END ? (cyrillicSymbols[code] as number) : 0;
      // Another word may follow; any other space is for whoever knows what comes behind it.
      if (symbol === 0 && !(code === SPACE_CODE && cyrillicSymbols[text.charCodeAt(at + 1)])) break;
      symbols = ((symbols << SYMBOL_BITS) | symbol) & FOUR_SYMBOLS;
      const step = STEPS[state | (cyrillic[symbols] as number)] as number;
      eighths += eighthsOf(step);
      state = stateOf(step);
    }
    this.#state = state;
    this.#symbols = NO_WORD;
    this.#eighths = eighths;
    return at;
  }

  #others(text: string, from: number, to: number): number {
    const { characters, cyrillicSymbols } = this.#vocabulary;
    let state = this.#state;
    let eighths = this.#eighths;
    let at = from;
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      if (code < ASCII_END || (code < CYRILLIC_END && cyrillicSymbols[code])) break;
      let weight = characters[code] as number;
      if (code >= HIGH_SURROGATES && code < SURROGATES_END) {
        if (isPair(code, at + 1 < to ? text.charCodeAt(at + 1) : 0)) at++;
        else weight = HALF_PAIR;
      }
      const step = STEPS[weight & ENTERED ? state | CUT_LETTER : state] as number;
      eighths += eighthsOf(step) + ((weight & WEIGHT) - 1) * EIGHTHS;
      state = stateOf(step);
    }
    this.#state = state;
    this.#symbols = NO_WORD;
    this.#eighths = eighths;
    return at;
  }

  #step(input: number): void {
    const step = STEPS[this.#state | input] as number;
    this.#eighths += eighthsOf(step);
    this.#state = stateOf(step);
  }
}

/** The most tokens of a text, or of a part of one. */
export function textBound(text: string, vocabulary: Vocabulary): number {
  const meter = new TextMeter(vocabulary);
  meter.push(text);
  return meter.tokens;
}
