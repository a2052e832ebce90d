import type { PlatformArticle } from "../../wechat/article.ts";
import type { RemoteArticle } from "../read-back/read-back.ts";

/** One entry of the platform's list of what an account has published. */
export interface PublishedItem {
  readonly articleId: string;
  readonly articles: readonly RemoteArticle[];
  readonly updatedAtMs: number;
}

/** What was put into the box, as far as it is known. */
export interface SentArticles {
  readonly articles: readonly Pick<PlatformArticle, "title" | "thumb_media_id">[];
  readonly sinceMs: number;
}

/** The platform's clock need not be ours. */
const CLOCK_SLACK_MS = 5 * 60_000;

const plain = (text: string) => text.replace(/\s+/g, "");

/**
 * Whether a publication is what was put into the box. The list does not name the draft that it came
 * from, and the text may have been touched up in the platform's editor: titles and covers are compared.
 */
export function isPublicationOf(item: PublishedItem, { articles, sinceMs }: SentArticles): boolean {
  if (item.updatedAtMs < sinceMs - CLOCK_SLACK_MS) return false;
  if (item.articles.length !== articles.length) return false;
  return articles.every((sent, index) => {
    const remote = item.articles[index];
    if (!remote || plain(String(remote.title)) !== plain(sent.title)) return false;
    const [cover, remoteCover] = [sent.thumb_media_id, remote.thumb_media_id];
    return !cover || !remoteCover || cover === remoteCover;
  });
}
