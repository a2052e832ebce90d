import type { CallItem, Item, Part, ReasoningItem, ResultItem } from "../../canon.ts";
import { isObject, type JsonObject, unsupported } from "../../fields.ts";
import { objectOf, objectsOf, present, text, textOf } from "../../optional.ts";
import { callOfThought, readThoughts, signatureOf, signedThought } from "../reasoning-state.ts";

/** What later messages need to know of earlier ones. */
interface History {
  /** Calls that took free text: what they returned is of the same kind. */
  readonly customCalls: Set<string>;
  /** The ids that we gave to calls of the older form, which has none, by function. */
  readonly functionCalls: Map<string, string>;
}

function readImage({ image_url: image }: JsonObject): Part {
  if (!isObject(image)) return { type: "image", url: textOf(image) };
  return { type: "image", url: textOf(image.url), ...present({ detail: text(image.detail) }) };
}

function readFile(part: JsonObject): Part {
  const { file_data, filename } = objectOf(part.file);
  const data = textOf(file_data);
  // Some clients leave out what kind of data it is; nearly all of these files are PDFs.
  const url = data.startsWith("data:") ? data : `data:application/pdf;base64,${data}`;
  return { type: "file", url, ...present({ name: text(filename) }) };
}

const PARTS: Readonly<Record<string, (part: JsonObject) => Part | undefined>> = {
  text: (part) => ({ type: "text", text: textOf(part.text) }),
  refusal: (part) => ({ type: "refusal", text: textOf(part.refusal) }),
  image_url: readImage,
  file: readFile,
  // Thinking that one vendor writes as content. No other can read it.
  thinking: () => undefined,
};

function readPart(part: JsonObject, path: string): Part[] {
  const type = String(part.type);
  const read = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (!read) {
    throw unsupported(path, `Parts of type '${type.slice(0, 64)}' cannot be sent to this model.`);
  }
  const made = read(part);
  // Vendors refuse texts without text.
  return !made || (made.type === "text" && made.text === "") ? [] : [made];
}

function readParts(content: unknown, path: string): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return objectsOf(content).flatMap((part, i) => readPart(part, `${path}[${i}]`));
}

interface ReadCall {
  readonly item: CallItem;
  readonly signature: string | undefined;
}

function readCall(call: JsonObject): ReadCall {
  const custom = isObject(call.custom);
  const { name, input, arguments: json } = objectOf(custom ? call.custom : call.function);
  const given = textOf(custom ? input : json);
  const names = { callId: textOf(call.id), name: textOf(name) };
  const item: CallItem = { type: "call", ...names, custom, arguments: given };
  return { item, signature: signatureOf(call) };
}

function readCalls(message: JsonObject, path: string, history: History): ReadCall[] {
  if (Array.isArray(message.tool_calls)) {
    const calls = objectsOf(message.tool_calls).map(readCall);
    for (const { item } of calls) if (item.custom) history.customCalls.add(item.callId);
    return calls;
  }
  const { function_call: inner } = message;
  if (!isObject(inner)) return [];
  const name = textOf(inner.name);
  const callId = `call_${path.replace(/\D+/g, "")}`;
  history.functionCalls.set(name, callId);
  const given = textOf(inner.arguments);
  const item: CallItem = { type: "call", callId, name, custom: false, arguments: given };
  return [{ item, signature: undefined }];
}

/** Thoughts that stand before the whole turn, and those that belong to one of its calls. */
function sortThoughts(thoughts: readonly ReasoningItem[], calls: readonly ReadCall[]) {
  const ofCall = new Map<string, ReasoningItem>();
  const ofTurn: ReasoningItem[] = [];
  const called = new Set(calls.map(({ item }) => item.callId));
  for (const thought of thoughts) {
    const callId = callOfThought(thought);
    if (callId === undefined) ofTurn.push(thought);
    else if (called.has(callId)) ofCall.set(callId, thought);
  }
  for (const { item, signature } of calls) {
    if (signature === undefined || ofCall.has(item.callId)) continue;
    ofCall.set(item.callId, signedThought(signature, item.callId));
  }
  return { ofTurn, ofCall };
}

function readAssistant(message: JsonObject, path: string, history: History): Item[] {
  const calls = readCalls(message, path, history);
  const { ofTurn, ofCall } = sortThoughts(readThoughts(message), calls);
  const parts = readParts(message.content, `${path}.content`);
  if (typeof message.refusal === "string" && message.refusal !== "") {
    parts.push({ type: "refusal", text: message.refusal });
  }
  const items: Item[] = [...ofTurn];
  if (parts.length > 0) items.push({ type: "message", role: "assistant", parts });
  for (const { item } of calls) {
    const thought = ofCall.get(item.callId);
    if (thought) items.push(thought);
    items.push(item);
  }
  return items;
}

function readResult(message: JsonObject, path: string, history: History): ResultItem {
  const callId =
    message.role === "function"
      ? (history.functionCalls.get(String(message.name)) ?? `call_${String(message.name)}`)
      : textOf(message.tool_call_id);
  const parts = readParts(message.content, `${path}.content`);
  return { type: "result", callId, custom: history.customCalls.has(callId), parts };
}

function readSpoken(message: JsonObject, path: string): Item[] {
  const parts = readParts(message.content, `${path}.content`);
  const role = message.role as "system" | "developer" | "user";
  return parts.length > 0 ? [{ type: "message", role, parts }] : [];
}

/** The messages of a client as items, each in its place. They have been checked. */
export function readMessages(messages: unknown): Item[] {
  const history: History = { customCalls: new Set(), functionCalls: new Map() };
  return objectsOf(messages).flatMap((message, i) => {
    const path = `messages[${i}]`;
    const { role } = message;
    if (role === "assistant") return readAssistant(message, path, history);
    if (role === "tool" || role === "function") return [readResult(message, path, history)];
    return readSpoken(message, path);
  });
}
