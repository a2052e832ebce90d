/**
 * One token is a word piece of at most six letters with the space before it, up to three digits,
 * one ideograph, a run of white space, or one other character. Joining the tokens of a text gives
 * the text back, so deltas can be sent token by token.
 */
const CJK = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}";
const TOKEN = new RegExp(
  `[${CJK}]| ?(?:(?![${CJK}])[\\p{L}\\p{M}]){1,6}| ?\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]|\\s+|[\\s\\S]`,
  "gu",
);

/** Longer texts are counted by the density of their beginning, so as not to block the loop. */
const EXACT_COUNT_CHARS_MAX = 200_000;

export function splitTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function countTokens(text: string): number {
  if (text.length <= EXACT_COUNT_CHARS_MAX) return splitTokens(text).length;
  const sample = splitTokens(text.slice(0, EXACT_COUNT_CHARS_MAX)).length;
  return Math.ceil((sample * text.length) / EXACT_COUNT_CHARS_MAX);
}
