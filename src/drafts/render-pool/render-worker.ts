import { workInThread } from "../../lib/threads/thread.ts";
import { placeImages, renderArticle, renderPlain } from "../render/render-article.ts";
import { type ArticleRenderer, articleRenderer } from "./article-renderer.ts";

/** A call of the renderer, by its name and arguments. */
export interface RenderTask {
  readonly call: keyof ArticleRenderer;
  readonly args: readonly unknown[];
}

const renderer = articleRenderer({ render: renderArticle, renderPlain, placeImages });

workInThread(({ call, args }: RenderTask): Promise<unknown> => {
  const work = renderer[call] as (...given: readonly unknown[]) => Promise<unknown>;
  return work(...args);
});
