import { newId } from "../../../lib/ids.ts";
import type { CallItem, MessageItem, OutputItem, Part } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { present, text } from "../../optional.ts";
import type { CallIds } from "../../translation/tool-names.ts";

type ItemStatus = "in_progress" | "completed" | "incomplete";

const PREFIXES = { message: "msg_", reasoning: "rs_", search: "ws_" } as const;

/** A new id by the item's kind, which clients check; a vendor's own where it is of that kind. */
export function itemId(item: OutputItem): string {
  if (item.type === "call") return newId(item.custom ? "ctc_" : "fc_");
  if (item.type === "search" && item.id?.startsWith(PREFIXES.search)) return item.id;
  if (item.type === "foreign") return text(item.raw.id) ?? newId("item_");
  return newId(PREFIXES[item.type]);
}

export function withDistinctId(item: OutputItem, ids: CallIds): OutputItem {
  return item.type === "call" ? { ...item, callId: ids.distinct(item.callId) } : item;
}

/** A part of what a model wrote. Images and files have no place in this wire's messages. */
export function writePart(part: Part): JsonObject[] {
  if (part.type === "refusal") return [{ type: "refusal", refusal: part.text }];
  if (part.type !== "text") return [];
  const { annotations = [], logprobs = [] } = part;
  return [{ type: "output_text", annotations, logprobs, text: part.text }];
}

function writeMessage(item: MessageItem, id: string, status: ItemStatus): JsonObject {
  const content = item.parts.flatMap(writePart);
  const phase = present({ phase: item.phase });
  return { id, type: "message", status, content, role: "assistant", ...phase };
}

function writeCall(item: CallItem, id: string, status: ItemStatus): JsonObject {
  const names = {
    call_id: item.callId,
    name: item.name,
    ...present({ namespace: item.namespace }),
  };
  return item.custom
    ? { id, type: "custom_tool_call", status, input: item.arguments, ...names }
    : { id, type: "function_call", status, arguments: item.arguments, ...names };
}

/** An item as it stands, in the form that this wire's clients know. */
export function writeOutputItem(item: OutputItem, id: string, status: ItemStatus): JsonObject {
  switch (item.type) {
    case "message":
      return writeMessage(item, id, status);
    case "call":
      return writeCall(item, id, status);
    case "reasoning": {
      // What a model thinks is told as its summary: clients show nothing else.
      const texts = item.text ? [...item.summary, item.text] : item.summary;
      const summary = texts.map((part) => ({ type: "summary_text", text: part }));
      const encrypted_content = status === "in_progress" ? undefined : item.sealed;
      return { id, type: "reasoning", summary, ...present({ encrypted_content }) };
    }
    case "search": {
      const action = item.action ?? { type: "search", query: "" };
      // A search that was never completed is billed to nobody.
      const ended = item.status === "completed" ? "completed" : "failed";
      const state = status === "in_progress" ? status : ended;
      return { id, type: "web_search_call", status: state, action };
    }
    case "foreign":
      return { ...item.raw, id };
  }
}

/**
 * Refusals as plain text. Only clients that asked for a schema look for a refusal; others drop the
 * whole message for it.
 */
export function withoutRefusals(item: OutputItem): OutputItem {
  if (item.type !== "message") return item;
  const parts = item.parts.map(
    (part): Part => (part.type === "refusal" ? { type: "text", text: part.text } : part),
  );
  return { ...item, parts };
}

/** Whether a client reads refusals, by its body. */
export function readsRefusals(body: JsonObject): boolean {
  const format = isObject(body.text) ? body.text.format : undefined;
  return isObject(format) && format.type === "json_schema";
}

/** A function without arguments is called with an empty object: clients parse what they get. */
export function withArguments(item: OutputItem): OutputItem {
  const isEmpty = item.type === "call" && !item.custom && item.arguments === "";
  return isEmpty ? { ...item, arguments: "{}" } : item;
}

/** An item as it is announced: clients add up what comes behind it, so it has nothing but its names. */
export function emptied(item: OutputItem): OutputItem {
  if (item.type === "message") return { ...item, parts: [] };
  if (item.type === "call") return { ...item, arguments: "" };
  if (item.type === "reasoning") return { type: "reasoning", summary: [] };
  return item.type === "search" ? { ...item, status: "in_progress" } : item;
}

/** What of a text has not been told by deltas. A text that went another way is left as it is. */
export function tail(told: string, whole: string): string {
  return whole.startsWith(told) ? whole.slice(told.length) : "";
}
