import { Fault } from "../../../lib/faults.ts";
import {
  type CallItem,
  type Item,
  type MessageItem,
  type Part,
  type ResultItem,
  spokenText,
} from "../../canon.ts";
import { droppedReasoning } from "../../dropped-reasoning.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { argumentsValue } from "../../translation/call-arguments.ts";
import { flatName } from "../../translation/tool-names.ts";
import { NO_SIGNATURE, unsealGemini } from "../signatures.ts";
import { type Arranged, arrange } from "./arrange.ts";

/** One turn for the vendor. What tools returned stands apart from what the user says. */
interface Content {
  readonly kind: "user" | "model" | "results";
  readonly parts: JsonObject[];
  /** Whether a function is called in it. */
  calls?: boolean;
}

interface Writing {
  readonly contents: Content[];
  /** Calls without a signature need a word in its place. */
  readonly strict: boolean;
  /** Signatures by the call that they belong to. */
  readonly signatures: ReadonlyMap<CallItem, string>;
  /** The ids of those calls. */
  readonly signed: ReadonlySet<string>;
  /** The signature of the part that comes next. */
  pending: { readonly signature: string; readonly call: boolean } | undefined;
  readonly dropped: Set<string>;
}

function push(writing: Writing, kind: Content["kind"], part: JsonObject): void {
  // A signature that found no part in its own turn has none in another.
  if (kind !== "model") writing.pending = undefined;
  const last = writing.contents.at(-1);
  if (last?.kind === kind) last.parts.push(part);
  else writing.contents.push({ kind, parts: [part] });
}

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*?)(;base64)?,/i;

function decodedData(text: string): string {
  try {
    return Buffer.from(decodeURIComponent(text)).toString("base64");
  } catch {
    throw new Fault("invalid_value", "A 'data:' URL of the request is not valid.");
  }
}

/** Data that travels in the body itself; the vendor's files are not for our customers. */
function inlineData(url: string, kind: "image" | "file"): JsonObject {
  const match = DATA_URL.exec(url.slice(0, 512));
  if (!match) {
    const message = `This model takes no addresses of ${kind}s; send the ${kind} as a 'data:' URL.`;
    throw new Fault("unsupported_parameter", message);
  }
  const [head, mimeType, , base64] = match;
  if (/^(?:audio|video)\//i.test(mimeType ?? "")) {
    const message = "Audio and video have no price here; send text, images or documents.";
    throw new Fault("unsupported_parameter", message);
  }
  const rest = url.slice(head.length);
  return { mimeType: mimeType || "text/plain", data: base64 ? rest : decodedData(rest) };
}

function writePart(part: Part): JsonObject | undefined {
  if (part.type === "image" || part.type === "file") {
    return { inlineData: inlineData(part.url, part.type) };
  }
  return part.text === "" ? undefined : { text: part.text };
}

function writeMessage(writing: Writing, { role, parts }: MessageItem): void {
  const kind = role === "assistant" ? "model" : "user";
  for (const part of parts) {
    const written = writePart(part);
    if (!written) continue;
    const signature = kind === "model" ? takeSignature(writing, false) : undefined;
    push(writing, kind, signature ? { ...written, thoughtSignature: signature } : written);
  }
}

function takeSignature(writing: Writing, call: boolean): string | undefined {
  const { pending } = writing;
  if (pending?.call !== call) return undefined;
  writing.pending = undefined;
  return pending.signature;
}

/** The arguments of a call as the object that the wire has room for. */
export function argumentsOf(call: CallItem): JsonObject {
  const text = call.arguments;
  if (call.custom) return { input: text };
  const value = argumentsValue(call);
  if (value !== undefined) return isObject(value) ? value : { input: value };
  // A call that its model never finished is told as it was written.
  return text === "" ? {} : { input: text };
}

function writeCall(writing: Writing, call: CallItem): void {
  const own = writing.signatures.get(call);
  const last = writing.contents.at(-1);
  const isFirst = last?.kind !== "model" || !last.calls;
  // Of calls made at once only the first is signed.
  const placeholder = writing.strict && isFirst ? NO_SIGNATURE : undefined;
  const signature = takeSignature(writing, true);
  const thoughtSignature = own ?? signature ?? placeholder;
  push(writing, "model", {
    functionCall: { id: call.callId, name: flatName(call), args: argumentsOf(call) },
    ...(thoughtSignature ? { thoughtSignature } : {}),
  });
  const turn = writing.contents.at(-1);
  if (turn) turn.calls = true;
}

