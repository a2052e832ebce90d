/**
 * Tokens of a text before anyone has counted them: a Latin letter is about a quarter of a token, a
 * character of Chinese, Japanese or Korean nearly a whole one.
 */
const TOKENS_PER_CHAR = 0.25;
const TOKENS_PER_WIDE_CHAR = 0.8;
const TOKENS_PER_HALF_WIDE_CHAR = (TOKENS_PER_CHAR + TOKENS_PER_WIDE_CHAR) / 2;

export function textTokens(text: string): number {
  // Characters of three bytes in UTF-8 are wide; those of two count half.
  const wide = Math.max(0, (Buffer.byteLength(text) - text.length) / 2);
  return (text.length - wide) * TOKENS_PER_CHAR + wide * TOKENS_PER_WIDE_CHAR;
}

/** The same of several texts. */
export function tokensOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + textTokens(text), 0);
}

const QUOTE = 34;
const BACKSLASH = 92;
const LETTER_U = 117;

/** One UTF-16 unit, written as four hexadecimal digits. */
function tokensOfCode(digits: Uint8Array): number {
  const code = Number.parseInt(String.fromCharCode(...digits), 16);
  if (code < 0x80) return TOKENS_PER_CHAR;
  const isHalf = code < 0x800 || (code >= 0xd800 && code <= 0xdfff);
  return isHalf ? TOKENS_PER_HALF_WIDE_CHAR : TOKENS_PER_WIDE_CHAR;
}

/** The same of the JSON string whose text begins at `from`, by its bytes and without decoding it. */
export function jsonTextTokens(bytes: Uint8Array, from: number): number {
  let tokens = 0;
  for (let i = from; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) break;
    if (byte === BACKSLASH) {
      const isCode = bytes[i + 1] === LETTER_U;
      tokens += isCode ? tokensOfCode(bytes.subarray(i + 2, i + 6)) : TOKENS_PER_CHAR;
      i += isCode ? 5 : 1;
    } else if (byte < 0x80) tokens += TOKENS_PER_CHAR;
    else if (byte >= 0xf0) tokens += 2 * TOKENS_PER_HALF_WIDE_CHAR;
    else if (byte >= 0xe0) tokens += TOKENS_PER_WIDE_CHAR;
    else if (byte >= 0xc0) tokens += TOKENS_PER_HALF_WIDE_CHAR;
  }
  return tokens;
}
