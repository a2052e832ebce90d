import { newAuditId } from "../accounts/audit.ts";

type Detail = Readonly<Record<string, unknown>>;

/** The actor of an action on a draft box, in the words of the audit log. */
export interface DoneBy {
  /** Absent for a token. */
  readonly userId?: string | undefined;
  readonly name: string;
  /** The key that they use, where they do. */
  readonly key?: string | undefined;
}

/** An action on a draft box. It waits in the outbox until the audit log has it. */
export interface DraftAuditRecord {
  /** That of its line in the log. */
  readonly id: string;
  readonly accountId: string;
  readonly draftId: string;
  readonly action: "draft.push" | "draft.publish" | "draft.delete";
  readonly by: DoneBy;
  readonly detail: Detail;
  readonly atMs: number;
}

/** A command for a draft, and its actor. */
export interface DraftCommand extends Pick<DraftAuditRecord, "accountId" | "draftId"> {
  readonly by: DoneBy | undefined;
}

/** Undefined if the action has no actor to name. */
export function auditRecordOf(
  done: Omit<DraftAuditRecord, "id" | "by" | "detail"> & { readonly by?: DoneBy | undefined },
  detail: Detail = {},
): DraftAuditRecord | undefined {
  const { accountId, draftId, action, by, atMs } = done;
  return by && { id: newAuditId(), accountId, draftId, action, by, detail, atMs };
}

/** An action is recorded even if its outcome is unknown, since no later call may find it out. */
export const IN_DOUBT: Detail = { outcome: "unknown" };
