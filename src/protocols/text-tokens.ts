/**
 * Tokens of a text before anyone has counted them: a Latin letter is about a quarter of a token, a
 * character of Chinese, Japanese or Korean nearly a whole one.
 */
const TOKENS_PER_CHAR = 0.25;
const TOKENS_PER_WIDE_CHAR = 0.8;
const TOKENS_PER_HALF_WIDE_CHAR = (TOKENS_PER_CHAR + TOKENS_PER_WIDE_CHAR) / 2;

/** `bytes` is how long it is in UTF-8, for whoever knows that already. */
export function textTokens(text: string, bytes = Buffer.byteLength(text)): number {
  // Characters of three bytes in UTF-8 are wide; those of two count half.
  const wide = Math.max(0, (bytes - text.length) / 2);
  return (text.length - wide) * TOKENS_PER_CHAR + wide * TOKENS_PER_WIDE_CHAR;
}

/** The same of several texts. */
export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + textTokens(text), 0);
}

const QUOTE = 34;
const BACKSLASH = 92;
const LETTER_U = 117;
/** What may follow a backslash, but for the `u` of a code. */
const ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const CODE = /^[0-9a-fA-F]{4}$/;

/** One UTF-16 unit, written as four hexadecimal digits; undefined where they are none. */
function tokensOfCode(digits: Uint8Array): number | undefined {
  const written = String.fromCharCode(...digits);
  if (!CODE.test(written)) return undefined;
  const code = Number.parseInt(written, 16);
  if (code < 0x80) return TOKENS_PER_CHAR;
  const isHalf = code < 0x800 || (code >= 0xd800 && code <= 0xdfff);
  return isHalf ? TOKENS_PER_HALF_WIDE_CHAR : TOKENS_PER_WIDE_CHAR;
}

/** Something whose tokens are being counted. */
interface Counted {
  tokens: number;
}

/** Counts what an escape stands for. How many bytes follow its backslash, or 0 where it is none. */
function countEscape(bytes: Uint8Array, at: number, counted: Counted): number {
  if (bytes[at + 1] !== LETTER_U) {
    if (!ESCAPES.has(bytes[at + 1] as number)) return 0;
    counted.tokens += TOKENS_PER_CHAR;
    return 1;
  }
  const tokens = tokensOfCode(bytes.subarray(at + 2, at + 6));
  if (tokens === undefined) return 0;
  counted.tokens += tokens;
  return 5;
}

/**
 * Counts the same of the JSON string whose text begins at `from`, by its bytes and without decoding it.
 * Returns where its closing quote stands, or -1 where the string is not whole or is none.
 */
export function countText(bytes: Uint8Array, from: number, counted: Counted): number {
  let narrow = 0;
  let half = 0;
  let wide = 0;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) {
      counted.tokens +=
        narrow * TOKENS_PER_CHAR + half * TOKENS_PER_HALF_WIDE_CHAR + wide * TOKENS_PER_WIDE_CHAR;
      return i;
    }
    if (byte < 0x20) return -1;
    if (byte === BACKSLASH) {
      const more = countEscape(bytes, i, counted);
      if (more === 0) return -1;
      i += more;
    } else if (byte < 0x80) narrow++;
    else if (byte >= 0xf0) half += 2;
    else if (byte >= 0xe0) wide++;
    else if (byte >= 0xc0) half++;
  }
  return -1;
}
