import { JsonText } from "../../bytes/splice.ts";
import type { Answer, AnswerStatus } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { readOutputItem } from "../request/read-item.ts";
import { readResponseResult } from "./result.ts";

const REASONS = ["max_output_tokens", "content_filter"] as const;

/** How a response object says that it ended. */
export function readStatus(response: JsonObject): AnswerStatus {
  if (response.status !== "incomplete") return { status: "completed" };
  const details = isObject(response.incomplete_details) ? response.incomplete_details : {};
  const reason = REASONS.find((known) => known === details.reason);
  return reason ? { status: "incomplete", reason } : { status: "incomplete" };
}

/** The text of an answer that is written anew. */
const NO_TEXT = new JsonText("");

/** A vendor's whole answer, for a client of another wire. */
export function readResponsesAnswer(given: unknown): Answer {
  const { id, usage, failure, body } = readResponseResult(given, NO_TEXT);
  const output = Array.isArray(body.output) ? body.output.filter(isObject) : [];
  const items = output.map(readOutputItem);
  return { id, items, usage, failure, ...readStatus(body) };
}
