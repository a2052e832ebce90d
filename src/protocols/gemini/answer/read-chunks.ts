import type { Fault } from "../../../lib/faults.ts";
import { type CanonEvent, type OutputItem, textPart } from "../../canon.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { text } from "../../optional.ts";
import { CallIds } from "../../translation/tool-names.ts";
import type { Usage } from "../../usage.ts";
import { errorOf, faultOfAnswer, faultOfFinish } from "../faults.ts";
import { sealPart, sealSignature } from "../signatures.ts";
import { readGeminiUsage } from "../usage.ts";
import { blockOf, candidatesOf, finishOf, partsOf } from "./chunks.ts";
import { statusOfFinish } from "./finish-reasons.ts";
import { citationsOf, SearchQueries, sourcesOf } from "./grounding.ts";
import { readLogprobs } from "./logprobs.ts";

interface OpenMessage {
  readonly kind: "message";
  text: string;
  /** The candidate that last told what the text rests on. */
  grounded: JsonObject | undefined;
  readonly logprobs: JsonObject[];
  /** State that came behind the text, to go into an item of its own. */
  readonly behind: string[];
}

interface OpenReasoning {
  readonly kind: "reasoning";
  text: string;
  sealed: string | undefined;
}

/** An answer of the vendor's, read chunk by chunk into the events that all wires share. */
export interface Reading {
  readonly events: CanonEvent[];
  begun: boolean;
  over: boolean;
  id: string | undefined;
  open: OpenMessage | OpenReasoning | undefined;
  readonly callIds: CallIds;
  readonly queries: SearchQueries;
  /** Searches that wait for the open item to be done. */
  readonly searches: JsonObject[];
  usageMetadata: unknown;
  finish: string | undefined;
}

export function newReading(): Reading {
  return {
    events: [],
    begun: false,
    over: false,
    id: undefined,
    open: undefined,
    callIds: new CallIds(),
    queries: new SearchQueries(),
    searches: [],
    usageMetadata: undefined,
    finish: undefined,
  };
}

export function usageOf(reading: Reading): Usage | undefined {
  return readGeminiUsage(reading.usageMetadata, reading.queries.total);
}

/** An item that comes whole. */
function addItem({ events }: Reading, item: OutputItem, empty: OutputItem = item): void {
  events.push({ type: "item", item: empty }, { type: "item_done", item });
}

function addState(reading: Reading, sealed: string): void {
  const empty = { type: "reasoning", summary: [] } as const;
  addItem(reading, { ...empty, sealed }, empty);
}

function messageItem(open: OpenMessage, annotations: readonly JsonObject[]): OutputItem {
  const part = textPart(open.text, annotations, open.logprobs);
  return { type: "message", role: "assistant", parts: [part] };
}

function reasoningItem({ text, sealed }: OpenReasoning): OutputItem {
  const summary = text === "" ? [] : [text];
  return { type: "reasoning", summary, ...(sealed === undefined ? {} : { sealed }) };
}

function closeOpen(reading: Reading): void {
  const { open, events } = reading;
  reading.open = undefined;
  if (open?.kind === "reasoning") events.push({ type: "item_done", item: reasoningItem(open) });
  if (open?.kind === "message") {
    // Only now: places in the text mean nothing before all of it is there.
    const citations = open.grounded ? citationsOf(open.grounded, open.text) : [];
    for (const annotation of citations) events.push({ type: "annotation", annotation });
    events.push({ type: "item_done", item: messageItem(open, citations) });
    for (const sealed of open.behind) addState(reading, sealed);
  }
  for (const action of reading.searches.splice(0)) {
    const empty = { type: "search", status: "in_progress" } as const;
    addItem(reading, { type: "search", status: "completed", action }, empty);
  }
}

/** The state that belongs to what comes next: with the thought that is open, or by itself. */
function addStateBefore(reading: Reading, sealed: string): void {
  if (reading.open?.kind === "reasoning" && reading.open.sealed === undefined) {
    reading.open.sealed = sealed;
    closeOpen(reading);
    return;
  }
  closeOpen(reading);
  addState(reading, sealed);
}

function signatureIn(part: JsonObject): string | undefined {
  const { thoughtSignature } = part;
  return typeof thoughtSignature === "string" && thoughtSignature ? thoughtSignature : undefined;
}

function readThought(reading: Reading, part: JsonObject): void {
  const text = typeof part.text === "string" ? part.text : "";
  const signature = signatureIn(part);
  if (text === "" && !signature) return;
  if (reading.open?.kind !== "reasoning" || reading.open.sealed !== undefined) {
    closeOpen(reading);
    reading.open = { kind: "reasoning", text: "", sealed: undefined };
    reading.events.push({ type: "item", item: { type: "reasoning", summary: [] } });
  }
  reading.open.text += text;
  if (text !== "") reading.events.push({ type: "summary", delta: text, part: 0 });
  if (signature) reading.open.sealed = sealSignature(signature, {});
}

