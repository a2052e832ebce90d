import { randomBytes } from "node:crypto";
import { PlatformError } from "../platform-error.ts";
import { isJsonObject, type JsonObject, type JsonValue, member } from "../protocol/json.ts";
import type { DraftRows } from "../tables/drafts.ts";
import { type ArticleJudge, type JudgedArticle, judgeArticle } from "./article-rules.ts";
import type { BoxedArticle, BoxedDraft, StoredArticle } from "./draft.ts";

const MEDIA_ID = /^[\w-]{1,128}$/;

/** Whether a draft may have this id. No other is ever looked up: a database may choke on what a caller makes of one. */
export function isMediaId(text: string): boolean {
  return MEDIA_ID.test(text);
}

/** 64 characters that need no escaping anywhere. */
function newMediaId(): string {
  return randomBytes(48).toString("base64url");
}

/** Only a single article has a digest, taken from its text when none was sent. */
function withDigest({ article, opening }: JudgedArticle, isSingle: boolean): StoredArticle {
  if (!isSingle) return { ...article, digest: "" };
  return article.digest === "" ? { ...article, digest: opening } : article;
}

/** Senders wrap a whole request into the field that is one already. */
function isWrapped(article: JsonObject): boolean {
  return member(article, "title") === undefined && Array.isArray(member(article, "articles"));
}

/** The articles of an add: at least one, each an object. */
function articlesOf(value: JsonValue | undefined, max: number): readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) throw new PlatformError(44003, "articles");
  const articles = value.filter((article: JsonValue) => isJsonObject(article));
  if (articles.length !== value.length || articles.some(isWrapped)) {
    throw new PlatformError(44003, "articles");
  }
  if (articles.length > max) throw new PlatformError(45008, "articles");
  return articles;
}

/** The same code as for files that an account has no room for. */
function boxFull(): PlatformError {
  return new PlatformError(45001, "articles");
}

/** The draft boxes of all accounts. */
export class DraftBox {
  readonly #store: DraftRows;
  /** What one account may keep. */
  readonly #charsMax: number;

  constructor(store: DraftRows, charsMax: number) {
    this.#store = store;
    this.#charsMax = charsMax;
  }

  /** The media id of a new draft. Nothing is stored unless every article is good. */
  async add(value: JsonValue | undefined, judge: ArticleJudge, nowMs: number): Promise<string> {
    const articles = articlesOf(value, judge.rules.articlesMax);
    const boxed: BoxedArticle[] = [];
    for (const submitted of articles) {
      const judged = await judgeArticle(submitted, judge);
      boxed.push({ submitted, stored: withDigest(judged, articles.length === 1) });
    }
    const mediaId = newMediaId();
    const draft = { mediaId, articles: boxed, createdAtMs: nowMs, updatedAtMs: nowMs };
    if (await this.#store.add(judge.account.appid, draft, this.#charsMax)) return mediaId;
    throw boxFull();
  }

  /** Puts an article in the place of another. */
  async replace(
    draft: BoxedDraft,
    index: number,
    submitted: JsonObject,
    judge: ArticleJudge,
    nowMs: number,
  ): Promise<void> {
    const old = draft.articles[index];
    if (old === undefined) throw new PlatformError(40114, "index");
    const judged = await judgeArticle(submitted, judge, old.stored.article_type);
    const stored = withDigest(judged, draft.articles.length === 1);
    const { appid } = judge.account;
    const boxed = { submitted, stored };
    const { mediaId } = draft;
    const done = await this.#store.replace(appid, mediaId, index, boxed, this.#charsMax, nowMs);
    if (done === "full") throw boxFull();
    // It may have been removed since it was read.
    if (done === "gone") throw new PlatformError(40007, "media_id");
  }

  async find(appid: string, mediaId: string): Promise<BoxedDraft | undefined> {
    return isMediaId(mediaId) ? this.#store.find(appid, mediaId) : undefined;
  }

  count(appid: string): Promise<number> {
    return this.#store.count(appid);
  }

  /** The last changed first. */
  list(appid: string, offset: number, limit: number): Promise<readonly BoxedDraft[]> {
    return this.#store.list(appid, offset, limit);
  }

  /** False when it was not there. */
  async remove(appid: string, mediaId: string): Promise<boolean> {
    return isMediaId(mediaId) && this.#store.remove(appid, mediaId);
  }
}
