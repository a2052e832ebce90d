import type { ArticleType } from "../../wechat/article.ts";
import type { JsonObject } from "../protocol/json.ts";

/** An article as the box keeps it: every default filled in, the content filtered. */
export interface StoredArticle {
  readonly article_type: ArticleType;
  readonly title: string;
  readonly author: string;
  readonly digest: string;
  readonly content: string;
  readonly content_source_url: string;
  readonly thumb_media_id: string;
  readonly show_cover_pic: 0 | 1;
  readonly need_open_comment: 0 | 1;
  readonly only_fans_can_comment: 0 | 1;
  readonly pic_crop_235_1?: string;
  readonly pic_crop_1_1?: string;
  readonly image_info?: JsonObject;
  readonly cover_info?: JsonObject;
  readonly product_info?: JsonObject;
}

/** Both versions side by side, so that what the platform did to an article can be shown. */
export interface BoxedArticle {
  readonly submitted: JsonObject;
  readonly stored: StoredArticle;
}

export interface BoxedDraft {
  readonly mediaId: string;
  readonly articles: readonly BoxedArticle[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