function readText(reading: Reading, part: JsonObject, logprobs: readonly JsonObject[]): void {
  const text = String(part.text);
  const signature = signatureIn(part);
  const signed = signature && reading.open?.kind !== "message";
  if (signed && text !== "") addStateBefore(reading, sealSignature(signature, { text: true }));
  if (signed && text === "")
    addStateBefore(reading, sealPart({ text, thoughtSignature: signature }));
  if (text !== "" || (logprobs.length > 0 && reading.open?.kind === "message")) {
    addText(reading, text, logprobs);
  }
  // The text before it is out already: the vendor takes a signature behind a text as well.
  if (signature && !signed && reading.open?.kind === "message") {
    reading.open.behind.push(sealPart({ text: "", thoughtSignature: signature }));
  }
}

function addText(reading: Reading, delta: string, logprobs: readonly JsonObject[]): void {
  if (reading.open?.kind !== "message") {
    closeOpen(reading);
    reading.open = { kind: "message", text: "", grounded: undefined, logprobs: [], behind: [] };
    const item = { type: "message", role: "assistant", parts: [] } as const;
    reading.events.push({ type: "item", item });
  }
  reading.open.text += delta;
  reading.open.logprobs.push(...logprobs);
  reading.events.push({ type: "text", delta, ...(logprobs.length > 0 ? { logprobs } : {}) });
}

function readCall(reading: Reading, part: JsonObject, call: JsonObject): void {
  const callId = reading.callIds.distinct(text(call.id));
  const signature = signatureIn(part);
  if (signature) addStateBefore(reading, sealSignature(signature, { call: callId }));
  else closeOpen(reading);
  const name = String(call.name ?? "");
  const args = JSON.stringify(isObject(call.args) ? call.args : {});
  const empty = { type: "call", callId, name, custom: false, arguments: "" } as const;
  reading.events.push(
    { type: "item", item: empty },
    { type: "arguments", delta: args },
    { type: "item_done", item: { ...empty, arguments: args } },
  );
}

/** What the vendor's own tools were asked and said, which it wants back beside calls of others. */
function readToolUse(reading: Reading, part: JsonObject): void {
  closeOpen(reading);
  addState(reading, sealPart(part));
}

function readPart(reading: Reading, part: JsonObject, logprobs: readonly JsonObject[]): void {
  if (isObject(part.functionCall)) readCall(reading, part, part.functionCall);
  else if (isObject(part.toolCall) || isObject(part.toolResponse)) readToolUse(reading, part);
  else if (part.thought === true) readThought(reading, part);
  else if (typeof part.text === "string") readText(reading, part, logprobs);
  else if (signatureIn(part)) readText(reading, { ...part, text: "" }, logprobs);
}

/** Searches before the text that rests on them where they are known by then, else behind it. */
function readSearches(reading: Reading, chunk: JsonObject, candidate: JsonObject): void {
  const found = reading.queries.add(chunk);
  const sources = found.length > 0 ? sourcesOf(candidate) : [];
  found.forEach((query, i) => {
    const told = i === 0 && sources.length > 0 ? { sources } : {};
    reading.searches.push({ type: "search", query, ...told });
  });
  if (found.length > 0 && reading.open?.kind !== "message") closeOpen(reading);
}

function readCandidate(reading: Reading, chunk: JsonObject, candidate: JsonObject): void {
  if (isObject(candidate.groundingMetadata)) readSearches(reading, chunk, candidate);
  let logprobs = readLogprobs(candidate);
  for (const part of partsOf(candidate)) {
    readPart(reading, part, logprobs);
    // They belong to the texts of the chunk taken together.
    if (typeof part.text === "string" && part.thought !== true) logprobs = [];
  }
  const { open } = reading;
  if (open?.kind === "message" && isObject(candidate.groundingMetadata)) open.grounded = candidate;
  reading.finish = finishOf(candidate) ?? reading.finish;
}

function fail(reading: Reading, fault: Fault): void {
  reading.over = true;
  reading.events.push({ type: "failed", fault, usage: usageOf(reading) });
}

/** One chunk, or a whole answer, which has the same shape. */
export function readChunk(reading: Reading, value: unknown): void {
  if (reading.over || value === undefined) return;
  const error = errorOf(value);
  if (error) {
    fail(reading, faultOfAnswer(error));
    return;
  }
  if (!isObject(value)) throw new Error("a chunk must be an object");
  if (typeof value.responseId === "string") reading.id ??= value.responseId;
  if (!reading.begun) reading.events.push({ type: "begin", id: reading.id });
  reading.begun = true;
  // The counts of each chunk replace those of the one before.
  if (readGeminiUsage(value.usageMetadata)) reading.usageMetadata = value.usageMetadata;
  const usage = usageOf(reading);
  if (usage) reading.events.push({ type: "usage", usage });
  const candidate = candidatesOf(value).find(({ index }) => (index ?? 0) === 0);
  if (candidate) readCandidate(reading, value, candidate);
  else if (blockOf(value) !== undefined) reading.finish ??= "PROHIBITED_CONTENT";
  const { finish } = reading;
  if (finish !== undefined && !statusOfFinish(finish)) fail(reading, faultOfFinish(finish));
}

/** The vendor has no more to say. */
export function endReading(reading: Reading): void {
  if (reading.over) return;
  const { finish } = reading;
  const status = finish === undefined ? undefined : statusOfFinish(finish);
  if (!status) {
    fail(reading, upstreamUnavailable(new Error("the stream was cut")));
    return;
  }
  closeOpen(reading);
  reading.over = true;
  reading.events.push({ type: "end", usage: usageOf(reading), ...status });
}
