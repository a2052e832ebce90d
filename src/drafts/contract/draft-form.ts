import * as z from "../../lib/schemas.ts";
import { writingMembers } from "../writing/writing-request.ts";
import { articleDocsSchema } from "./article.ts";

const NAME_CHARS_MAX = 200;
const TEXT_CHARS_MAX = 20_000;
const MEDIA_ID_CHARS_MAX = 500;

/** An article's members are checked by its own schema, whichever way the text was brought. */
const texts = {
  markdown: z
    .string("The markdown is a text.")
    .describe("The article as markdown; settings may stand above it between lines of ---."),
  html: z.string("The HTML is a text.").describe("The article as HTML."),
};

const PICTURE =
  'an address, a data: URL, or one of {"url"}, {"data"}, {"media_id"}, {"card": true} (a drawn title card)';

/** What is told of a member here, and judged once the article is whole. */
const told = (type: string, description: string) => z.unknown().meta({ type, description });

/** What an article may have beside its text. */
const particulars = {
  type: z
    .unknown()
    .meta({ enum: ["news", "newspic"], description: "newspic is an image message." }),
  title: told("string", "At most 32 characters. From the text's own heading where absent."),
  author: told("string", "At most 16 characters."),
  digest: told(
    "string",
    "At most 120 characters; the platform takes the first 54 of the text where absent.",
  ),
  theme: told("string", "One of the list of themes."),
  source_url: told("string", "Where 'read the original' leads."),
  cover: z.unknown().describe(`The cover: ${PICTURE}. A title card is drawn where absent.`),
  images: told("array", `Of an image message, 1 to 20, each ${PICTURE}.`),
  open_comment: told("boolean", "Whether readers may comment."),
  fans_only_comment: told("boolean", "Whether only followers may."),
  product_key: told("string", "Of a product that stands below the article."),
};

export const PARTICULARS = Object.keys(particulars) as readonly (keyof typeof particulars)[];

const account = z
  .string("Name a public account by its id or name.")
  .min(1)
  .max(NAME_CHARS_MAX)
  .optional()
  .describe("Public account by name or id; the default one where absent.");

type Optional<Members> = { [Name in keyof Members]: z.ZodOptional<Members[Name] & z.ZodType> };

/** One by one: to have them of an object without its members would make it, with all that they are made of. */
function optional<Members extends Record<string, z.ZodType>>(members: Members): Optional<Members> {
  const each = Object.entries(members).map(([name, member]) => [name, member.optional()]);
  return Object.fromEntries(each);
}

/** One article of several: as it is kept, or with `markdown` or `html` in place of its source. */
const articleForm = z.strictObject(
  optional({ ...particulars, ...texts, source: z.unknown().describe("As an article has it.") }),
);

const members = {
  ...optional({ ...particulars, ...texts, ...writingMembers }),
  articles: z
    .array(articleForm, "articles is a list.")
    .min(1, "Bring an article.")
    .readonly()
    .optional()
    .describe("Several articles in one draft, each with its own text."),
  account,
  publish: z.boolean("publish is true or false.").optional(),
  dry_run: z
    .boolean("dry_run is true or false.")
    .optional()
    .describe("Only shows what it would do."),
};

export const draftForm = z.strictObject(members);
export type DraftForm = z.infer<typeof draftForm>;

export const previewForm = draftForm.omit({ publish: true, dry_run: true });
export type PreviewForm = z.infer<typeof previewForm>;

/** Only what is named changes; null takes a particular away. */
export const updateForm = z.strictObject({
  ...optional({ ...particulars, ...texts }),
  articles: members.articles,
  article: z.int().min(0).optional().describe("Index of the article to change; 0 where absent."),
  base: z.int().min(1).optional().describe("The version that was edited; the newest by default."),
  dry_run: members.dry_run,
});
export type UpdateForm = z.infer<typeof updateForm>;

const draftId = z
  .string("Name a draft by its id.")
  .max(NAME_CHARS_MAX)
  .optional()
  .describe("The draft to which the cost of the call is added.");

/** `brief` and `model`, and how to write; nothing is stored. */
export const writeForm = z.strictObject({
  brief: writingMembers.brief,
  model: writingMembers.model,
  ...optional({
    language: writingMembers.language,
    length: writingMembers.length,
    tone: writingMembers.tone,
  }),
  title: z.string().max(NAME_CHARS_MAX).optional(),
  digest: z.string().max(NAME_CHARS_MAX).optional(),
  draft: draftId,
});

/** One text that is to become shorter. */
export const shortenForm = z.strictObject({
  model: writingMembers.model,
  field: z.enum(["title", "digest", "author", "text"]).default("text"),
  text: z.string("Bring the text.").trim().min(1, "Bring the text.").max(TEXT_CHARS_MAX),
  limit: z
    .int("The limit is a number of characters.")
    .min(1)
    .max(TEXT_CHARS_MAX)
    .describe("In characters."),
  draft: draftId,
});

export type ArticleForm = z.infer<typeof articleForm>;

/** A working copy of the console; nothing of it is sent. */
export const copyForm = z.strictObject({ articles: articleDocsSchema, account });

/** Autosave, on the version that was edited. */
export const saveForm = z.strictObject({
  articles: articleDocsSchema,
  base: z.int("base is the version that was edited.").min(1),
  account,
});

export const pushForm = z
  .strictObject({
    as_new: z.boolean().optional().describe("Adds it again if it was removed from the box."),
  })
  .prefault({});

export const emptyForm = z.strictObject({}).prefault({});

export const importForm = z.strictObject({
  media_id: z.string("Name the draft by its media_id.").min(1).max(MEDIA_ID_CHARS_MAX),
  account,
});

export const writeCopyForm = writeForm.extend({
  keep: z
    .boolean("keep is true or false.")
    .optional()
    .describe("The text becomes a draft once the model has answered."),
});
