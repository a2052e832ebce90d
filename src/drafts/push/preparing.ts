import type { CompiledArticle } from "../article/compile.ts";
import type { Preview } from "../article/preview.ts";
import type { ArticleDoc } from "../contract/article.ts";
import type { Problem } from "../contract/preview.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Destination, destinationOf, destinationProblems } from "../destination.ts";
import type { PublicAccount } from "../draft.ts";
import { isOwnImage } from "../own-image.ts";
import { type ArticlePictures, preparePictures } from "../pictures.ts";
import { hasErrors, preflightFault } from "../preflight/problem.ts";
import type { Imprint } from "../render-pool/article-renderer.ts";

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

/** Addresses of the built-in platform are where it is called, and where people see it. */
function imprintOf(
  { builtInUrl, builtInPublicUrl }: Dependencies,
  { id, kind, author, theme, platformUrl }: PublicAccount,
): Imprint {
  const builtIn = [builtInUrl(), builtInPublicUrl].filter((url) => url !== undefined);
  const places = platformUrl ? [platformUrl] : builtIn;
  return { publicAccountId: id, kind, author, theme, places };
}

interface PreviewRequest {
  readonly articles: readonly ArticleDoc[];
  /** Id or name; the default one where absent. */
  readonly publicAccount?: string | undefined;
}

/** What a push would bring about, as far as that can be said without calling anybody. */
export async function previewArticles(
  deps: Dependencies,
  accountId: string,
  { articles, publicAccount }: PreviewRequest,
): Promise<PreviewForAccount> {
  const account = await deps.publicAccounts.find(accountId, publicAccount);
  const renderer = deps.workshop.rendererFor(accountId);
  const preview = await renderer.preview(articles, imprintOf(deps, account));
  const problems = [...preview.problems, ...destinationProblems(account)];
  return { ...preview, problems, destination: destinationOf(account) };
}

/**
 * Renders, judges and loads: everything before the platform is called. Throws `preflight_failed` with
 * every problem, those of pictures included.
 */
export async function prepare(
  deps: Dependencies,
  docs: readonly ArticleDoc[],
  account: PublicAccount,
): Promise<PreparedDraft> {
  const { workshop, limits } = deps;
  const imprint = imprintOf(deps, account);
  const { articles, problems } = await workshop.rendererFor(account.accountId).judge(docs, imprint);
  // Pictures of an article that is refused anyway need not be fetched.
  if (hasErrors(problems)) throw preflightFault(problems);
  const own = (url: string) => isOwnImage(url, imprint.places);
  const bytesMax = limits.draft_pictures_bytes_max;
  const images = workshop.imagesFor(account.accountId);
  const pictures = await preparePictures(images, articles, own, bytesMax);
  const all = [...problems, ...pictures.problems, ...destinationProblems(account)];
  if (hasErrors(all)) throw preflightFault(all);
  return { articles, pictures: pictures.articles, problems: all };
}
