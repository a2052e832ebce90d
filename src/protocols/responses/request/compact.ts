import type { Limits } from "../../../config/config.ts";
import { systemClock } from "../../../lib/clock.ts";
import { Fault } from "../../../lib/faults.ts";
import { newId } from "../../../lib/ids.ts";
import { jsonPieces } from "../../../lib/json/json-pieces.ts";
import { isLargeValue } from "../../../lib/yield-to-loop.ts";
import { withCost } from "../../answer-usage.ts";
import { Edited, JsonText, Unwritten } from "../../bytes/splice.ts";
import { seal } from "../../envelope.ts";
import {
  emptyArray,
  isObject,
  type JsonObject,
  missing,
  requiredModel,
  wrongType,
} from "../../fields.ts";
import { refuseUnoffered } from "../../unoffered-fields.ts";
import type { AnswerEnd, ClientRequest, VendorResult } from "../../wire.ts";
import { outputText } from "../answer/result.ts";
import { writeResponseUsage } from "../usage.ts";
import { readResponsesRequest } from "./request.ts";

/** What the model is asked to do with the conversation before it. */
const ASK =
  "Write a summary of this conversation so far. It will take the place of the conversation for " +
  "the assistant that carries on, which will see nothing else of it but the user's messages. " +
  "Keep what has been decided, found out and done, with exact names, paths, numbers and code " +
  "that are still needed; what the user wants and prefers; what is unfinished and what comes " +
  "next. Leave out pleasantries and dead ends. Answer with the summary alone.";

const ASK_ITEM: JsonObject = { type: "message", role: "user", content: ASK };

/** Members that have a meaning for a summary. */
const KEPT = [
  ...["model", "instructions", "previous_response_id", "prompt_cache_key", "user"],
  ...["safety_identifier", "max_output_tokens", "reasoning", "service_tier", "metadata"],
  // Who else may write it.
  "models",
];

function isToolHolder(item: unknown): boolean {
  return isObject(item) && item.type === "additional_tools";
}

/** The conversation with our question behind it. It may lie entirely in an earlier response. */
function inputWithAsk(body: JsonObject): unknown[] {
  const { input } = body;
  const continues = typeof body.previous_response_id === "string";
  if (input === undefined || input === null) {
    if (!continues) throw missing("input");
    return [ASK_ITEM];
  }
  if (typeof input === "string")
    return [{ type: "message", role: "user", content: input }, ASK_ITEM];
  if (!Array.isArray(input)) throw wrongType("input", "a string or an array of items", input);
  if (input.length === 0 && !continues) throw emptyArray("input");
  return [...input.filter((item) => !isToolHolder(item)), ASK_ITEM];
}

/** A request to compact a conversation → the request for its summary, ready to run. */
export function readCompactRequest(value: unknown, text: string, limits: Limits): ClientRequest {
  if (!isObject(value)) throw wrongType("body", "an object", value);
  requiredModel(value);
  // The rest has no meaning for a summary, but what is asked for here would change it.
  refuseUnoffered("responses", value);
  const edits: Record<string, Unwritten | undefined> = {};
  for (const name of Object.keys(value)) if (!KEPT.includes(name)) edits[name] = undefined;
  const kept = Object.entries(value).filter(([name]) => KEPT.includes(name));
  const ours = {
    input: inputWithAsk(value),
    store: false,
    stream: false,
    // A summary that is longer than this would make nothing shorter.
    max_output_tokens: value.max_output_tokens ?? limits.compact_output_tokens_max,
  };
  for (const [name, member] of Object.entries(ours)) edits[name] = new Unwritten(member);
  // Members that stay are spliced, and keep their very characters.
  const json = new JsonText(new Edited(new JsonText(text), edits));
  const body = { ...Object.fromEntries(kept), ...ours };
  return { ...readResponsesRequest(body, text, limits), json };
}

const PARTS = ["input_image", "input_file"];

function writePart(part: JsonObject): JsonObject[] {
  if (typeof part.text === "string") return [{ type: "input_text", text: part.text }];
  if (!PARTS.includes(String(part.type))) return [];
  return [part.type === "input_image" ? { detail: "auto", ...part } : part];
}

/** What people and programs said stays to the letter, in the form that answers have. */
function keptMessage(item: unknown): JsonObject[] {
  if (!isObject(item) || (item.type !== undefined && item.type !== "message")) return [];
  if (!["user", "developer", "system"].includes(String(item.role))) return [];
  const { content, role } = item;
  const parts =
    typeof content === "string"
      ? [{ type: "input_text", text: content }]
      : (Array.isArray(content) ? content : []).filter(isObject).flatMap(writePart);
  if (parts.length === 0) return [];
  const id = typeof item.id === "string" ? item.id : newId("msg_");
  return [{ id, type: "message", status: "completed", role, content: parts }];
}

function isAsk(item: unknown): boolean {
  return isObject(item) && item.content === ASK;
}

/** The compacted conversation: what was said to the model, and a summary in place of the rest. */
export function writeCompaction(
  result: VendorResult,
  request: ClientRequest,
  end: AnswerEnd,
): JsonObject {
  const input = Array.isArray(request.body.input) ? request.body.input : [];
  const summary = seal("responses", { compaction: outputText(result.body.output) });
  return {
    // Under which its receipt is found.
    id: result.id,
    object: "response.compaction",
    created_at: Math.floor(systemClock() / 1_000),
    output: [
      ...input.filter((item) => !isAsk(item)).flatMap(keptMessage),
      { id: newId("cmp_"), type: "compaction", encrypted_content: summary },
    ],
    usage: withCost(writeResponseUsage(end.usage), end),
  };
}

/** The request's doing, and not the vendor's, who has answered: whoever else is asked would come to the same. */
function unwritten(): Fault {
  const message =
    "The model has written no summary: it may have used all of its output for thinking. " +
    "Raise 'max_output_tokens' or lower 'reasoning.effort'.";
  return new Fault("upstream_rejected", message, { param: "max_output_tokens" });
}

/** The answer to the request for a summary as the compaction that the client asked for. */
export function asCompaction(result: VendorResult, request: ClientRequest): VendorResult {
  const isEmpty = result.failure === undefined && outputText(result.body.output) === "";
  const failure = isEmpty ? unwritten() : undefined;
  return {
    ...result,
    failure: result.failure ?? failure,
    write(_options, end) {
      const compaction = writeCompaction(result, request, end);
      // It has all that was said to the model, which may be much.
      return isLargeValue(compaction) ? jsonPieces(compaction) : JSON.stringify(compaction);
    },
  };
}
