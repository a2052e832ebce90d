import type { AnswerStatus } from "../../canon.ts";

/** What the finish reasons of all vendors come to; whatever is not here is a plain end. */
const FINISHES: Readonly<Record<string, AnswerStatus | "failed">> = {
  length: { status: "incomplete", reason: "max_output_tokens" },
  max_tokens: { status: "incomplete", reason: "max_output_tokens" },
  model_length: { status: "incomplete", reason: "max_output_tokens" },
  model_context_window_exceeded: { status: "incomplete", reason: "max_output_tokens" },
  content_filter: { status: "incomplete", reason: "content_filter" },
  sensitive: { status: "incomplete", reason: "content_filter" },
  error: "failed",
  network_error: "failed",
  insufficient_system_resource: "failed",
};

const COMPLETED: AnswerStatus = { status: "completed" };

/**
 * A vendor's `finish_reason` → how the answer ended. Open servers of this wire also say which stop
 * sequence it was.
 */
export function readFinish(reason: string, stop?: unknown): AnswerStatus | "failed" {
  if (Object.hasOwn(FINISHES, reason) && FINISHES[reason]) return FINISHES[reason];
  const stopped = reason === "stop" && typeof stop === "string" && stop !== "";
  return stopped ? { status: "completed", stopSequence: stop } : COMPLETED;
}

/** How the answer ended → the `finish_reason` that agents go by: calls first of all. */
export function writeFinish(ending: AnswerStatus, called: boolean, older = false): string {
  if (ending.reason === "max_output_tokens") return "length";
  if (ending.reason === "content_filter") return "content_filter";
  if (!called) return "stop";
  return older ? "function_call" : "tool_calls";
}