function writeResult(writing: Writing, result: ResultItem, call: CallItem): void {
  const media = result.parts
    .filter((part) => part.type === "image" || part.type === "file")
    .map((part) => ({ inlineData: inlineData(part.url, part.type) }));
  const text = spokenText(result.parts, "\n");
  const functionResponse = {
    id: call.callId,
    name: flatName(call),
    response: result.failed ? { error: text } : { output: text },
    ...(writing.strict && media.length > 0 ? { parts: media } : {}),
  };
  push(writing, "results", { functionResponse });
}

/** Older models take pictures only from the user: behind the results, which must stand alone. */
function writeResultMedia(writing: Writing, results: readonly ResultItem[]): void {
  if (writing.strict) return;
  for (const { parts } of results) {
    for (const part of parts) {
      if (part.type !== "image" && part.type !== "file") continue;
      push(writing, "user", { inlineData: inlineData(part.url, part.type) });
    }
  }
}

/** What this vendor thought goes back as it came. Others' thoughts mean nothing to it. */
function writeReasoning(writing: Writing, item: Extract<Item, { type: "reasoning" }>): void {
  const state = unsealGemini(item.sealed);
  if (!state) {
    for (const name of droppedReasoning([item])) writing.dropped.add(name);
    return;
  }
  const { signature, part } = state;
  const text = item.summary.join("\n\n");
  const belongsElsewhere = state.text || state.call !== undefined;
  if (text !== "" || (signature && !belongsElsewhere)) {
    const own = signature && !belongsElsewhere ? { thoughtSignature: signature } : {};
    push(writing, "model", { text, thought: true, ...own });
  }
  if (part) push(writing, "model", part);
  const known = state.call !== undefined && writing.signed.has(state.call);
  if (signature && belongsElsewhere && !known) {
    writing.pending = { signature, call: state.call !== undefined };
  }
}

function writeContent(writing: Writing, turn: Arranged): void {
  if (turn.type === "results") {
    for (const { result, call } of turn.results) writeResult(writing, result, call);
    writeResultMedia(
      writing,
      turn.results.map(({ result }) => result),
    );
    return;
  }
  const { item } = turn;
  if (item.type === "message") writeMessage(writing, item);
  else if (item.type === "call") writeCall(writing, item);
  else if (item.type === "reasoning") writeReasoning(writing, item);
  else if (item.type === "foreign") writing.dropped.add(String(item.raw.type ?? "item"));
}

/**
 * Signatures of calls that are really there. Ids may repeat in long histories: a signature belongs to the
 * next call of its id, or where none follows to the one before.
 */
function signaturesOf(items: readonly Item[]): Map<CallItem, string> {
  const signatures = new Map<CallItem, string>();
  const waiting = new Map<string, string>();
  const unsigned = new Map<string, CallItem>();
  for (const item of items) {
    if (item.type === "reasoning") {
      const { call, signature } = unsealGemini(item.sealed) ?? {};
      if (call !== undefined && signature) waiting.set(call, signature);
    }
    if (item.type !== "call") continue;
    const signature = waiting.get(item.callId);
    if (signature === undefined) unsigned.set(item.callId, item);
    else signatures.set(item, signature);
    waiting.delete(item.callId);
  }
  for (const [callId, signature] of waiting) {
    const call = unsigned.get(callId);
    if (call) signatures.set(call, signature);
  }
  return signatures;
}

/** Items as turns of the vendor. `strict` models check signatures and take pictures from tools. */
export function writeContents(items: readonly Item[], strict: boolean) {
  const signatures = signaturesOf(items);
  const writing: Writing = {
    contents: [],
    strict,
    signatures,
    signed: new Set([...signatures.keys()].map(({ callId }) => callId)),
    pending: undefined,
    dropped: new Set(),
  };
  for (const turn of arrange(items)) writeContent(writing, turn);
  const { contents } = writing;
  // The vendor answers a user or a tool: an answer that was begun for it cannot be continued.
  if (contents.at(-1)?.kind === "model") {
    contents.pop();
    writing.dropped.add("assistant_prefill");
  }
  if (contents.length === 0) {
    throw new Fault("missing_required_parameter", "The conversation has no message to answer.");
  }
  return {
    contents: contents.map(({ kind, parts }) => ({
      role: kind === "model" ? "model" : "user",
      parts,
    })),
    dropped: [...writing.dropped],
  };
}
