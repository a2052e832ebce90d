import type { DraftAuditRecord } from "./audit-record.ts";
import type { Dependencies } from "./dependencies.ts";

const BATCH_MAX = 200;

/**
 * Sends the audit records of a draft to the audit log. It never throws: records that cannot be sent now stay in
 * the outbox until the next work on the draft, or until sendAllAuditRecords sends them.
 */
export function sendAuditRecords(deps: Dependencies, draftId: string): Promise<void> {
  return send(deps, () => deps.store.auditOutbox.ofDraft(draftId));
}

/** The same for all drafts, at the start and now and then: a process may have ended, or the log was away. */
export function sendAllAuditRecords(deps: Dependencies): Promise<void> {
  return send(deps, () => deps.store.auditOutbox.list(BATCH_MAX));
}

async function send(
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
