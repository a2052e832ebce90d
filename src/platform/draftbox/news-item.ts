import type { PublicAccount } from "../account.ts";
import { addressSignature, coverUrl, pageUrl } from "../article-address.ts";
import type { Media } from "../image-lookup.ts";
import type { ProfileRules } from "../profile.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { BoxedDraft, StoredArticle } from "./draft.ts";

interface ItemContext {
  readonly account: PublicAccount;
  readonly rules: ProfileRules;
  readonly media: Media;
  readonly origin: string;
  readonly withContent: boolean;
}

async function newsItem(
  article: StoredArticle,
  mediaId: string,
  index: number,
  context: ItemContext,
): Promise<JsonObject> {
  const { content, ...rest } = article;
  const { media, rules, origin, withContent } = context;
  const { appid } = context.account;
  return {
    ...rest,
    ...(withContent && { content }),
    url: pageUrl(origin, appid, mediaId, index + 1, addressSignature(appid, mediaId, index)),
    ...(rules.talkative && {
      thumb_url: await coverUrl(media, origin, appid, article.thumb_media_id),
      is_deleted: false,
    }),
  };
}

/** The articles of a draft, as they are read back. */
export async function newsItems(draft: BoxedDraft, context: ItemContext): Promise<JsonObject> {
  const items = draft.articles.map(({ stored }, index) =>
    newsItem(stored, draft.mediaId, index, context),
  );
  return {
    news_item: await Promise.all(items),
    ...(context.rules.talkative && {
      create_time: Math.floor(draft.createdAtMs / 1000),
      update_time: Math.floor(draft.updatedAtMs / 1000),
    }),
  };
}
