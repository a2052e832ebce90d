import { z } from "zod";

/** A part of a picture, each side from 0 to 1, the origin at the top left. */
export interface CropBox {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** Where a picture comes from; `card` is drawn from the title. */
export type ImageRef =
  | { readonly url: string }
  | { readonly data: string }
  | { readonly media_id: string }
  | { readonly card: true };

export interface CropBoxes {
  /** 2.35 to 1, the cover of the first article in a list. */
  readonly wide?: CropBox;
  /** 1 to 1, the cover of the others and of what is passed on. */
  readonly square?: CropBox;
}

export type CoverRef = ImageRef & { readonly crops?: CropBoxes };

/** An article as somebody writes it, before it is rendered. It is kept as JSON in these words. */
export interface ArticleDoc {
  readonly type: "news" | "newspic";
  readonly title: string;
  readonly author?: string;
  readonly digest?: string;
  readonly source: { readonly format: "markdown" | "html"; readonly text: string };
  readonly theme?: string;
  /** Where "read the original" leads. */
  readonly source_url?: string;
  /** A title card is drawn where there is none. */
  readonly cover?: CoverRef;
  /** The pictures of an image message, the first of which is its cover. */
  readonly images?: readonly ImageRef[];
  readonly open_comment?: boolean;
  readonly fans_only_comment?: boolean;
  readonly product_key?: string;
}

/**
 * These bounds only keep nonsense out of the database. A working copy may be over every limit of the
 * platform; the preflight says so at the field, with both numbers.
 */
const LINE_CHARS_MAX = 2_000;
/** Pictures may stand in a text as data URLs. */
const TEXT_CHARS_MAX = 16 * 1024 * 1024;
const PICTURE_CHARS_MAX = 24 * 1024 * 1024;
const IMAGES_MAX = 200;
const ARTICLES_MAX = 100;

const line = z.string().max(LINE_CHARS_MAX, `At most ${LINE_CHARS_MAX} characters.`);
const side = z.number("A side of a crop is a number from 0 to 1.");
const cropBox = z.strictObject({ x1: side, y1: side, x2: side, y2: side });
const crops = z.strictObject({
  wide: z.exactOptional(cropBox),
  square: z.exactOptional(cropBox),
});

const place = {
  url: z
    .string()
    .min(1, "Write the address of the picture.")
    .max(LINE_CHARS_MAX * 2),
  data: z
    .string()
    .startsWith("data:", "A picture is written as data:image/…;base64,…")
    .max(PICTURE_CHARS_MAX),
  media_id: z.string().min(1, "Write the media_id of the picture.").max(LINE_CHARS_MAX),
  card: z.literal(true),
};

/** One form of each place, with what else may stand beside it. */
function refOf<Extra extends z.ZodRawShape>(extra: Extra) {
  return z.union(
    [
      z.strictObject({ url: place.url, ...extra }),
      z.strictObject({ data: place.data, ...extra }),
      z.strictObject({ media_id: place.media_id, ...extra }),
      z.strictObject({ card: place.card, ...extra }),
    ],
    "A picture has exactly one of url, data, media_id and card: true.",
  );
}

export const articleDocSchema: z.ZodType<ArticleDoc> = z.strictObject({
  type: z.enum(["news", "newspic"], "The type is news or newspic.").default("news"),
  title: line,
  author: z.exactOptional(line),
  digest: z.exactOptional(line),
  source: z.strictObject({
    format: z.enum(["markdown", "html"], "The format is markdown or html."),
    text: z.string().max(TEXT_CHARS_MAX, `At most ${TEXT_CHARS_MAX} characters.`),
  }),
  theme: z.exactOptional(line),
  source_url: z.exactOptional(line),
  cover: z.exactOptional(refOf({ crops: z.exactOptional(crops) })),
  images: z.exactOptional(z.array(refOf({})).max(IMAGES_MAX, `At most ${IMAGES_MAX} pictures.`)),
  open_comment: z.exactOptional(z.boolean()),
  fans_only_comment: z.exactOptional(z.boolean()),
  product_key: z.exactOptional(line),
});

export const articleDocsSchema = z
  .array(articleDocSchema, "articles is a list.")
  .max(ARTICLES_MAX, `At most ${ARTICLES_MAX} articles.`);
