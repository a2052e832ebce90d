import type { Fault } from "../lib/faults.ts";
import { isObject, type JsonObject } from "./fields.ts";
import type { Usage } from "./usage.ts";

/**
 * The conversation that every wire translates to and from: the items and events of the Responses
 * wire, since they carry the most, without its repetitions. Only a request that changes wires on its
 * way goes through here; all others pass as bytes.
 */

export interface TextPart {
  readonly type: "text";
  readonly text: string;
  /** Sources of the text, as the Responses wire writes them: flat `url_citation` and its like. */
  readonly annotations?: readonly JsonObject[];
  readonly logprobs?: readonly JsonObject[];
}

export interface ImagePart {
  readonly type: "image";
  /** An address, or the image itself as a `data:` URL. */
  readonly url: string;
  readonly detail?: string;
}

export interface FilePart {
  readonly type: "file";
  readonly name?: string;
  /** An address, or the file itself as a `data:` URL. */
  readonly url: string;
}

interface RefusalPart {
  readonly type: "refusal";
  readonly text: string;
}

export type Part = TextPart | ImagePart | FilePart | RefusalPart;

/** A text with what is told of it. */
export function textPart(
  text: string,
  annotations: readonly JsonObject[],
  logprobs: readonly JsonObject[] = [],
): TextPart {
  return {
    type: "text",
    text,
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(logprobs.length > 0 ? { logprobs } : {}),
  };
}

/** All that is said in a list of parts, refusals too. */
export function spokenText(parts: readonly Part[], between: string): string {
  return parts
    .flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : []))
    .join(between);
}

export interface MessageItem {
  readonly type: "message";
  readonly role: "system" | "developer" | "user" | "assistant";
  readonly parts: readonly Part[];
  /** What an assistant's message is for, where the wire says so: `commentary`, `final_answer`. */
  readonly phase?: string;
}

/** The model calls a tool that the client runs. */
export interface CallItem {
  readonly type: "call";
  readonly callId: string;
  readonly name: string;
  /** The group that the tool belongs to, for tools declared in one. */
  readonly namespace?: string;
  /** Takes free text instead of JSON. */
  readonly custom: boolean;
  /** JSON text, or the free text of a custom tool. */
  readonly arguments: string;
  /** What that text says, where it was read before; its value is undefined where it is no JSON. */
  readonly read?: { readonly value: unknown };
}

/** What a tool returned. */
export interface ResultItem {
  readonly type: "result";
  readonly callId: string;
  readonly custom: boolean;
  readonly parts: readonly Part[];
  readonly failed?: boolean;
}

export interface ReasoningItem {
  readonly type: "reasoning";
  /** What the model says about its thinking, one text for each part. */
  readonly summary: readonly string[];
  /** The thinking itself, from vendors that show it under that name. */
  readonly text?: string;
  /** What the vendor must get back unchanged: its own text, or an envelope of ours around it. */
  readonly sealed?: string;
}

/** A search that the vendor ran. */
export interface SearchItem {
  readonly type: "search";
  readonly id?: string;
  readonly status: "completed" | "failed" | "in_progress";
  /** As the Responses wire writes it: `{type:"search", query, sources?}`. */
  readonly action?: JsonObject;
}

/** Whether that is a search: pages that the vendor opens and looks into are billed by nobody. */
export function isSearchAction(action: unknown): boolean {
  return !isObject(action) || action.type === undefined || action.type === "search";
}

/** A search that was made, which has a price. */
export function isMadeSearch(item: OutputItem): boolean {
  return item.type === "search" && item.status === "completed" && isSearchAction(item.action);
}

/** Something that only the Responses wire knows. Other wires leave it out by name. */
interface ForeignItem {
  readonly type: "foreign";
  readonly raw: JsonObject;
}

export type Item = MessageItem | CallItem | ResultItem | ReasoningItem | SearchItem | ForeignItem;

function isSystem(item: Item): item is MessageItem {
  return item.type === "message" && (item.role === "system" || item.role === "developer");
}

/** What the system says before anybody else does, and the rest of a conversation. */
export function splitSystem(items: readonly Item[]) {
  const first = items.findIndex((item) => !isSystem(item));
  const leading = items.slice(0, first < 0 ? items.length : first).filter(isSystem);
  return { leading, rest: items.slice(leading.length) };
}

export interface FunctionTool {
  readonly type: "function";
  readonly name: string;
  readonly namespace?: string;
  readonly description?: string;
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}

export interface CustomTool {
  readonly type: "custom";
  readonly name: string;
  readonly namespace?: string;
  readonly description?: string;
  /** As the Responses wire writes it: `{type:"grammar", syntax, definition}`. */
  readonly format?: JsonObject;
}

