import type { placeImages, renderArticle, renderPlain } from "../render/render-article.ts";

/** How articles are rendered. It throws `ArticleTooComplex` for what no author writes. */
export interface Renderer {
  readonly render: typeof renderArticle;
  readonly renderPlain: typeof renderPlain;
  readonly placeImages: typeof placeImages;
}
