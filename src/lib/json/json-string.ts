const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The index of the quote that closes the JSON string opened at `at`; the end of the text where none
 * does. Most strings have no escape before their end, which is then found at once; of any other each
 * character is looked at, since one quote after another that closes nothing would cost more.
 */
export function closingQuote(text: string, at: number): number {
  const first = text.indexOf('"', at + 1);
  if (first < 0) return text.length;
  if (text.charCodeAt(first - 1) !== BACKSLASH) return first;
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}
