import type { Item, MessageItem, Part, ReasoningItem } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { OpenCalls } from "../open-calls.ts";
import { NO_SIGNATURE, type SignedPart, sealedInSignature, sealSignature } from "../signatures.ts";

/** `contents` of a client → items. A content is cut into messages, thoughts, calls and results. */
interface Reading {
  readonly items: Item[];
  /** Parts of the message that is being read, with the role that they have. */
  message: { readonly role: MessageItem["role"]; readonly parts: Part[] } | undefined;
  /** Calls that no result has been seen for. */
  readonly open: OpenCalls;
  /** Where a part stands, for names and for what is lost. */
  content: number;
  part: number;
  readonly lost: string[];
}

function place({ content, part }: Reading): string {
  return `contents[${content}].parts[${part}]`;
}

function closeMessage(reading: Reading): void {
  if (!reading.message) return;
  reading.items.push({ type: "message", ...reading.message });
  reading.message = undefined;
}

function addPart(reading: Reading, role: MessageItem["role"], part: Part): void {
  if (reading.message?.role !== role) closeMessage(reading);
  reading.message ??= { role, parts: [] };
  const { parts } = reading.message;
  const last = parts.at(-1);
  // An answer that was streamed comes back in the pieces in which it came.
  if (role === "assistant" && part.type === "text" && last?.type === "text") {
    parts[parts.length - 1] = { type: "text", text: last.text + part.text };
  } else parts.push(part);
}

/** Data of a client as the `data:` URL that all wires know. */
function dataPart(mimeType: unknown, url: string): Part {
  return /^image\//i.test(String(mimeType)) ? { type: "image", url } : { type: "file", url };
}

function mediaPart(part: JsonObject): Part | undefined {
  const { inlineData, fileData } = part;
  if (isObject(inlineData)) {
    const { mimeType, data, displayName } = inlineData;
    const media = dataPart(mimeType, `data:${mimeType};base64,${data}`);
    if (media.type !== "file" || typeof displayName !== "string") return media;
    return { ...media, name: displayName };
  }
  return isObject(fileData) ? dataPart(fileData.mimeType, String(fileData.fileUri)) : undefined;
}

/** The state behind a part, in an envelope; a signature of another vendor's is one already. */
function sealedOf(part: JsonObject, of: SignedPart): string | undefined {
  const signature = part.thoughtSignature;
  if (typeof signature !== "string" || signature === "" || signature === NO_SIGNATURE) {
    return undefined;
  }
  return sealedInSignature(signature) ?? sealSignature(signature, of);
}

/** A thought, or the state that belongs to the part behind it: one item as long as they touch. */
function addReasoning(reading: Reading, text: string, sealed: string | undefined): void {
  closeMessage(reading);
  const last = reading.items.at(-1);
  if (last?.type === "reasoning" && last.sealed === undefined) {
    const [before = ""] = last.summary;
    const summary = before + text === "" ? [] : [before + text];
    const joined: ReasoningItem = { type: "reasoning", summary };
    reading.items[reading.items.length - 1] = sealed === undefined ? joined : { ...joined, sealed };
    return;
  }
  if (text === "" && sealed === undefined) return;
  const summary = text === "" ? [] : [text];
  reading.items.push({ type: "reasoning", summary, ...(sealed === undefined ? {} : { sealed }) });
}

function readCall(reading: Reading, part: JsonObject, call: JsonObject): void {
  const given = typeof call.id === "string" && call.id !== "" ? call.id : undefined;
  // The same place in a growing conversation keeps its name from turn to turn.
  const callId = given ?? `call_${reading.content}_${reading.part}`;
  const sealed = sealedOf(part, { call: callId });
  closeMessage(reading);
  if (sealed !== undefined) addReasoning(reading, "", sealed);
  const name = String(call.name);
  const args = JSON.stringify(call.args ?? {});
  reading.items.push({ type: "call", callId, name, custom: false, arguments: args });
  reading.open.add({ callId, name });
}

/** By its id; without one it answers the first open call of its name. */
function callOf(reading: Reading, response: JsonObject): string {
  const call = reading.open.take(response.id, response.name);
  if (call) return call.callId;
  return typeof response.id === "string" ? response.id : `call_${reading.content}_${reading.part}`;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a function returned: under its documented name, as the AI SDK wraps it, or as it is. */
function returned(told: JsonObject, name: unknown): unknown {
  if (told.output !== undefined) return told.output;
  const isWrapped = told.content !== undefined && told.name === name;
  return isWrapped && Object.keys(told).length === 2 ? told.content : told;
}

function readResponse(reading: Reading, response: JsonObject): void {
  closeMessage(reading);
  const told = isObject(response.response) ? response.response : {};
  const failed = told.error !== undefined && told.output === undefined;
  const text = asText(failed ? told.error : returned(told, response.name));
  const media = Array.isArray(response.parts) ? response.parts.filter(isObject) : [];
  const parts = media.flatMap((part) => mediaPart(part) ?? []);
  reading.items.push({
    type: "result",
    callId: callOf(reading, response),
    custom: false,
    parts: [{ type: "text", text }, ...parts],
    ...(failed ? { failed } : {}),
  });
}

function readText(reading: Reading, role: MessageItem["role"], part: JsonObject): void {
  const text = String(part.text);
  if (part.thought === true) {
    addReasoning(reading, text, sealedOf(part, {}));
    return;
  }
  const sealed = role === "assistant" ? sealedOf(part, { text: true }) : undefined;
  if (sealed !== undefined) addReasoning(reading, "", sealed);
  if (text !== "") addPart(reading, role, { type: "text", text });
}

/** Members that only say more about a part, or that have been read with it. */
const READ = ["thought", "thoughtSignature", "text", "mediaResolution", "partMetadata"];

function readPart(reading: Reading, role: MessageItem["role"], part: JsonObject): void {
  const media = mediaPart(part);
  if (isObject(part.functionCall)) readCall(reading, part, part.functionCall);
  else if (isObject(part.functionResponse)) readResponse(reading, part.functionResponse);
  else if (media) addPart(reading, role, media);
  else if (typeof part.text === "string") readText(reading, role, part);
  else if (part.thoughtSignature !== undefined) addReasoning(reading, "", sealedOf(part, {}));
  else {
    const names = Object.keys(part).filter((name) => !READ.includes(name));
    reading.lost.push(...names.map((name) => `${place(reading)}.${name}`));
  }
}

export function readContents(contents: readonly unknown[]): {
  readonly items: readonly Item[];
  readonly lost: readonly string[];
} {
  const reading: Reading = {
    items: [],
    message: undefined,
    open: new OpenCalls(),
    content: 0,
    part: 0,
    lost: [],
  };
  contents.filter(isObject).forEach((content, i) => {
    const role = content.role === "model" ? "assistant" : "user";
    const parts = Array.isArray(content.parts) ? content.parts : [];
    reading.content = i;
    parts.filter(isObject).forEach((part, j) => {
      reading.part = j;
      readPart(reading, role, part);
    });
    // The chunks of one streamed answer come back as contents of their own.
    if (!isModel(contents[i + 1]) || role !== "assistant") closeMessage(reading);
  });
  closeMessage(reading);
  return { items: reading.items, lost: reading.lost };
}

function isModel(content: unknown): boolean {
  return isObject(content) && content.role === "model";
}
