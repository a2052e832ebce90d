// Where a block of our own may end a paragraph that has no empty line after it.
import type { TokenizerThis } from "marked";

/**
 * The line end before the first such block in the paragraph that `source` begins with. Only what
 * does begin a block counts: each cut makes the parser look through the rest of the text again.
 */
export function interruption(
  { lexer }: TokenizerThis,
  source: string,
  candidate: RegExp,
  begins: (rest: string) => unknown,
): number | undefined {
  // Elsewhere, as in items of lists, there are no paragraphs but lines, and each would be a look at all.
  if (!lexer.state.top) return undefined;
  const end = source.indexOf("\n\n");
  const paragraph = end < 0 ? source : source.slice(0, end);
  for (const { index } of paragraph.matchAll(candidate)) {
    if (begins(source.slice(index + 1))) return index;
  }
  return undefined;
}
