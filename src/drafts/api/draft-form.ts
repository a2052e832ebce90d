import { z } from "zod";
import { wishMembers } from "../writing/wish.ts";

const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 20_000;

/** An article's members are checked by its own schema, whichever way the text was brought. */
const texts = {
  markdown: z.string("The markdown is a text."),
  html: z.string("The HTML is a text."),
};

/** What an article may have beside its text. */
const particulars = {
  type: z.unknown(),
  title: z.unknown(),
  author: z.unknown(),
  digest: z.unknown(),
  theme: z.unknown(),
  source_url: z.unknown(),
  cover: z.unknown(),
  images: z.unknown(),
  open_comment: z.unknown(),
  fans_only_comment: z.unknown(),
  product_key: z.unknown(),
};

export const PARTICULARS = Object.keys(particulars) as readonly (keyof typeof particulars)[];

export const accountName = z
  .string("Name a public account by its id or name.")
  .min(1)
  .max(NAME_CHARS_MAX);

const optional = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).partial().shape;

/** One article of several: as it is kept, or with `markdown` or `html` in place of its source. */
const articleForm = z.strictObject(optional({ ...particulars, ...texts, source: z.unknown() }));

const members = {
  ...optional({ ...particulars, ...texts, ...wishMembers }),
  articles: z.array(articleForm, "articles is a list.").min(1, "Bring an article.").optional(),
  account: accountName.optional(),
  publish: z.boolean("publish is true or false.").optional(),
  dry_run: z.boolean("dry_run is true or false.").optional(),
};

export const draftForm = z.strictObject(members);
export type DraftForm = z.infer<typeof draftForm>;

export const previewForm = z.strictObject({ ...members }).omit({ publish: true, dry_run: true });
export type PreviewForm = z.infer<typeof previewForm>;

/** Only what is named changes; null takes a particular away. */
export const updateForm = z.strictObject({
  ...optional({ ...particulars, ...texts }),
  articles: members.articles,
  /** Which article the other members are about. */
  article: z.int().min(0).optional(),
  /** The version that was edited; the newest where absent. */
  base: z.int().min(1).optional(),
  dry_run: members.dry_run,
});
export type UpdateForm = z.infer<typeof updateForm>;

/** The draft that the model is asked for; what the call cost is then on its receipt. */
const draftId = z.string("Name a draft by its id.").max(NAME_CHARS_MAX).optional();

/** `brief` and `model`, and how to write; nothing is stored. */
export const writeForm = z.strictObject({
  brief: wishMembers.brief,
  model: wishMembers.model,
  ...optional({
    language: wishMembers.language,
    length: wishMembers.length,
    tone: wishMembers.tone,
  }),
  title: z.string().max(NAME_CHARS_MAX).optional(),
  digest: z.string().max(NAME_CHARS_MAX).optional(),
  draft: draftId,
});

/** One text that is to become shorter. */
export const shortenForm = z.strictObject({
  model: wishMembers.model,
  field: z.enum(["title", "digest", "author", "text"]).default("text"),
  text: z.string("Bring the text.").trim().min(1, "Bring the text.").max(TEXT_CHARS_MAX),
  limit: z.int("The limit is a number of characters.").min(1).max(TEXT_CHARS_MAX),
  draft: draftId,
});

export type ArticleForm = z.infer<typeof articleForm>;
