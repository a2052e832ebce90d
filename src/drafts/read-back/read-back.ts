import type { PlatformArticle, PlatformCrop } from "../../wechat/article.ts";
import type { ArticleDoc, CoverRef, CropBox } from "../contract/article.ts";
import type { Difference } from "../contract/push.ts";
import type { Draft } from "../draft.ts";

/** An article as the box has it. */
export interface RemoteArticle extends PlatformArticle {
  /** A link that shows the draft for some time. */
  readonly url?: string;
  readonly thumb_url?: string;
}

export interface ReadBack {
  readonly draft: Draft;
  /** Absent where it is not in the box (any more). */
  readonly articles: readonly RemoteArticle[] | undefined;
  readonly url: string | null;
  /** What the platform, or somebody in its editor, has made of what was sent. */
  readonly differences: readonly Difference[];
}

export interface RemoteItem {
  readonly mediaId: string;
  readonly articles: readonly RemoteArticle[];
  readonly updatedAtMs: number;
}

export interface RemotePage {
  readonly total: number;
  readonly items: readonly RemoteItem[];
}

const COMPARED = [
  "title",
  "author",
  "digest",
  "content",
  "content_source_url",
  "thumb_media_id",
  "need_open_comment",
  "only_fans_can_comment",
] as const;

/** The platform stores the address of an image under another name than browsers read it. */
export function shownImages(html: string): string {
  return html.replace(/<img\b[^>]*(?:>|$)/gi, (tag) => tag.replace(/(\s)data-src=/gi, "$1src="));
}

function wordsOf(article: RemoteArticle | undefined, field: (typeof COMPARED)[number]): string {
  const value = String(article?.[field] ?? "");
  return field === "content" ? shownImages(value) : value;
}

/** Where the box has something else than was sent. */
export function differencesOf(
  submitted: readonly PlatformArticle[],
  stored: readonly RemoteArticle[],
): readonly Difference[] {
  const count = Math.max(submitted.length, stored.length);
  return Array.from({ length: count }, (_, article) => article).flatMap((article) =>
    COMPARED.flatMap((field) => {
      const difference = {
        article,
        field,
        submitted: wordsOf(submitted[article], field),
        stored: wordsOf(stored[article], field),
      };
      // The platform writes a digest by itself where there is none.
      const isOwnDigest = field === "digest" && difference.submitted === "";
      return isOwnDigest || difference.submitted === difference.stored ? [] : [difference];
    }),
  );
}

function readCropText(text: string | undefined): CropBox | undefined {
  const sides = (text ?? "").split("_").map(Number);
  if (sides.length !== 4 || sides.some(Number.isNaN)) return undefined;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = sides;
  return { x1, y1, x2, y2 };
}

function readCrop(list: readonly PlatformCrop[] | undefined, ratio: string): CropBox | undefined {
  const crop = list?.find((one) => one.ratio === ratio);
  return crop && readCropText([crop.x1, crop.y1, crop.x2, crop.y2].join("_"));
}

function coverOf(article: RemoteArticle): CoverRef | undefined {
  const list = article.cover_info?.crop_percent_list;
  const wide = readCropText(article.pic_crop_235_1) ?? readCrop(list, "2.35_1");
  const square = readCropText(article.pic_crop_1_1) ?? readCrop(list, "1_1");
  const crops =
    wide || square ? { crops: { ...(wide && { wide }), ...(square && { square }) } } : {};
  if (article.thumb_media_id) return { media_id: article.thumb_media_id, ...crops };
  // What was made in the platform's own editor may have only an address.
  return article.thumb_url ? { url: article.thumb_url, ...crops } : undefined;
}

/** An article of the box as one that can be edited here; what only the platform may set is left. */
export function toDoc(article: RemoteArticle): ArticleDoc {
  const isPictures = article.article_type === "newspic";
  const cover = isPictures ? undefined : coverOf(article);
  const images = (article.image_info?.image_list ?? []).map(({ image_media_id }) => ({
    media_id: String(image_media_id),
  }));
  const productKey = article.product_info?.footer_product_info?.product_key;
  return {
    type: isPictures ? "newspic" : "news",
    title: String(article.title),
    ...(article.author && { author: article.author }),
    ...(article.digest && { digest: article.digest }),
    source: { format: "html", text: shownImages(String(article.content)) },
    ...(article.content_source_url && { source_url: article.content_source_url }),
    ...(cover && { cover }),
    ...(isPictures && { images }),
    ...(article.need_open_comment === 1 && { open_comment: true }),
    ...(article.only_fans_can_comment === 1 && { fans_only_comment: true }),
    ...(productKey && { product_key: productKey }),
  };
}
