import { hasCome } from "../../lib/clock.ts";
import type { Draft, DraftLine } from "../draft.ts";
import type { DraftChange } from "../tables/drafts.ts";

/** Who was asked to publish a draft and has not taken it out of the box by then did not do it. */
const PUBLISH_DOUBT_MS = 10 * 60_000;

/** What is kept of a draft where the answer was lost: whoever comes next looks, and does not ask again. */
export function inDoubt(nowMs: number) {
  const publishDoubtUntilMs = nowMs + PUBLISH_DOUBT_MS;
  return { status: "publishing", publishId: null, publishDoubtUntilMs } satisfies DraftChange;
}

/** Whether the platform was asked to publish it, and nobody knows if it will. */
export function isInDoubt({ status, publishId }: Pick<Draft, "status" | "publishId">): boolean {
  return status === "publishing" && publishId === null;
}

export function isDoubtOver({ publishDoubtUntilMs }: DraftLine, nowMs: number): boolean {
  return hasCome(publishDoubtUntilMs ?? 0, nowMs, PUBLISH_DOUBT_MS);
}
