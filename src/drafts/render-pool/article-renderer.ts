import type { PlatformArticle } from "../../wechat/article.ts";
import { type CompiledArticle, compileArticles } from "../article/compile.ts";
import { makePreview, type Preview } from "../article/preview.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { Problem } from "../contract/preview.ts";
import { preflight } from "../preflight/preflight.ts";
import { type DraftMark, markOf, matches } from "../push/fingerprint.ts";
import type { RemoteItem } from "../read-back/read-back.ts";
import type { Renderer } from "./renderer.ts";

/** What of a public account decides how its articles come out. Nothing secret is among it. */
export interface Imprint {
  readonly publicAccountId: string;
  readonly kind: "built-in" | "wechat";
  readonly author: string | null;
  readonly theme: string | null;
  /** Where the platform has its own pictures. */
  readonly places: readonly string[];
}

export interface Judged {
  readonly articles: readonly CompiledArticle[];
  readonly problems: readonly Problem[];
}

/**
 * Everything that reads the text of an article, which may take as long as its author wants. Arguments and
 * results are plain values, so that a worker thread can do the work.
 */
export interface ArticleRenderer {
  judge(docs: readonly ArticleDoc[], imprint: Imprint): Promise<Judged>;
  preview(docs: readonly ArticleDoc[], imprint: Imprint): Promise<Preview>;
  /** The same HTML with the sources of its images replaced. */
  placeImages(html: string, urls: ReadonlyMap<string, string>): Promise<string>;
  mark(articles: readonly PlatformArticle[]): Promise<DraftMark>;
  /** The media ids of those that are what was marked. */
  matching(mark: DraftMark, items: readonly RemoteItem[]): Promise<readonly string[]>;
}

/** The renderer for an account's drafts. No account waits for the drafts of another. */
export type RendererFor = (accountId: string) => ArticleRenderer;

/** A renderer that works in the calling thread. */
export function articleRenderer(renderer: Renderer): ArticleRenderer {
  const judge = async (docs: readonly ArticleDoc[], imprint: Imprint): Promise<Judged> => {
    const articles = await compileArticles(renderer, docs, imprint);
    const problems = preflight(articles, { strictCount: imprint.kind !== "built-in" });
    return { articles, problems };
  };
  return {
    judge,
    preview: async (docs, imprint) => makePreview(await judge(docs, imprint), imprint),
    placeImages: async (html, urls) => renderer.placeImages(html, urls),
    mark: async (articles) => markOf(articles),
    matching: async (mark, items) =>
      items.filter(({ articles }) => matches(mark, articles)).map(({ mediaId }) => mediaId),
  };
}
