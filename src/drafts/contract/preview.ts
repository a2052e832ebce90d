import * as z from "../../lib/schemas.ts";

export const destination = z
  .strictObject({
    name: z.string(),
    appid: z.string(),
    sandbox: z.boolean().describe("The built-in platform, which has no readers."),
    platform_url: z.string().nullable().describe("Null for the built-in platform."),
  })
  .describe("Where drafts of a public account go.")
  .meta({ id: "DraftDestination" });

const fix = z
  .strictObject({
    kind: z.enum([
      "shorten",
      "trim",
      "decode_escapes",
      "strip_tags",
      "strip_scripts",
      "footnote_links",
      "upload_image",
      "re_encode_image",
      "compress_image",
      "remove_heading",
      "flatten_lists",
      "centre_crop",
      "title_card",
      "close_comment_rule",
      "apply_settings",
      "clear",
    ]),
    value: z
      .exactOptional(z.string())
      .describe("The corrected text of the field, if no model is needed for it."),
    members: z
      .exactOptional(z.record(z.string(), z.unknown()))
      .describe("The members of the article that settings above the text set."),
  })
  .describe("A fix that one click or a program can apply.");

const takenOut = z.strictObject({
  name: z.string().describe("An element as <iframe>, or an attribute, a style or a scheme."),
  lines: z.array(z.int()).readonly(),
});

const amount = z.exactOptional(z.union([z.number(), z.string()]));

/** Something that the platform would refuse or change, found before anything is sent. */
export const problem = z
  .strictObject({
    severity: z.enum(["error", "warning", "info"]),
    code: z.string(),
    article: z.int().describe("Index of the article."),
    field: z.string().describe("Within the article, such as title or source.text."),
    limit: amount,
    found: amount,
    picture: z.exactOptional(z.string()).describe("Its address or file, as in the text."),
    line: z.exactOptional(z.int()).describe("The line of the text below its settings, if known."),
    message: z.string(),
    taken: z
      .exactOptional(z.array(takenOut).readonly())
      .describe("What rendering removed, and the lines of the text, from 1."),
    fix: z.exactOptional(fix),
  })
  .meta({ id: "DraftProblem" });

/** Lengths of a text as the platform may count them. */
const counted = z
  .strictObject({
    characters: z.int(),
    units: z.int().describe("One for ASCII, two for everything else."),
  })
  .meta({ id: "CountedText" });

const previewArticle = z.strictObject({
  title: z.string(),
  author: z.string(),
  digest: z
    .string()
    .describe("The digest that readers see: the given one, or the first words of the text."),
  html: z
    .string()
    .describe("The content after the platform's filter, pictures at their own addresses."),
  counts: z.strictObject({
    title: counted,
    author: counted,
    digest: counted,
    text: counted,
    content_bytes: z.int().describe("As it would be sent, its pictures uploaded."),
  }),
  uploads: z
    .array(z.strictObject({ field: z.string(), from: z.string() }))
    .readonly()
    .describe("Pictures that a push would load and upload."),
});

export const preview = z
  .strictObject({
    object: z.literal("draft_preview"),
    public_account_id: z.string(),
    sandbox: z.boolean(),
    destination,
    ok: z.boolean().describe("Whether it could be pushed."),
    problems: z.array(problem).readonly(),
    articles: z.array(previewArticle).readonly(),
    request: z
      .string()
      .describe("The body of the call, with what is yet to be uploaded in angle brackets."),
  })
  .meta({ id: "DraftPreview" });

export type Destination = z.output<typeof destination>;
export type ProblemFix = z.output<typeof fix>;
export type TakenOut = z.output<typeof takenOut>;
export type Problem = z.output<typeof problem>;
export type Counted = z.output<typeof counted>;
export type Preview = z.output<typeof preview>;
