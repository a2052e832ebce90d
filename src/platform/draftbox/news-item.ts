import { createHash } from "node:crypto";
import type { PublicAccount } from "../account.ts";
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

/** Ends the address of a draft's page, so that none is reached by counting. */
export function draftSignature(appid: string, mediaId: string, index: number): string {
  return createHash("sha256").update(`${appid} ${mediaId} ${index}`).digest("hex").slice(0, 32);
}

/** Where one article of a draft can be looked at; its index counts from one there. */
function draftUrl({ account, origin }: ItemContext, mediaId: string, index: number): string {
  const query = new URLSearchParams({
    __biz: Buffer.from(account.appid).toString("base64url"),
    mid: mediaId,
    idx: String(index + 1),
    sn: draftSignature(account.appid, mediaId, index),
  });
  return `${origin}/s?${query}#rd`;
}

async function newsItem(
  article: StoredArticle,
  mediaId: string,
  index: number,
  context: ItemContext,
): Promise<JsonObject> {
  const { content, ...rest } = article;
  const { account, media, rules, origin, withContent } = context;
  const cover = article.thumb_media_id
    ? await media.findImage(account.appid, article.thumb_media_id)
    : undefined;
  return {
    ...rest,
    ...(withContent && { content }),
    url: draftUrl(context, mediaId, index),
    ...(rules.talkative && {
      thumb_url: cover?.path === undefined ? "" : `${origin}${cover.path}`,
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
