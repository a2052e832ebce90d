/** An article that was written, or has grown, to cost its reader time or memory. */
export class ArticleTooComplex extends Error {
  constructor() {
    super("the article is too complex to be rendered");
    this.name = "ArticleTooComplex";
  }
}
