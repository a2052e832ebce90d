import { decimal, instant } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { shownArticle } from "./article.ts";

const status = z
  .enum(["local", "pushing", "in_box", "refused", "unknown", "removed", "publishing", "published"])
  .describe(
    "local: not pushed. pushing: in progress. in_box: in the draft box. refused, unknown: the end of the last push. " +
      "removed: no longer in the box. publishing without a publish_id: the platform's answer was lost.",
  );

/** A call of a model that wrote a part of a draft. */
const writingCall = z
  .strictObject({
    request_id: z.string().describe("The id of the call's receipt."),
    model: z.string(),
    purpose: z.enum(["write", "shorten"]),
    cost: decimal.nullable().describe("Null if the key hides costs."),
  })
  .meta({ id: "WritingCall" });

export const writingCalls = z.array(writingCall).readonly();

/** What calls of models have cost in all; null where a part of it is not shown. */
export const writingCost = decimal.nullable();

const facts = {
  object: z.literal("draft"),
  id: z.string(),
  public_account_id: z.string(),
  status,
  media_id: z.string().nullable().describe("The `media_id` in the box."),
  version: z.int().describe("Grows with every change."),
  pushed_version: z.int().nullable().describe("The version that is in the box, or was."),
  publish_id: z.string().nullable(),
  writing: writingCalls,
  writing_cost: writingCost,
  created_at: instant,
  updated_at: instant,
};

/** A draft as lists have it. */
export const draftLine = z
  .strictObject({
    ...facts,
    articles: z
      .array(shownArticle.pick({ type: true, title: true, author: true, digest: true }))
      .readonly(),
  })
  .meta({ id: "DraftLine" });

export const draft = z
  .strictObject({ ...facts, articles: z.array(shownArticle).readonly() })
  .meta({ id: "Draft" });

export const draftVersion = z
  .strictObject({
    object: z.literal("draft_version"),
    version: z.int(),
    by: z.string().describe("The person or key that saved it, by name."),
    title: z.string(),
    created_at: instant,
  })
  .meta({ id: "DraftVersion" });

export const wholeVersion = draftVersion
  .extend({ articles: z.array(shownArticle).readonly() })
  .meta({ id: "WholeDraftVersion" });

/** What a model has written. */
export const written = z
  .strictObject({
    object: z.literal("written_article"),
    article: shownArticle,
    cover_idea: z.string(),
    writing: writingCalls,
    writing_cost: writingCost,
    draft_id: z.exactOptional(z.string()).describe("The new draft, if none was named."),
  })
  .meta({ id: "WrittenArticle" });

export const shortened = z
  .strictObject({ object: z.literal("shortened_text"), text: z.string(), writing: writingCalls })
  .meta({ id: "ShortenedText" });

const inBoth = z.strictObject({ en: z.string(), zh: z.string() });

export const theme = z
  .strictObject({
    id: z.string(),
    name: inBoth,
    about: inBoth,
    colours: z.strictObject({ ink: z.string(), paper: z.string(), accent: z.string() }),
    is_default: z.boolean(),
  })
  .meta({ id: "ArticleTheme" });

export function deletedOf<const Kind extends string>(kind: Kind) {
  return z.strictObject({ object: z.literal(kind), id: z.string(), deleted: z.literal(true) });
}

export type DraftStatus = z.output<typeof status>;
export type WritingCall = z.output<typeof writingCall>;
export type DraftLine = z.output<typeof draftLine>;
export type Draft = z.output<typeof draft>;
export type DraftVersion = z.output<typeof draftVersion>;
export type Written = z.output<typeof written>;
export type Shortened = z.output<typeof shortened>;
export type ArticleTheme = z.output<typeof theme>;
