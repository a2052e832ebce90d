// Where a block of our own may end a paragraph that has no empty line after it.

/**
 * The line end before the first such block in the paragraph that `source` begins with. Only what
 * does begin a block counts: each cut makes the parser look through the rest of the text again.
 */
export function interruption(
  source: string,
  candidate: RegExp,
  begins: (rest: string) => unknown,
): number | undefined {
  const end = source.indexOf("\n\n");
  const paragraph = end < 0 ? source : source.slice(0, end);
  for (const { index } of paragraph.matchAll(candidate)) {
    if (begins(source.slice(index + 1))) return index;
  }
  return undefined;
}
