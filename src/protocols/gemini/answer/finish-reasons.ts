import type { AnswerStatus } from "../../canon.ts";

const FILTERED: AnswerStatus = { status: "incomplete", reason: "content_filter" };
const CUT: AnswerStatus = { status: "incomplete", reason: "max_output_tokens" };

const STATUSES = new Map<string, AnswerStatus>([
  ["STOP", { status: "completed" }],
  ["MAX_TOKENS", CUT],
  // There is more to come, for a client that asks again.
  ["CONTINUATION", CUT],
  ["SAFETY", FILTERED],
  ["RECITATION", FILTERED],
  ["LANGUAGE", FILTERED],
  ["BLOCKLIST", FILTERED],
  ["PROHIBITED_CONTENT", FILTERED],
  ["SPII", FILTERED],
  ["IMAGE_SAFETY", FILTERED],
  ["IMAGE_PROHIBITED_CONTENT", FILTERED],
  ["IMAGE_RECITATION", FILTERED],
  ["MODEL_ARMOR", FILTERED],
]);

/** What a finish reason says of an answer; undefined for those that say that it failed. */
export function statusOfFinish(reason: string): AnswerStatus | undefined {
  return STATUSES.get(reason);
}

export function finishOfStatus({ status, reason }: AnswerStatus): string {
  if (status === "completed") return "STOP";
  return reason === "content_filter" ? "SAFETY" : "MAX_TOKENS";
}
