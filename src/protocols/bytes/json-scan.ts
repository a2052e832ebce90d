import { closingQuote } from "../../lib/json/json-string.ts";

/** Finds its way through a JSON text by index, without making anything of it. The text must be valid JSON. */
export const QUOTE = 34;
export const COMMA = 44;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The next place without a space; `to` where that comes first. */
export function skipSpace(text: string, at: number, to = Number.POSITIVE_INFINITY): number {
  let i = at;
  while (i < to && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** The index behind the closing quote of the string that opens at `at`. */
export function skipString(text: string, at: number): number {
  return closingQuote(text, at) + 1;
}

/** Goes over a list or an object, as far at a time as it is told: over one of many megabytes others would wait. */
export class NestedSkip {
  readonly #text: string;
  /** Where it has come to. */
  at: number;
  #depth = 0;

  /** It opens at `at`. */
  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  /** True once it is behind it. */
  go(to: number): boolean {
    const text = this.#text;
    let depth = this.#depth;
    let i = this.at;
    do {
      const code = text.charCodeAt(i);
      if (code === QUOTE) {
        i = skipString(text, i);
        continue;
      }
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
      if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
      i++;
    } while (depth > 0 && i < to);
    this.at = i;
    this.#depth = depth;
    return depth === 0;
  }
}

function skipNested(text: string, at: number): number {
  const skip = new NestedSkip(text, at);
  skip.go(Number.POSITIVE_INFINITY);
  return skip.at;
}

/** The index behind a string, a number or a word. */
export function skipPlain(text: string, at: number): number {
  if (text.charCodeAt(at) === QUOTE) return skipString(text, at);
  let i = at;
  for (;;) {
    const next = text.charCodeAt(i);
    // NaN stands behind the end of the text.
    if (next === COMMA || next === CLOSE_BRACE || next === CLOSE_BRACKET || isSpace(next)) return i;
    if (Number.isNaN(next)) return i;
    i++;
  }
}

export function skipValue(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isNested = code === OPEN_BRACE || code === OPEN_BRACKET;
  return isNested ? skipNested(text, at) : skipPlain(text, at);
}

/** A name as it is written, between its quotes; escapes are rare enough to be left to JSON.parse. */
export function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : name;
}
