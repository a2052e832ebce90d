import { listBody } from "../../../lib/listing.ts";
import { previewForm, updateForm } from "../../contract/draft-form.ts";
import { addDraft, getDraft, previewDraft, updateDraft } from "../bring-draft.ts";
import type { DraftServices } from "../client.ts";
import { checkRole, type KeyClient } from "../key-client.ts";
import { checkForm } from "../read-form.ts";
import { showDeleted, showDiagnosis, showDraftLine, showThemes } from "../show.ts";
import { removeNoted } from "../work/box-work.ts";

export type OperationResult = Readonly<Record<string, unknown>>;

/** What an agent can do with drafts, whether it is done in this process or asked of a server. */
export interface DraftOperations {
  add(form: unknown, idempotencyKey: string): Promise<OperationResult>;
  preview(form: unknown): Promise<OperationResult>;
  list(page: {
    readonly after?: string | undefined;
    readonly limit: number;
  }): Promise<OperationResult>;
  get(id: string): Promise<OperationResult>;
  update(id: string, form: unknown): Promise<OperationResult>;
  remove(id: string): Promise<OperationResult>;
  doctor(account: string | undefined): Promise<OperationResult>;
  themes(): Promise<OperationResult>;
}

export function localOperations(services: DraftServices, client: KeyClient): DraftOperations {
  const { draftService } = services;
  const { accountId } = client;
  return {
    async add(form, key) {
      checkRole(client, "member");
      return addDraft(services, client, checkForm(previewForm, form), key);
    },
    preview: (form) => previewDraft(services, client, checkForm(previewForm, form)),
    async list({ after, limit }) {
      return listBody(
        await draftService.list(accountId, after, limit),
        limit,
        ({ id }) => id,
        showDraftLine,
      );
    },
    get: (id) => getDraft(services, client, id),
    async update(id, form) {
      checkRole(client, "member");
      return updateDraft(services, client, id, checkForm(updateForm, form));
    },
    async remove(id) {
      checkRole(client, "member");
      await removeNoted(draftService, client, id);
      return showDeleted("draft", id);
    },
    async doctor(account) {
      checkRole(client, "member");
      return showDiagnosis(await draftService.doctor(accountId, account));
    },
    themes: async () => showThemes(),
  };
}
