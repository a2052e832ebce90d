import type { PlatformArticle } from "../../wechat/article.ts";
import type { CompiledArticle } from "../article/compile.ts";
import type { CropBoxes } from "../contract/article.ts";
import { centreCrops, cropStrings } from "../images/crops.ts";

/** What the uploads of an article have become. */
interface PlacedPictures {
  readonly content: string;
  readonly coverMediaId: string | undefined;
  /** Pixels of the cover, where they are known. */
  readonly coverSize: { readonly width: number; readonly height: number } | undefined;
  readonly crops: CropBoxes | undefined;
  readonly imageMediaIds: readonly string[];
}

/** The middle is taken for a crop that was not given, where the cover is known well enough to have one. */
function cropsOf({ crops, coverSize }: PlacedPictures): Partial<PlatformArticle> {
  const middle = coverSize && centreCrops(coverSize.width, coverSize.height);
  return cropStrings({ ...middle, ...crops });
}

/** An article in the words of the platform. */
export function toPlatformArticle(
  { doc, title, author, digest }: CompiledArticle,
  placed: PlacedPictures,
  isOnlyArticle: boolean,
): PlatformArticle {
  const { coverMediaId, imageMediaIds } = placed;
  return {
    article_type: doc.type,
    title,
    ...(author !== "" && { author }),
    ...(digest !== "" && isOnlyArticle && { digest }),
    content: placed.content,
    ...(doc.source_url && { content_source_url: doc.source_url }),
    ...(coverMediaId !== undefined && { thumb_media_id: coverMediaId }),
    need_open_comment: doc.open_comment ? 1 : 0,
    only_fans_can_comment: doc.open_comment && doc.fans_only_comment ? 1 : 0,
    ...cropsOf(placed),
    ...(doc.type === "newspic" && {
      image_info: { image_list: imageMediaIds.map((id) => ({ image_media_id: id })) },
    }),
    ...(doc.product_key && {
      product_info: { footer_product_info: { product_key: doc.product_key } },
    }),
  };
}
