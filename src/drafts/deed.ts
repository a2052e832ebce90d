import { newAuditId } from "../accounts/audit.ts";

type Detail = Readonly<Record<string, unknown>>;

/** Who does something to a box, in the words of the audit log. */
export interface DoneBy {
  /** Absent for a token. */
  readonly userId?: string | undefined;
  readonly name: string;
  /** The key that they use, where they do. */
  readonly key?: string | undefined;
}

/** Something that was done to a box, and that the audit log has still to be told. */
export interface Deed {
  /** That of its line in the log. */
  readonly id: string;
  readonly accountId: string;
  readonly draftId: string;
  readonly action: "draft.push" | "draft.publish" | "draft.delete";
  readonly by: DoneBy;
  readonly detail: Detail;
  readonly atMs: number;
}

/** What somebody wants to be done with a draft. */
export interface Wish extends Pick<Deed, "accountId" | "draftId"> {
  readonly by: DoneBy | undefined;
}

/** Undefined where nobody is to be named. */
export function deedOf(
  done: Omit<Deed, "id" | "by" | "detail"> & { readonly by?: DoneBy | undefined },
  detail: Detail = {},
): Deed | undefined {
  const { accountId, draftId, action, by, atMs } = done;
  return by && { id: newAuditId(), accountId, draftId, action, by, detail, atMs };
}

/** What the platform may have done is told too: nobody may come by again and find out. */
export const IN_DOUBT: Detail = { outcome: "unknown" };
