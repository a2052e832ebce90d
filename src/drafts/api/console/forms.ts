import { z } from "zod";
import { articleDocsSchema } from "../../contract/article.ts";
import { accountName, writeForm } from "../draft-form.ts";

const articles = articleDocsSchema;

/** A new working copy; nothing of it is sent. */
export const newCopyForm = z.strictObject({ articles, account: accountName.optional() });

/** Autosave, on the version that was edited. */
export const saveForm = z.strictObject({
  articles,
  base: z.int("base is the version that was edited.").min(1),
  account: accountName.optional(),
});

export const previewCopyForm = z.strictObject({ articles, account: accountName.optional() });

export const pushForm = z.strictObject({ as_new: z.boolean().optional() });

export const importForm = z.strictObject({
  media_id: z.string("Name the draft by its media_id.").min(1).max(500),
  account: accountName.optional(),
});

/** What is written can become a draft of its own; then there is none before the model has answered. */
export const writeCopyForm = writeForm.extend({
  keep: z.boolean("keep is true or false.").optional(),
});
