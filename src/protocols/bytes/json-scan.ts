import { closingQuote } from "../../lib/json/json-string.ts";

/** Finds its way through a JSON text by index, without making anything of it. The text must be valid JSON. */
export const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function skipSpace(text: string, at: number): number {
  let i = at;
  while (isSpace(text.charCodeAt(i))) i++;
  return i;
}

/** The index behind the closing quote of the string that opens at `at`. */
export function skipString(text: string, at: number): number {
  return closingQuote(text, at) + 1;
}

function skipNested(text: string, at: number): number {
  let depth = 0;
  let i = at;
  for (;;) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = skipString(text, i);
      continue;
    }
    if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    i++;
    if (depth === 0) return i;
  }
}

export function skipValue(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === QUOTE) return skipString(text, at);
  if (code === OPEN_BRACE || code === OPEN_BRACKET) return skipNested(text, at);
  let i = at;
  for (;;) {
    const next = text.charCodeAt(i);
    // NaN stands behind the end of the text.
    if (next === COMMA || next === CLOSE_BRACE || next === CLOSE_BRACKET || isSpace(next)) return i;
    if (Number.isNaN(next)) return i;
    i++;
  }
}

/** A name as it is written, between its quotes; escapes are rare enough to be left to JSON.parse. */
export function readName(text: string, start: number, end: number): string {
  const name = text.slice(start + 1, end - 1);
  return name.includes("\\") ? (JSON.parse(text.slice(start, end)) as string) : name;
}
