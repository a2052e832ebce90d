import { createHash } from "node:crypto";
import type { PlatformArticle } from "../../wechat/article.ts";
import { readableText } from "../preflight/readable-text.ts";
import type { RemoteArticle } from "../read-back/read-back.ts";

/** What an article is known by in the box, whatever the platform's filter has done to it. */
interface ArticleMark {
  readonly title: string;
  /** Empty where the platform writes one by itself, or shows none. */
  readonly digest: string;
  /** The cover of an article, the pictures of an image message. */
  readonly pictures: readonly string[];
  readonly textSum: string;
}

export type DraftMark = readonly ArticleMark[];

/** White space, also what nobody sees of it, comes and goes on the platform. */
function dense(html: string): string {
  return (readableText(html) ?? "").replace(/[\s\u00a0\u200b-\u200d\u2060\ufeff]+/g, "");
}

function textSum(content: string): string {
  return createHash("sha256").update(dense(content)).digest("hex");
}

function picturesOf(article: PlatformArticle): readonly string[] {
  const list = article.image_info?.image_list;
  if (article.article_type === "newspic" && Array.isArray(list)) {
    return list.map(({ image_media_id }) => String(image_media_id));
  }
  return article.thumb_media_id ? [article.thumb_media_id] : [];
}

export function markOf(articles: readonly PlatformArticle[]): DraftMark {
  const isOnly = articles.length === 1;
  return articles.map((article) => ({
    title: dense(article.title),
    digest: isOnly ? dense(article.digest ?? "") : "",
    pictures: picturesOf(article),
    textSum: textSum(article.content),
  }));
}

/** Two drafts with one fingerprint could not be told apart in the box. */
export function fingerprintOf(mark: DraftMark): string {
  return createHash("sha256").update(JSON.stringify(mark)).digest("hex");
}

function sameArticle(mark: ArticleMark, remote: RemoteArticle): boolean {
  if (dense(String(remote.title)) !== mark.title) return false;
  if (mark.digest !== "" && dense(String(remote.digest ?? "")) !== mark.digest) return false;
  if (picturesOf(remote).join(" ") !== mark.pictures.join(" ")) return false;
  return textSum(String(remote.content)) === mark.textSum;
}

export function matches(mark: DraftMark, remote: readonly RemoteArticle[]): boolean {
  return (
    mark.length === remote.length &&
    mark.every((article, index) => {
      const other = remote[index];
      return other !== undefined && sameArticle(article, other);
    })
  );
}
