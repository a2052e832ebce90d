/** Dressed in a theme, so many are more than the platform takes. */
export const SOURCE_ELEMENTS_MAX = 20_000;

/** An article that was written, or has grown, to cost its reader time or memory. */
export class ArticleTooComplex extends Error {
  constructor() {
    super("the article is too complex to be rendered");
    this.name = "ArticleTooComplex";
  }
}

/** How deep brackets stand in one another. */
export function depthOf(text: string, opening: string, closing: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (opening.includes(character)) depth += 1;
    else if (closing.includes(character)) depth = Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
