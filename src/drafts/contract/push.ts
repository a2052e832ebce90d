import { instant } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { draft, writingCalls, writingCost } from "./draft.ts";
import { destination, problem } from "./preview.ts";

/** What the platform refused, in its words and ours. */
const refusal = z
  .strictObject({
    errcode: z
      .int()
      .nullable()
      .describe("Null if the platform was not reached before anything was sent."),
    errmsg: z.string(),
    rid: z.string().nullable().describe("The platform's request id, which its support asks for."),
    class: z.string(),
    field: z
      .string()
      .nullable()
      .describe("The field, as in articles[0].title; null if none is at fault."),
    fix: z.string(),
    ip: z.string().nullable().describe("The address for the allow-list, if it is missing there."),
    picture: z
      .exactOptional(z.string())
      .describe("The picture at fault, as in the text, if it was one."),
    replaced: z
      .exactOptional(z.int())
      .describe("In an update, how many articles were replaced before one was refused."),
  })
  .meta({ id: "PlatformRefusal" });

const difference = z
  .strictObject({
    article: z.int(),
    field: z.string(),
    submitted: z.string(),
    stored: z.string(),
  })
  .meta({ id: "DraftDifference" });

/** What a push ended with. */
export const receipt = z
  .strictObject({
    media_id: z.string(),
    public_account_id: z.string(),
    appid: z.string(),
    sandbox: z.boolean(),
    destination: destination.nullable().describe("Null in receipts of earlier versions."),
    url: z.string().nullable().describe("A link that shows the draft for some time."),
    rids: z.array(z.string()).readonly().describe("Request ids of the platform, for its support."),
    content_bytes: z.int(),
    uploaded_files: z.int(),
    uploaded_bytes: z.int(),
    reused_files: z.int().describe("Pictures that the platform had from an earlier push."),
    sends: z.int().describe("More than 1 only after the box was read and did not have the draft."),
    reconciled: z
      .boolean()
      .describe("Whether the answer was lost and the draft was found in the box."),
    warnings: z.array(problem).readonly(),
    differences: z.array(difference).readonly().describe("How the box differs from what was sent."),
    writing: writingCalls,
    writing_cost: writingCost,
  })
  .meta({ id: "PushReceipt" });

const state = z.enum(["planned", "uploading", "sending", "done", "refused", "unknown"]);

/** One way of a version into the box. */
export const push = z
  .strictObject({
    object: z.literal("push"),
    id: z.string(),
    kind: z.enum(["add", "update"]),
    version: z.int(),
    state,
    sends: z.int(),
    media_id: z.string().nullable(),
    refusal: refusal.nullable(),
    doubt: z.string().nullable().describe("Why the outcome is not known."),
    receipt: receipt.nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: "Push" });

export const pushedDraft = draft.extend({ receipt }).meta({ id: "PushedDraft" });

/** What the box has under a draft, beside what was sent. */
export const readBack = z
  .strictObject({
    in_box: z.boolean(),
    url: z.string().nullable(),
    articles: z
      .array(z.looseObject({ content: z.string() }).describe("As the platform has it."))
      .readonly()
      .nullable(),
    differences: z
      .array(difference)
      .readonly()
      .describe("How the platform, or its editor, changed what was sent."),
  })
  .meta({ id: "DraftReadBack" });

/** A draft as it lies in the platform's box, whoever put it there. */
const boxItem = z
  .strictObject({
    media_id: z.string(),
    titles: z.array(z.string()).readonly(),
    url: z.string().nullable(),
    thumb_url: z.string().nullable(),
    updated_at: instant,
    draft_id: z.string().nullable().describe("The draft here, if it is known."),
  })
  .meta({ id: "DraftBoxItem" });

export const boxPage = z
  .strictObject({
    object: z.literal("list"),
    total: z.int(),
    items: z.array(boxItem).readonly(),
  })
  .meta({ id: "DraftBoxPage" });

export type PlatformRefusal = z.output<typeof refusal>;
export type Difference = z.output<typeof difference>;
export type Receipt = z.output<typeof receipt>;
export type PushState = z.output<typeof state>;
export type Push = z.output<typeof push>;
export type ReadBack = z.output<typeof readBack>;
export type BoxItem = z.output<typeof boxItem>;
export type BoxPage = z.output<typeof boxPage>;
