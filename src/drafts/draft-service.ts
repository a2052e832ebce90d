import { sendAllAuditRecords, sendAuditRecords } from "./audit-outbox.ts";
import { createDependencies, type Dependencies, type DraftServiceParts } from "./dependencies.ts";
import { examine } from "./doctor.ts";
import type { Push, WritingCall } from "./draft.ts";
import {
  checkRoom,
  createDraft,
  findDraft,
  findVersion,
  listVersions,
  saveDraft,
} from "./kept-drafts.ts";
import { publishDraft } from "./publish/publishing.ts";
import { beginDraft, doOnce, forgetOldKeys, holdKey, keepAnswer } from "./push/draft-keys.ts";
import { importDraft, listBox } from "./push/importing.ts";
import { previewArticles } from "./push/preparing.ts";
import { PUSHES_SHOWN_MAX, pushDraft } from "./push/push-draft.ts";
import { recoverPushes } from "./push/pushes.ts";
import { removeDraft } from "./push/removal.ts";
import { readDraft } from "./read-back/read-draft.ts";
import type { Ticket } from "./tables/keys.ts";

export type DraftService = ReturnType<typeof openDraftService>;

/**
 * Drafts of an account and the boxes they lie in. Every function throws a `Fault` for what a caller
 * can be told: `not_found`, `preflight_failed` (with `problems`), `platform_refused` (with the
 * platform's words), `platform_unknown`, `push_busy`, `idempotency_conflict`, `edit_conflict`,
 * `upstream_unavailable` where the platform was not reached and nothing was sent.
 */
export function openDraftService(parts: DraftServiceParts) {
  const deps = createDependencies(parts);
  const { publicAccounts, reconciler } = deps;
  const { drafts, keys, pushes } = deps.store;
  const here =
    <Given extends unknown[], Outcome>(work: (deps: Dependencies, ...given: Given) => Outcome) =>
    (...given: Given) =>
      work(deps, ...given);
  const find = here(findDraft);
  return {
    publicAccounts,
    find,
    begin: here(beginDraft),
    holding: here(holdKey),
    once: here(doOnce),
    keepAnswer: here(keepAnswer),
    /** Who began what a ticket is for: its owner, or one that died at it. */
    begunBy: (ticket: Ticket) => keys.begunBy(ticket),
    checkRoom: here(checkRoom),
    create: here(createDraft),
    save: here(saveDraft),
    versions: here(listVersions),
    version: here(findVersion),
    preview: here(previewArticles),
    push: here(pushDraft),
    /** What a process that ended has left, and what is over. */
    async recover(): Promise<void> {
      await recoverPushes(deps);
      await sendAllAuditRecords(deps);
      await forgetOldKeys(deps);
    },
    tell: here(sendAuditRecords),
    publish: here(publishDraft),
    readBack: here(readDraft),
    remove: here(removeDraft),
    listBox: here(listBox),
    importDraft: here(importDraft),
    doctor: here(examine),
    /** The draft of ours that lies in a box under this id. */
    findInBox: (publicAccountId: string, mediaId: string) =>
      drafts.findByMedia(publicAccountId, mediaId),
    look: (accountId: string) => reconciler.look(accountId),
    lookAt: (accountId: string, draftId: string) => reconciler.lookAt(accountId, draftId),

    /** Newest first, one more than `limit` where there is a next page. */
    list: (accountId: string, after: string | undefined, limit: number) =>
      drafts.list(accountId, after, limit + 1),

    async pushes(accountId: string, draftId: string): Promise<readonly Push[]> {
      await find(accountId, draftId);
      return pushes.list(draftId, PUSHES_SHOWN_MAX);
    },

    /** Calls of a model that were made for this draft, for its receipt. */
    async wrote(accountId: string, draftId: string, calls: readonly WritingCall[]): Promise<void> {
      const { id } = await find(accountId, draftId);
      await drafts.addWriting(id, calls);
    },
  };
}
