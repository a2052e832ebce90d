// Drafts for keys.

import { IDEMPOTENT } from "../../gateway/contract/by-key.ts";
import { FAULT_BODY, get, listOf, PAGE, patch, post, remove } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { deletedOf, draft, draftLine, shortened, theme, written } from "./draft.ts";
import {
  draftForm,
  emptyForm,
  previewForm,
  pushForm,
  shortenForm,
  updateForm,
  writeForm,
} from "./draft-form.ts";
import { preview } from "./preview.ts";
import { pushedDraft, readBack, receipt } from "./push.ts";

const DRAFTS = "/v1/drafts";
const DRAFT = `${DRAFTS}/:id`;

const MARKDOWN = "# Cranes\n\nThey **stay**.";

const addedDraft = pushedDraft
  .extend({
    cover_idea: z.exactOptional(z.string()).describe("The idea of the model that wrote it."),
  })
  .meta({ id: "AddedDraft" });
const writtenPreview = preview
  .extend({ written: z.exactOptional(written) })
  .meta({ id: "WrittenPreview" });
const keptDraft = draft
  .extend({
    receipt: receipt.nullable().describe("The receipt of the newest push."),
    box: z.union([
      readBack,
      z
        .strictObject({ error: z.looseObject({ code: z.string(), message: z.string() }) })
        .describe("Set if the platform could not be asked."),
    ]),
  })
  .meta({ id: "KeptDraft" });

/** The same for keys and in the console. */
export const SHORTENING = {
  headers: IDEMPOTENT,
  body: shortenForm,
  example: {
    field: "title" as const,
    text: "A rather long title",
    limit: 32,
    model: "gpt-5.2-mini",
  },
  answer: shortened,
};

export const ADD_BY_KEY = post(
  DRAFTS,
  "Writes or takes an article, stores it and pushes it to the box.",
  {
    body: draftForm,
    headers: IDEMPOTENT,
    example: { markdown: MARKDOWN, author: "Ada" },
    answer: z.union([addedDraft, writtenPreview.describe("With dry_run.")]),
  },
);
export const PREVIEW_BY_KEY = post(
  `${DRAFTS}:preview`,
  "Renders and checks, and sends nothing; a brief costs a call of its model.",
  { body: previewForm, example: { markdown: MARKDOWN }, answer: writtenPreview },
);
export const WRITE_BY_KEY = post(
  `${DRAFTS}:write`,
  "Writes an article, and keeps only the receipt.",
  {
    headers: IDEMPOTENT,
    body: writeForm,
    example: { brief: "Why cranes stay", model: "gpt-5.2-mini", length: "short" as const },
    answer: written,
  },
);
export const SHORTEN_BY_KEY = post(
  `${DRAFTS}:shorten`,
  "Shortens a text, and keeps only the receipt.",
  SHORTENING,
);
export const LIST_BY_KEY = get(DRAFTS, "Lists the drafts of the key's account, newest first.", {
  query: z.object(PAGE),
  answer: listOf(draftLine),
});
export const THEMES_BY_KEY = get(`${DRAFTS}/themes`, "Lists the themes.", {
  answer: listOf(theme),
});
export const GET_BY_KEY = get(DRAFT, "Shows a draft, its receipt, and what the box has now.", {
  answer: keptDraft,
});
export const UPDATE_BY_KEY = patch(DRAFT, "Changes the named members, here and in the box.", {
  body: updateForm,
  example: { digest: "Why they stay.", author: null },
  answer: z.union([addedDraft, preview.describe("With dry_run.")]),
});
export const DELETE_BY_KEY = remove(DRAFT, "Deletes a draft here and in the box.", {
  answer: deletedOf("draft"),
});
export const RETRY_BY_KEY = post(
  `${DRAFT}:retry`,
  "Resumes a push that was refused or is in doubt; sends nothing twice.",
  { body: pushForm, example: {}, answer: pushedDraft },
);
export const PUBLISH_BY_KEY = post(`${DRAFT}:publish`, "Publishes a draft, if that is allowed.", {
  body: emptyForm,
  example: {},
  answer: draft,
});
const protocolError = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int()]).nullable(),
    error: z.looseObject({
      code: z.int().meta({ examples: [-32_700] }),
      message: z.string().meta({ examples: ["Parse error"] }),
    }),
  })
  .meta({ id: "ProtocolError" });

export const CALL_TOOLS = post(
  "/mcp",
  "Serves the tools of drafts to agents (Model Context Protocol, without sessions).",
  {
    body: z.looseObject({
      jsonrpc: z.literal("2.0"),
      id: z.union([z.string(), z.int()]).optional(),
      method: z.string().describe("initialize, tools/list or tools/call."),
      params: z.looseObject({}).optional(),
    }),
    example: { jsonrpc: "2.0" as const, id: 1, method: "tools/list" },
    answer: { contentType: "text/event-stream" },
    fault: z.union([FAULT_BODY, protocolError.describe("An error of the protocol itself.")]),
  },
);
