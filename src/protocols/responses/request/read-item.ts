import {
  type CallItem,
  type Item,
  type MessageItem,
  type OutputItem,
  type Part,
  type ReasoningItem,
  type ResultItem,
  type SearchItem,
  type TextPart,
  textPart,
} from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf, present, text, textOf } from "../../optional.ts";
import { compactionSummary, summaryMessage } from "../sealed-items.ts";

/** Where something stands in a body, and what of it has no place among the shared items. */
interface ItemPosition {
  readonly path: string;
  readonly lost: string[];
}

const TEXT_PARTS = ["input_text", "output_text", "text", "summary_text", "reasoning_text"];

function readText(part: JsonObject): TextPart {
  return textPart(textOf(part.text), objectsOf(part.annotations), objectsOf(part.logprobs));
}

/** The wire wants a `data:` URL; what comes without its head has always been a PDF. */
function dataUrl(data: string): string {
  return data.startsWith("data:") ? data : `data:application/pdf;base64,${data}`;
}

function readFile(part: JsonObject): Part | undefined {
  const data = text(part.file_data);
  const url = data === undefined ? text(part.file_url) : dataUrl(data);
  if (url === undefined) return undefined;
  return { type: "file", url, ...present({ name: text(part.filename) }) };
}

function readImage(part: JsonObject): Part | undefined {
  const source = isObject(part.image_url) ? part.image_url.url : part.image_url;
  const url = text(source);
  if (url === undefined) return undefined;
  return { type: "image", url, ...present({ detail: text(part.detail) }) };
}

function readPart(part: unknown): Part | undefined {
  if (!isObject(part)) return undefined;
  if (TEXT_PARTS.includes(String(part.type))) return readText(part);
  if (part.type === "refusal") return { type: "refusal", text: text(part.refusal) ?? "" };
  if (part.type === "input_image") return readImage(part);
  return part.type === "input_file" ? readFile(part) : undefined;
}

function readParts(content: unknown, { path, lost }: ItemPosition): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((raw, i) => {
    const part = readPart(raw);
    if (!part) lost.push(`${path}[${i}]`);
    return part ?? [];
  });
}

const ROLES = ["system", "developer", "assistant"] as const;

function readMessage(raw: JsonObject, position: ItemPosition): MessageItem {
  const role = ROLES.find((known) => known === raw.role) ?? "user";
  const parts = readParts(raw.content, { ...position, path: `${position.path}.content` });
  return { type: "message", role, parts, ...present({ phase: text(raw.phase) }) };
}

function readCall(raw: JsonObject): CallItem {
  const custom = raw.type === "custom_tool_call";
  return {
    type: "call",
    callId: text(raw.call_id) ?? text(raw.id) ?? "",
    name: text(raw.name) ?? "",
    custom,
    arguments: text(custom ? raw.input : raw.arguments) ?? "",
    ...present({ namespace: text(raw.namespace) }),
  };
}

function readResult(raw: JsonObject, position: ItemPosition): ResultItem {
  const { output } = raw;
  // Some clients send the value itself instead of its JSON.
  const isBare = typeof output !== "string" && !Array.isArray(output);
  const content = isBare && output !== undefined ? JSON.stringify(output) : output;
  return {
    type: "result",
    callId: text(raw.call_id) ?? "",
    custom: raw.type === "custom_tool_call_output",
    parts: readParts(content, { ...position, path: `${position.path}.output` }),
  };
}

function readReasoning(raw: JsonObject): ReasoningItem {
  const texts = (parts: unknown) => objectsOf(parts).flatMap((part) => text(part.text) ?? []);
  const thinking = texts(raw.content).join("");
  return {
    type: "reasoning",
    summary: texts(raw.summary),
    ...present({ text: thinking || undefined, sealed: text(raw.encrypted_content) }),
  };
}

function readSearch(raw: JsonObject): SearchItem {
  const status = raw.status === "completed" || raw.status === "failed" ? raw.status : "in_progress";
  const action = isObject(raw.action) ? raw.action : undefined;
  return { type: "search", status, ...present({ id: text(raw.id), action }) };
}

function readOther(raw: JsonObject): Item {
  const summary = compactionSummary(raw);
  if (summary === undefined) return { type: "foreign", raw };
  const parts: TextPart[] = [{ type: "text", text: summaryMessage(summary) }];
  return { type: "message", role: "developer", parts };
}

const READERS: Readonly<Record<string, (raw: JsonObject, position: ItemPosition) => Item>> = {
  message: readMessage,
  function_call: readCall,
  custom_tool_call: readCall,
  function_call_output: readResult,
  custom_tool_call_output: readResult,
  reasoning: readReasoning,
  web_search_call: readSearch,
};

/** An item of a request. Messages may leave their type out. */
export function readInputItem(raw: JsonObject, position: ItemPosition): Item {
  const type = text(raw.type) ?? (raw.role === undefined ? "" : "message");
  return (
    (Object.hasOwn(READERS, type) ? READERS[type] : readOther)?.(raw, position) ?? readOther(raw)
  );
}

/** An item that a vendor wrote. Its reasoning can be sent again only in the vendor's own words. */
export function readOutputItem(raw: JsonObject): OutputItem {
  const item = readInputItem(raw, { path: "output", lost: [] });
  if (item.type === "result") return { type: "foreign", raw };
  if (item.type === "message") return { ...item, role: "assistant" };
  if (item.type !== "reasoning" || item.sealed === undefined) return item;
  const state = { ...present({ id: text(raw.id) }), encrypted_content: item.sealed };
  return { ...item, sealed: seal("responses", state) };
}
