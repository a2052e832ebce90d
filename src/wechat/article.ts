/** The articles of a draft, as both sides of the wire write them. */

export const ARTICLE_TYPES = ["news", "newspic"] as const;
export type ArticleType = (typeof ARTICLE_TYPES)[number];

/** A cut of the cover, corners in a plane from (0, 0) at the top left to (1, 1). */
export interface PlatformCrop {
  readonly ratio?: string;
  readonly x1?: string;
  readonly y1?: string;
  readonly x2?: string;
  readonly y2?: string;
}

export interface PlatformArticle {
  readonly article_type?: ArticleType;
  readonly title: string;
  readonly author?: string;
  readonly digest?: string;
  readonly content: string;
  readonly content_source_url?: string;
  readonly thumb_media_id?: string;
  readonly show_cover_pic?: 0 | 1;
  readonly need_open_comment?: 0 | 1;
  readonly only_fans_can_comment?: 0 | 1;
  readonly pic_crop_235_1?: string;
  readonly pic_crop_1_1?: string;
  readonly image_info?: { readonly image_list: readonly { readonly image_media_id: string }[] };
  readonly cover_info?: { readonly crop_percent_list?: readonly PlatformCrop[] };
  readonly product_info?: { readonly footer_product_info?: { readonly product_key?: string } };
}
