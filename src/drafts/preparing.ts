import type { ArticleDoc } from "./article-doc.ts";
import { type CompiledArticle, compileArticles } from "./compile.ts";
import type { PublicAccount } from "./draft.ts";
import { type ArticlePictures, preparePictures } from "./pictures.ts";
import { preflight } from "./preflight.ts";
import { hasErrors, type Problem, preflightFault } from "./problem.ts";
import type { Workshop } from "./workshop.ts";

/** A draft that nothing speaks against, with every file it needs. */
export interface PreparedDraft {
  readonly articles: readonly CompiledArticle[];
  readonly pictures: readonly ArticlePictures[];
  readonly problems: readonly Problem[];
}

/** Hosts of the platform's own pictures; they are not uploaded again. */
const IMAGE_HOSTS = /^https?:\/\/mmbiz\.(?:qpic\.cn|qlogo\.cn)\//i;

/** Renders, judges and loads: everything before the platform is called. */
export class Preparing {
  readonly #workshop: Workshop;
  /** Addresses of the built-in platform: where it is called, and where people see it. */
  readonly #builtInUrls: () => readonly string[];

  constructor(workshop: Workshop, builtInUrls: () => readonly string[]) {
    this.#workshop = workshop;
    this.#builtInUrls = builtInUrls;
  }

  /** Whether a picture is the platform's already. */
  isOwnImage(url: string, account: PublicAccount): boolean {
    const platformUrls = account.platformUrl ? [account.platformUrl] : this.#builtInUrls();
    return IMAGE_HOSTS.test(url) || platformUrls.some((place) => url.startsWith(`${place}/mmbiz_`));
  }

  /** Without calling anybody. */
  async judge(
    docs: readonly ArticleDoc[],
    account: PublicAccount,
  ): Promise<{
    readonly articles: readonly CompiledArticle[];
    readonly problems: readonly Problem[];
  }> {
    const articles = await compileArticles(this.#workshop, docs, account);
    return {
      articles,
      problems: preflight(articles, { strictCount: account.kind !== "built-in" }),
    };
  }

  /** Throws `preflight_failed` with every problem, those of pictures included. */
  async prepare(docs: readonly ArticleDoc[], account: PublicAccount): Promise<PreparedDraft> {
    const { articles, problems } = await this.judge(docs, account);
    // Pictures of an article that is refused anyway need not be fetched.
    if (hasErrors(problems)) throw preflightFault(problems);
    const own = (url: string) => this.isOwnImage(url, account);
    const pictures = await preparePictures(this.#workshop, articles, own);
    const all = [...problems, ...pictures.problems];
    if (hasErrors(all)) throw preflightFault(all);
    return { articles, pictures: pictures.articles, problems: all };
  }
}
