/** Dressed in a theme, so many are more than the platform takes. */
export const SOURCE_ELEMENTS_MAX = 20_000;

/** An article that was written, or has grown, to cost its reader time or memory. */
export class ArticleTooComplex extends Error {
  constructor() {
    super("the article is too complex to be rendered");
    this.name = "ArticleTooComplex";
  }
}
