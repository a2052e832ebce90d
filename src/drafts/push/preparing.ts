import type { CompiledArticle } from "../article/compile.ts";
import type { Preview } from "../article/preview.ts";
import type { Workshop } from "../article/workshop.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { Problem } from "../contract/preview.ts";
import { type Destination, destinationOf, destinationProblems } from "../destination.ts";
import type { PublicAccount } from "../draft.ts";
import { isOwnImage } from "../own-image.ts";
import { type ArticlePictures, preparePictures } from "../pictures.ts";
import { hasErrors, preflightFault } from "../preflight/problem.ts";
import type { Imprint } from "../press/press.ts";

/** A draft that nothing speaks against, with every file it needs. */
export interface PreparedDraft {
  readonly articles: readonly CompiledArticle[];
  readonly pictures: readonly ArticlePictures[];
  readonly problems: readonly Problem[];
}

/** What a push would bring about, and where. */
export interface PreviewForAccount extends Preview {
  readonly destination: Destination;
}

/** Renders, judges and loads: everything before the platform is called. */
export class Preparing {
  readonly #workshop: Workshop;
  /** Addresses of the built-in platform: where it is called, and where people see it. */
  readonly #builtInUrls: () => readonly string[];

  constructor(workshop: Workshop, builtInUrls: () => readonly string[]) {
    this.#workshop = workshop;
    this.#builtInUrls = builtInUrls;
  }

  /** What a push would bring about, as far as that can be said without calling anybody. */
  async preview(docs: readonly ArticleDoc[], account: PublicAccount): Promise<PreviewForAccount> {
    const press = this.#workshop.pressFor(account.accountId);
    const preview = await press.preview(docs, this.#imprint(account));
    const problems = [...preview.problems, ...destinationProblems(account)];
    return { ...preview, problems, destination: destinationOf(account) };
  }

  #imprint({ id, kind, author, theme, platformUrl }: PublicAccount): Imprint {
    const places = platformUrl ? [platformUrl] : this.#builtInUrls();
    return { publicAccountId: id, kind, author, theme, places };
  }

  /** Throws `preflight_failed` with every problem, those of pictures included. */
  async prepare(docs: readonly ArticleDoc[], account: PublicAccount): Promise<PreparedDraft> {
    const imprint = this.#imprint(account);
    const press = this.#workshop.pressFor(account.accountId);
    const { articles, problems } = await press.judge(docs, imprint);
    // Pictures of an article that is refused anyway need not be fetched.
    if (hasErrors(problems)) throw preflightFault(problems);
    const own = (url: string) => isOwnImage(url, imprint.places);
    const pictures = await preparePictures(this.#workshop, articles, own);
    const all = [...problems, ...pictures.problems, ...destinationProblems(account)];
    if (hasErrors(all)) throw preflightFault(all);
    return { articles, pictures: pictures.articles, problems: all };
  }
}
