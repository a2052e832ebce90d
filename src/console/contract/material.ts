import { choiceParameter, get, instant, listOf, PAGE, post, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { ACCOUNT_TYPES, PRODUCT_RIGHTS } from "../../platform/account.ts";
import type { QuotaName } from "../../platform/quotas.ts";
import { ARTICLE_TYPES } from "../../wechat/article.ts";

const VERSIONS = ["stored", "submitted"] as const;

/** The calls of a day that a person at the page wants to know about. */
export const SHOWN_QUOTAS = [
  "draft_add",
  "draft_update",
  "draft_get",
  "draft_batchget",
  "media_upload",
  "publish_submit",
  "mass_send",
] as const satisfies readonly QuotaName[];

const account = z
  .strictObject({
    appid: z.string(),
    name: z.string(),
    type: z.enum(ACCOUNT_TYPES),
    verified: z.boolean(),
    comment_right: z.boolean(),
    product_right: z.enum(PRODUCT_RIGHTS),
    ip_list: z
      .array(z.string())
      .readonly()
      .describe("Networks that may fetch tokens; an empty list allows all."),
    frozen: z.boolean(),
    created_at: instant,
    may_change: z.boolean().describe("Whether you may change what it holds."),
  })
  .meta({ id: "MaterialAccount" });

const listedAccount = account.extend({
  owner: z.string().nullable().describe("The name of its account."),
});

const quota = z.strictObject({ name: z.enum(SHOWN_QUOTAS), used: z.int(), max: z.int() });

const accountState = account.extend({
  drafts: z.int(),
  published: z.int(),
  quotas: z.array(quota).readonly().describe("Calls of today."),
});

const draftRow = z
  .strictObject({
    media_id: z.string(),
    type: z.enum(ARTICLE_TYPES),
    titles: z.array(z.string()).readonly(),
    digest: z.string(),
    cover_url: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: "MaterialDraftRow" });

const fieldPair = z.strictObject({
  name: z.string(),
  submitted: z.string().nullable(),
  stored: z.string().nullable(),
  fate: z.enum(["same", "changed", "filled", "dropped"]),
});

const lineChange = z.strictObject({
  kind: z.enum(["same", "dropped", "added"]),
  depth: z.int(),
  text: z.string(),
});

const article = z
  .strictObject({
    type: z.enum(ARTICLE_TYPES),
    title: z.string(),
    author: z.string(),
    digest: z.string(),
    fields: z.array(fieldPair).readonly(),
    lines: z.array(lineChange).readonly().describe("The content, as sent against as kept."),
    lines_left_out: z.int(),
    dropped: z.int(),
    added: z.int(),
  })
  .meta({ id: "MaterialArticle" });

const draft = z
  .strictObject({
    object: z.literal("platform_draft"),
    media_id: z.string(),
    created_at: instant,
    updated_at: instant,
    articles: z.array(article).readonly(),
  })
  .meta({ id: "MaterialDraft" });

const publication = z
  .strictObject({
    article_id: z.string(),
    published_at: instant,
    articles: z.array(z.strictObject({ title: z.string(), url: z.string() })).readonly(),
  })
  .meta({ id: "MaterialPublication" });

const publish = z.strictObject({
  publish_id: z.int(),
  status: z.int().describe("0: done. 1: in progress. All others: failed."),
});

export type PublicAccount = z.output<typeof account>;
export type ListedAccount = z.output<typeof listedAccount>;
export type AccountState = z.output<typeof accountState>;
export type DraftRow = z.output<typeof draftRow>;
export type FieldPair = z.output<typeof fieldPair>;
export type LineChange = z.output<typeof lineChange>;
export type Article = z.output<typeof article>;
export type Draft = z.output<typeof draft>;
export type Publication = z.output<typeof publication>;
export type Publish = z.output<typeof publish>;

const ACCOUNTS = "/api/platform/accounts";
const ACCOUNT = `${ACCOUNTS}/:appid`;
const DRAFT = `${ACCOUNT}/drafts/:id`;

export const LIST_PUBLIC_ACCOUNTS = get(
  ACCOUNTS,
  "Lists the platform's public accounts that the caller may see.",
  { answer: listOf(listedAccount) },
);
export const SHOW_PUBLIC_ACCOUNT = get(
  ACCOUNT,
  "Shows a public account, its content and its quota.",
  { answer: accountState },
);
export const LIST_BOX = get(`${ACCOUNT}/drafts`, "Lists the drafts in its box.", {
  query: z.object(PAGE),
  answer: listOf(draftRow),
});
export const LIST_PUBLISHED = get(`${ACCOUNT}/published`, "Lists its publications.", {
  query: z.object(PAGE),
  answer: listOf(publication),
});
export const SHOW_BOXED = get(DRAFT, "Compares a draft as sent with what the platform keeps.", {
  answer: draft,
});
export const SHOW_FRAME = get(`${DRAFT}/frame`, "Shows an article as a phone does, for a frame.", {
  query: z.object({
    version: choiceParameter(VERSIONS).default("stored"),
    article: z.string().default("0").describe("Which one of the draft, counted from 0."),
  }),
  answer: { contentType: "text/html" },
});
export const MASS_SEND = post(`${DRAFT}/mass-send`, "Sends a draft to all followers.", {
  answer: z.strictObject({ msg_id: z.int() }),
});
export const PUBLISH_DRAFT = post(
  `${DRAFT}/publish`,
  "Publishes a draft, and waits shortly for the end.",
  { answer: publish },
);
export const DELETE_BOXED = remove(DRAFT, "Deletes a draft from the box.", {
  answer: z.strictObject({ media_id: z.string(), deleted: z.literal(true) }),
});