/** The vendor searches by itself, billed by the call. */
export interface SearchTool {
  readonly type: "web_search";
  /** Settings as the Responses wire writes them. */
  readonly settings: JsonObject;
  /** The most calls in one request, where the client says so. */
  readonly maxCalls?: number;
}

/** A tool that only one wire knows, named by its place in the client's body. */
interface ForeignTool {
  readonly type: "foreign";
  readonly path: string;
}

export type Tool = FunctionTool | CustomTool | SearchTool | ForeignTool;

export type ToolChoice =
  | { readonly mode: "auto" | "none" | "required" }
  | {
      /** One tool that must be called. */
      readonly mode: "tool";
      readonly name: string;
      readonly namespace?: string;
    }
  | {
      /** Only some of the declared tools may be called. */
      readonly mode: "allowed";
      readonly names: readonly string[];
      readonly required: boolean;
    };

export type Format =
  | { readonly type: "json_object" }
  | {
      readonly type: "json_schema";
      readonly name: string;
      readonly schema: JsonObject;
      readonly strict?: boolean;
      readonly description?: string;
    };

export interface Conversation {
  readonly instructions?: string | undefined;
  readonly items: readonly Item[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  readonly maxOutput?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly seed?: number | undefined;
  readonly stop: readonly string[];
  /** Absent for plain text. */
  readonly format?: Format | undefined;
  /** `none`, `minimal`, `low`, `medium`, `high`, `xhigh`, `max`. */
  readonly effort?: string | undefined;
  /** Thinking tokens, from clients that count them; −1 leaves it to the model. */
  readonly thinkingBudget?: number | undefined;
  /** Whether the client wants to read what the model thinks: `auto`, `concise`, `detailed`. */
  readonly summary?: string | undefined;
  readonly verbosity?: string | undefined;
  /** Alternatives for each token; absent where no log probabilities are wanted. */
  readonly topLogprobs?: number | undefined;
  readonly choices: number;
  readonly user?: string | undefined;
  readonly cacheKey?: string | undefined;
  readonly stream: boolean;
  /** Members of the client's body that have no place here, by their path. */
  readonly lost: readonly string[];
}

/** Thinking by tokens as an effort: the most that each stands for. */
const EFFORTS: readonly (readonly [tokens: number, effort: string])[] = [
  [0, "none"],
  [1_024, "low"],
  [8_192, "medium"],
  [Number.POSITIVE_INFINITY, "high"],
];

/** How much to think, in the word of OpenAI's wires; a negative budget leaves it to the model. */
export function effortOf({
  effort,
  thinkingBudget: budget,
}: Pick<Conversation, "effort" | "thinkingBudget">): string | undefined {
  if (effort !== undefined || budget === undefined || budget < 0) return effort;
  return EFFORTS.find(([tokens]) => budget <= tokens)?.[1];
}

/** An item that a model can produce. */
export type OutputItem = MessageItem | CallItem | ReasoningItem | SearchItem | ForeignItem;

export interface AnswerStatus {
  readonly status: "completed" | "incomplete";
  /** Why an answer is incomplete. */
  readonly reason?: "max_output_tokens" | "content_filter";
  /** The stop sequence that ended the answer. */
  readonly stopSequence?: string;
}

/** A whole answer. */
export interface Answer extends AnswerStatus {
  readonly id: string | undefined;
  readonly items: readonly OutputItem[];
  readonly usage: Usage | undefined;
  /** The vendor's answer is a failure although its status was not. */
  readonly failure?: Fault | undefined;
}

/**
 * An answer as it comes. Items follow one another: each is opened, filled by deltas and done before
 * the next is opened, whatever order a vendor mixes them in.
 */
export type CanonEvent =
  | { readonly type: "begin"; readonly id: string | undefined }
  /** An item begins. It is empty but for its names. */
  | { readonly type: "item"; readonly item: OutputItem }
  | { readonly type: "text"; readonly delta: string; readonly logprobs?: readonly JsonObject[] }
  | { readonly type: "refusal"; readonly delta: string }
  /** Of a reasoning item; `part` counts the summary's texts from 0. */
  | { readonly type: "summary"; readonly delta: string; readonly part: number }
  | { readonly type: "thinking"; readonly delta: string }
  /** Of a call: JSON text, or the free text of a custom tool. */
  | { readonly type: "arguments"; readonly delta: string }
  | { readonly type: "annotation"; readonly annotation: JsonObject }
  /** The open item, whole. */
  | { readonly type: "item_done"; readonly item: OutputItem }
  /** The vendor's counts so far, where it tells them before the end. */
  | { readonly type: "usage"; readonly usage: Usage }
  | ({ readonly type: "end"; readonly usage: Usage | undefined } & AnswerStatus)
  | { readonly type: "failed"; readonly fault: Fault; readonly usage?: Usage | undefined };
