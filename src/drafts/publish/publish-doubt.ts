import { hasCome } from "../../lib/clock.ts";
import type { Fault } from "../../lib/faults.ts";
import type { Draft, DraftLine } from "../draft.ts";
import { unknownFault } from "../platform-api/reply-value.ts";
import type { DraftChange } from "../tables/drafts.ts";

/** Who was asked to publish a draft and has not taken it out of the box by then did not do it. */
const PUBLISH_DOUBT_MS = 10 * 60_000;

/** What is kept of a draft where the answer was lost: whoever comes next looks, and does not ask again. */
export function inDoubt(nowMs: number) {
  const publishDoubtUntilMs = nowMs + PUBLISH_DOUBT_MS;
  return { status: "publishing", publishId: null, publishDoubtUntilMs } satisfies DraftChange;
}

/** Of a draft, as it is kept or as a server tells it. */
type Report = Readonly<Record<keyof Pick<Draft, "status" | "publishId">, unknown>>;

/** Whether the platform was asked to publish it, and nobody knows if it will. */
export function isInDoubt({ status, publishId }: Report): boolean {
  return status === "publishing" && publishId === null;
}

/** For whoever would publish it, change it in the box or add another in its place. */
export function doubtFault(draftId: string): Fault {
  const reason = "it may be publishing this draft already; ask again in some minutes.";
  return unknownFault(reason, { draft_id: draftId });
}

export function isDoubtOver({ publishDoubtUntilMs }: DraftLine, nowMs: number): boolean {
  return hasCome(publishDoubtUntilMs ?? 0, nowMs, PUBLISH_DOUBT_MS);
}
