import type { DraftAuditRecord } from "./audit-record.ts";
import type { Dependencies } from "./dependencies.ts";

const TOLD_AT_ONCE_MAX = 200;

/**
 * Tells the audit log what was done with a draft. Nothing is thrown: what cannot be told now is kept, and told by
 * whoever comes to the draft next, or with all that was left.
 */
export function sendAuditRecords(deps: Dependencies, draftId: string): Promise<void> {
  return tell(deps, () => deps.store.auditOutbox.ofDraft(draftId));
}

/** The same for all drafts, where a process has ended or the log was away. At the start, and now and then. */
export function sendAllAuditRecords(deps: Dependencies): Promise<void> {
  return tell(deps, () => deps.store.auditOutbox.list(TOLD_AT_ONCE_MAX));
}

async function tell(
  { store, audit, log }: Dependencies,
  list: () => Promise<readonly DraftAuditRecord[]>,
): Promise<void> {
  try {
    for (const record of await list()) {
      await audit.write(lineOf(record));
      await store.auditOutbox.forget(record.id);
    }
  } catch (thrown) {
    log.error("draft_deeds_not_told", { error: thrown });
  }
}

function lineOf({ id, accountId, draftId, action, by, detail, atMs }: DraftAuditRecord) {
  const { userId, name, key } = by;
  return {
    principal: { userId, name, operator: false },
    ...{ accountId, action, target: draftId, kept: { id, atMs } },
    detail: key === undefined ? detail : { key, ...detail },
  };
}
