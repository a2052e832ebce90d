// Drafts in the console: working copies that are saved as one types.

import { IDEMPOTENT } from "../../gateway/contract/by-key.ts";
import { get, listOf, PAGE, post, put, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import {
  deletedOf,
  draft,
  draftLine,
  draftVersion,
  theme,
  wholeVersion,
  written,
} from "./draft.ts";
import { copyForm, importForm, pushForm, saveForm, writeCopyForm } from "./draft-form.ts";
import { SHORTENING } from "./key-drafts.ts";
import { preview } from "./preview.ts";
import { boxPage, push, pushedDraft, readBack } from "./push.ts";

const WHOLE = /^\d{1,6}$/;
const BOX_OFFSET_MAX = 100_000;
const BOX_PAGE_MAX = 20;

/** A version or the place of an article. */
function whole(name: string) {
  return z.string().regex(WHOLE, `${name} must be a whole number.`).transform(Number);
}

function upTo(name: string, max: number) {
  const words = `${name} must be a whole number up to ${max}.`;
  return z
    .string()
    .regex(WHOLE, words)
    .transform(Number)
    .refine((number) => number <= max, words);
}

const shown = z.object({
  version: whole("version").optional(),
  article: whole("article").default(0),
});

const ARTICLES = [
  { title: "Cranes", source: { format: "markdown" as const, text: "They **stay**." } },
];

const DRAFTS = "/api/accounts/:account/drafts";
const DRAFT = `${DRAFTS}/:id`;

export const LIST_DRAFTS = get(DRAFTS, "Lists drafts, newest first.", {
  query: z.object(PAGE),
  answer: listOf(draftLine),
});
export const CREATE_DRAFT = post(DRAFTS, "Creates a draft and sends nothing.", {
  headers: IDEMPOTENT,
  body: copyForm,
  example: { articles: ARTICLES },
  status: 201,
  answer: draft,
});
export const LOOK_AT_DRAFTS = get(
  `${DRAFTS}/look`,
  "Asks the platform about drafts, or one, and counts those that changed.",
  {
    query: z.object({ draft: z.string().optional() }),
    answer: z.strictObject({ changed: z.int() }),
  },
);
export const LIST_THEMES = get(`${DRAFTS}/themes`, "Lists the themes.", {
  answer: listOf(theme),
});
export const PREVIEW_COPY = post(
  `${DRAFTS}/preview`,
  "Renders, filters and checks; stores and sends nothing.",
  { body: copyForm, example: { articles: ARTICLES }, answer: preview },
);
export const WRITE_COPY = post(
  `${DRAFTS}/write`,
  "Writes an article, at the price of the model's call.",
  {
    headers: IDEMPOTENT,
    body: writeCopyForm,
    example: { brief: "Why cranes stay", model: "gpt-5.2-mini", keep: true },
    answer: written,
  },
);
export const SHORTEN_TEXT = post(
  `${DRAFTS}/shorten`,
  "Shortens a text, at the price of the model's call.",
  SHORTENING,
);
export const READ_BOX = get(`${DRAFTS}/box`, "Lists the draft box of a public account.", {
  query: z.object({
    account: z.string().optional(),
    offset: upTo("offset", BOX_OFFSET_MAX).default(0),
    count: upTo("count", BOX_PAGE_MAX)
      .transform((count) => Math.max(1, count))
      .default(BOX_PAGE_MAX),
  }),
  answer: boxPage,
});
export const IMPORT_DRAFT = post(`${DRAFTS}/import`, "Makes a draft of the box editable here.", {
  body: importForm,
  example: { media_id: "Xq7Lw0dPzR5nK2mVbT8sYcE1aJ4uH6iG9oFtNrWx3kQ" },
  answer: draft,
});
export const SHOW_DRAFT = get(DRAFT, "Shows a draft with its articles.", { answer: draft });
export const SAVE_DRAFT = put(
  DRAFT,
  "Saves a version; 409 if `base` is not the newest and the newest differs.",
  { body: saveForm, example: { articles: ARTICLES, base: 1 }, answer: draft },
);
export const DELETE_DRAFT = remove(DRAFT, "Deletes a draft here and in the box.", {
  answer: deletedOf("draft"),
});
export const LIST_VERSIONS = get(
  `${DRAFT}/versions`,
  "Lists the versions of a draft, newest first.",
  { answer: listOf(draftVersion) },
);
export const SHOW_VERSION = get(`${DRAFT}/versions/:version`, "Shows one version of a draft.", {
  answer: wholeVersion,
});
export const LIST_PUSHES = get(`${DRAFT}/pushes`, "Lists the pushes of a draft, newest first.", {
  answer: listOf(push),
});
export const READ_BACK = get(`${DRAFT}/box`, "Compares what the box has with what was sent.", {
  answer: readBack.extend({ draft }),
});
export const SHOW_FRAME = get(`${DRAFT}/frame`, "Shows an article as a phone does.", {
  query: shown,
  answer: { contentType: "text/html" },
});
export const SHOW_COVER = get(
  `${DRAFT}/cover`,
  "Shows the cover of an article as it would be uploaded.",
  { query: shown, answer: { contentType: "image/*" } },
);
export const PUSH_DRAFT = post(
  `${DRAFT}/push`,
  "Pushes the newest version into the box, if it is not there yet.",
  { body: pushForm, example: {}, answer: pushedDraft.extend({ push }) },
);
export const PUBLISH_DRAFT = post(`${DRAFT}/publish`, "Publishes a draft, if that is allowed.", {
  answer: draft,
});
