import * as z from "../../lib/schemas.ts";

/**
 * These bounds only keep nonsense out of the database. A working copy may be over every limit of the
 * platform; the preflight says so at the field, with both numbers.
 */
export const LINE_CHARS_MAX = 2_000;
/** Pictures may stand in a text as data URLs. */
export const TEXT_CHARS_MAX = 16 * 1024 * 1024;
const PICTURE_CHARS_MAX = 24 * 1024 * 1024;
const IMAGES_MAX = 200;
const ARTICLES_MAX = 100;

const line = z.string().max(LINE_CHARS_MAX, `At most ${LINE_CHARS_MAX} characters.`);
const side = z.number("A side of a crop is a number from 0 to 1.");
const cropBox = z
  .strictObject({ x1: side, y1: side, x2: side, y2: side })
  .describe("A part of a picture, each side from 0 to 1, the origin at the top left.")
  .meta({ id: "CropBox" });
const crops = z.strictObject({
  wide: z.exactOptional(cropBox).describe("2.35 to 1, the cover of the first article in a list."),
  square: z
    .exactOptional(cropBox)
    .describe("1 to 1, the cover of the others and of what is passed on."),
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

const imageRef = refOf({});
const coverRef = refOf({ crops: z.exactOptional(crops) });

const type = z.enum(["news", "newspic"], "The type is news or newspic.");

/** An article as somebody writes it, before it is rendered. It is kept as JSON in these words. */
export const articleDocSchema = z.strictObject({
  type: type.default("news"),
  title: line,
  author: z.exactOptional(line),
  digest: z.exactOptional(line),
  source: z.strictObject({
    format: z.enum(["markdown", "html"], "The format is markdown or html."),
    text: z.string().max(TEXT_CHARS_MAX, `At most ${TEXT_CHARS_MAX} characters.`),
  }),
  theme: z.exactOptional(line),
  source_url: z.exactOptional(line).describe('Where "read the original" leads.'),
  cover: z.exactOptional(coverRef).describe("Without one, a title card is drawn."),
  images: z
    .exactOptional(z.array(imageRef).max(IMAGES_MAX, `At most ${IMAGES_MAX} pictures.`).readonly())
    .describe("The pictures of an image message, the first of which is its cover."),
  open_comment: z.exactOptional(z.boolean()),
  fans_only_comment: z.exactOptional(z.boolean()),
  product_key: z.exactOptional(line),
});

/** The same in answers, where its type is always said. */
export const shownArticle = articleDocSchema.extend({ type }).meta({ id: "Article" });

export const articleDocsSchema = z
  .array(articleDocSchema, "articles is a list.")
  .max(ARTICLES_MAX, `At most ${ARTICLES_MAX} articles.`)
  .readonly();

export type CropBox = z.output<typeof cropBox>;
export type CropBoxes = z.output<typeof crops>;
/** Where a picture comes from; `card` is drawn from the title. */
export type ImageRef = z.output<typeof imageRef>;
export type CoverRef = z.output<typeof coverRef>;
export type ArticleDoc = z.output<typeof articleDocSchema>;
