// What is done to the box of a public account. All of it is in the audit log, whoever does it and by whichever door.
import type { DoneBy } from "../../audit-record.ts";
import type { Draft } from "../../draft.ts";
import type { DraftService } from "../../draft-service.ts";
import type { FoundDraft } from "../../kept-drafts.ts";
import type { PushOptions } from "../../push/push-draft.ts";

type Detail = Readonly<Record<string, unknown>>;

/** Who does it. */
export interface Doer {
  readonly accountId: string;
  who(): Promise<DoneBy>;
  /** Writes to the audit log that they have done it. */
  note(action: string, target: string, detail?: Detail): Promise<void>;
}

/** Brings a draft into the box. What is only found there was done by whoever brought it. */
export async function pushNoted(
  draftService: DraftService,
  doer: Doer,
  draftId: string,
  options: PushOptions,
) {
  const by = await doer.who();
  return thenSendingAudit(draftService, draftId, () =>
    draftService.push(doer.accountId, draftId, { ...options, by }),
  );
}

/** Makes a draft public. Who asks how an earlier wish goes on has not wished it. */
export async function publishNoted(
  draftService: DraftService,
  doer: Doer,
  draftId: string,
): Promise<Draft> {
  const by = await doer.who();
  return thenSendingAudit(draftService, draftId, () =>
    draftService.publish(doer.accountId, draftId, by),
  );
}

/** Deletes a draft, here and in the box. */
export async function removeNoted(
  draftService: DraftService,
  doer: Doer,
  draftId: string,
): Promise<void> {
  const by = await doer.who();
  await thenSendingAudit(draftService, draftId, () =>
    draftService.remove(doer.accountId, draftId, by),
  );
}

/** A draft of the box that somebody wished to have here. One that was here already was brought in by nobody. */
export async function importedNoted(
  doer: Doer,
  { draft, isNew }: FoundDraft,
  mediaId: string,
): Promise<Draft> {
  if (isNew) await doer.note("draft.import", draft.id, { media_id: mediaId });
  return draft;
}

/** Whatever comes of it: what was refused in the end may have done something on the way. */
async function thenSendingAudit<T>(
  draftService: DraftService,
  draftId: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } finally {
    await draftService.tell(draftId);
  }
}
