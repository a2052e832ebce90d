import type { DraftChange } from "../tables/drafts.ts";

/** What the platform's `publish_status` says of a publish that was asked for. */
type PublishOutcome = "running" | "published" | "failed";

const RUNNING = 1;
/** Published and then deleted (5) or banned (6) was published all the same: the box has it no more. */
const PUBLISHED = [0, 5, 6];

const WORDS: Readonly<Record<number, string>> = {
  2: "the check of originality failed",
  3: "publishing failed",
  4: "the platform's review refused it",
  5: "it was published and then deleted",
  6: "it was published and then banned",
};

export function publishOutcome(status: number): PublishOutcome {
  if (status === RUNNING) return "running";
  return PUBLISHED.includes(status) ? "published" : "failed";
}

/** What it means for the draft that it has come to an end. */
export function afterPublish(outcome: "published" | "failed") {
  const change: Pick<DraftChange, "status" | "publishId"> =
    outcome === "published" ? { status: "published" } : { status: "in_box", publishId: null };
  return change;
}

/** What there is to tell of one that is not simply published. */
export function publishWords(status: number): string {
  return WORDS[status] ?? `publishing ended with status ${status}`;
}
