import type { AnswerStatus } from "../../canon.ts";

const CUT_SHORT: Readonly<Record<string, AnswerStatus["reason"]>> = {
  max_tokens: "max_output_tokens",
  model_context_window_exceeded: "max_output_tokens",
  refusal: "content_filter",
};

/** Why an answer ended. A turn that only pauses is complete: the client may go on with it. */
export function readStopReason(reason: string, sequence: unknown): AnswerStatus {
  const cut = Object.hasOwn(CUT_SHORT, reason) ? CUT_SHORT[reason] : undefined;
  if (cut) return { status: "incomplete", reason: cut };
  if (reason !== "stop_sequence" || typeof sequence !== "string") return { status: "completed" };
  return { status: "completed", stopSequence: sequence };
}

export function writeStopReason(status: AnswerStatus, hasCalls: boolean): string {
  if (status.reason === "content_filter") return "refusal";
  if (status.status === "incomplete") return "max_tokens";
  if (status.stopSequence !== undefined) return "stop_sequence";
  return hasCalls ? "tool_use" : "end_turn";
}
