import { knownEnd } from "./long-strings.ts";

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The index of the quote that closes the JSON string opened at `at`; the end of the text where none
 * does. Most strings have no escape before their end, which is then found at once; of any other each
 * character is looked at, since one quote after another that closes nothing would cost more.
 */
export function closingQuote(text: string, at: number): number {
  const first = unescapedQuote(text, at) ?? knownEnd(text, at);
  return first ?? Math.abs(seekQuote(text, at + 1, text.length));
}

/** The first quote behind the one at `at`, unless it is escaped; the end of the text where there is none. */
export function unescapedQuote(text: string, at: number): number | undefined {
  const first = text.indexOf('"', at + 1);
  if (first < 0) return text.length;
  return text.charCodeAt(first - 1) === BACKSLASH ? undefined : first;
}

/**
 * The closing quote behind `from`, which must be inside of no escape. Where it does not come before `to`, the
 * negative of a place behind it to go on from, or of the end of the text.
 */
export function seekQuote(text: string, from: number, to: number): number {
  let i = from;
  for (; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return -Math.min(i, text.length);
}
