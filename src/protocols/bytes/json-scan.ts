import { closingQuote } from "../../lib/json/json-string.ts";

/** Finds its way through a JSON text by index, without making anything of it. The text must be valid JSON. */
export const QUOTE = 34;
export const COMMA = 44;
const COLON = 58;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;
const BACKSLASH = 92;
/** By this bit a brace differs from a bracket, and no other character from either of them. */
const BRACKET_TO_BRACE = 32;

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The next place without a space; `to` where that comes first. */
export function skipSpace(text: string, at: number, to = text.length): number {
  let i = at;
  while (i < to && isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** The index behind the colon that follows a name; the space before it, which hardly any has, may be long. */
export function skipColon(text: string, nameEnd: number): number {
  return (text.charCodeAt(nameEnd) === COLON ? nameEnd : text.indexOf(":", nameEnd)) + 1;
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
      const brace = code | BRACKET_TO_BRACE;
      if (brace === OPEN_BRACE) depth++;
      else if (brace === CLOSE_BRACE) depth--;
      i++;
    } while (depth > 0 && i < to);
    this.at = i;
    this.#depth = depth;
    return depth === 0;
  }
}

function skipNested(text: string, at: number): number {
  const skip = new NestedSkip(text, at);
  skip.go(text.length);
  return skip.at;
}

/** The index behind a string, a number or a word. */
export function skipPlain(text: string, at: number): number {
  if (text.charCodeAt(at) === QUOTE) return skipString(text, at);
  let i = at;
  for (; i < text.length; i++) {
    const next = text.charCodeAt(i);
    if (next === COMMA || next === CLOSE_BRACE || next === CLOSE_BRACKET || isSpace(next)) break;
  }
  return i;
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

/** Whether the name that opens at `start` is this one, without a text made of it. Undefined where it has an escape. */
export function isWritten(text: string, start: number, name: string): boolean | undefined {
  for (let i = 0; ; i++) {
    const code = text.charCodeAt(start + 1 + i);
    if (code === QUOTE) return i === name.length;
    if (code === BACKSLASH) return undefined;
    if (code !== name.charCodeAt(i)) return false;
  }
}
