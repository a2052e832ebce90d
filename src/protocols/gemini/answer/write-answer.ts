import { newId } from "../../../lib/ids.ts";
import {
  type Answer,
  type AnswerStatus,
  type CallItem,
  type CanonEvent,
  type MessageItem,
  type OutputItem,
  spokenText,
} from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import type { Usage } from "../../usage.ts";
import { VisibleReasoningStream, visibleReasoning } from "../../visible-reasoning.ts";
import type { AnswerOptions, AnswerWriter, ClientRequest } from "../../wire.ts";
import { writeGeminiFault } from "../faults.ts";
import { generationConfigOf } from "../request/generation-config.ts";
import { argumentsOf } from "../request/write-contents.ts";
import { signatureOf, unsealGemini } from "../signatures.ts";
import { writeGeminiUsage } from "../usage.ts";
import { finishOfStatus } from "./finish-reasons.ts";
import { type Cited, writeGrounding } from "./grounding.ts";
import { writeLogprobs } from "./logprobs.ts";

/** Whether the client asked to see thoughts. What it did not ask for would look like the answer. */
function showsThoughts({ body }: ClientRequest): boolean {
  const { thinkingConfig } = generationConfigOf(body);
  return isObject(thinkingConfig) && thinkingConfig.includeThoughts === true;
}

/** A vendor's state as the signature of a part; Google's own is one already. */
function signatureIn(sealed: string): string {
  return unsealGemini(sealed)?.signature ?? signatureOf(sealed);
}

/** What an answer has said so far, as far as its end has to tell it again. */
class AnswerState {
  readonly queries: string[] = [];
  readonly cited: Cited[] = [];
  readonly shows: boolean;
  /** The state of a thought, which goes with the call behind it or gets a part of its own. */
  #pending: string | undefined;
  #bytes = 0;

  constructor(request: ClientRequest) {
    this.shows = showsThoughts(request);
  }

  hold(sealed: string | undefined): void {
    if (sealed !== undefined) this.#pending = signatureIn(sealed);
  }

  /** A thought whose state has found no call. */
  release(): JsonObject[] {
    const thoughtSignature = this.#pending;
    this.#pending = undefined;
    if (thoughtSignature === undefined) return [];
    return [{ text: "", ...(this.shows ? { thought: true } : {}), thoughtSignature }];
  }

  call(call: CallItem): JsonObject {
    const thoughtSignature = this.#pending;
    this.#pending = undefined;
    const functionCall = { id: call.callId, name: call.name, args: argumentsOf(call) };
    return { functionCall, ...(thoughtSignature === undefined ? {} : { thoughtSignature }) };
  }

  /** Keeps the citations of a message that is whole. */
  cite(message: MessageItem): void {
    for (const part of message.parts) {
      if (part.type !== "text") continue;
      for (const annotation of part.annotations ?? []) {
        this.cited.push({ annotation, text: part.text, offset: this.#bytes });
      }
      this.#bytes += Buffer.byteLength(part.text);
    }
  }

  search({ action }: Extract<OutputItem, { type: "search" }>): void {
    const query = action?.query;
    this.queries.push(typeof query === "string" && query !== "" ? query : "web search");
  }
}

interface Frame {
  readonly parts?: readonly JsonObject[];
  readonly candidate?: JsonObject;
  readonly usage?: Usage | undefined;
}

/** The shape that whole answers and chunks share. */
function frame(id: string, options: AnswerOptions, { parts, candidate, usage }: Frame): JsonObject {
  const content = parts ? { content: { parts, role: "model" } } : {};
  return {
    candidates: [{ ...content, index: 0, ...candidate }],
    ...(usage ? { usageMetadata: writeGeminiUsage(usage) } : {}),
    modelVersion: options.model,
    responseId: id,
  };
}

function endOf(state: AnswerState, status: AnswerStatus): JsonObject {
  const groundingMetadata = writeGrounding(state.queries, state.cited);
  return {
    finishReason: finishOfStatus(status),
    ...(groundingMetadata ? { groundingMetadata } : {}),
  };
}

/** Clients keep a turn only if each of its chunks has a part. */
const EMPTY_PART = { text: "" };

/** The events of an answer as chunks, each a whole answer's shape. */
export class GeminiWriter implements AnswerWriter {
  readonly #options: AnswerOptions;
  readonly #state: AnswerState;
  #id = "";
  #usage: Usage | undefined;
  #written = false;
  #visible = new VisibleReasoningStream();

  constructor(request: ClientRequest, options: AnswerOptions) {
    this.#options = options;
    this.#state = new AnswerState(request);
  }

  write(event: CanonEvent): string {
    switch (event.type) {
      case "begin":
        this.#id = event.id ?? "";
        return "";
      case "item":
        return this.#open(event.item);
      case "text":
        return this.#text(event.delta, event.logprobs);
      case "refusal":
        return this.#text(event.delta);
      case "summary":
        return this.#thought(this.#visible.add("summary", event.delta, event.part));
      case "thinking":
        return this.#thought(this.#visible.add("thinking", event.delta));
      case "item_done":
        return this.#done(event.item);
      case "usage":
        this.#usage = event.usage;
        return "";
      case "end":
        return this.#end(event, event.usage);
      case "failed":
        return `data: ${writeGeminiFault(event.fault)}\n\n`;
      default:
        // Arguments and citations are told with the item that they belong to.
        return "";
    }
  }

  #chunk(parts: readonly JsonObject[] | undefined, candidate?: JsonObject): string {
    this.#id ||= newId("resp_");
    this.#written = true;
    const shape = { ...(parts ? { parts } : {}), ...(candidate ? { candidate } : {}) };
    const chunk = frame(this.#id, this.#options, { ...shape, usage: this.#usage });
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }

  #open(item: OutputItem): string {
    this.#visible = new VisibleReasoningStream();
    if (item.type === "call") return "";
    const parts = this.#state.release();
    return parts.length > 0 ? this.#chunk(parts) : "";
  }

  #text(text: string, logprobs?: readonly JsonObject[]): string {
    if (text === "" && !logprobs?.length) return "";
    return this.#chunk([{ text }], writeLogprobs(logprobs));
  }

  #thought(text: string): string {
    return this.#state.shows && text !== "" ? this.#chunk([{ text, thought: true }]) : "";
  }

  #done(item: OutputItem): string {
    if (item.type === "reasoning") {
      this.#state.hold(item.sealed);
      return this.#thought(this.#visible.rest(item));
    }
    if (item.type === "message") this.#state.cite(item);
    if (item.type === "call") return this.#chunk([this.#state.call(item)]);
    if (item.type !== "search" || item.status !== "completed") return "";
    this.#state.search(item);
    const groundingMetadata = writeGrounding(this.#state.queries, []);
    return this.#chunk([EMPTY_PART], { groundingMetadata });
  }

  #end(status: AnswerStatus, usage: Usage | undefined): string {
    this.#usage = usage ?? this.#usage;
    const parts = this.#state.release();
    const isBlocked = !this.#written && status.reason === "content_filter";
    const content = parts.length > 0 ? parts : [EMPTY_PART];
    return this.#chunk(isBlocked ? undefined : content, endOf(this.#state, status));
  }
}

/** The parts of one item of a whole answer. */
function itemParts(state: AnswerState, item: OutputItem, next: OutputItem | undefined) {
  if (item.type === "call") return [state.call(item)];
  if (item.type === "search" && item.status === "completed") state.search(item);
  if (item.type === "message") {
    state.cite(item);
    const text = spokenText(item.parts, "");
    return text === "" ? [] : [{ text }];
  }
  if (item.type !== "reasoning") return [];
  state.hold(item.sealed);
  const text = state.shows ? visibleReasoning(item) : "";
  const signed = next?.type === "call" ? [] : state.release();
  if (text === "") return signed;
  return [{ ...signed[0], text, thought: true }];
}

export function writeGeminiAnswer(
  answer: Answer,
  request: ClientRequest,
  options: AnswerOptions,
): JsonObject {
  const state = new AnswerState(request);
  const { items, usage } = answer;
  const parts = items.flatMap((item, i) => itemParts(state, item, items[i + 1]));
  const logprobs = items
    .flatMap((item) => (item.type === "message" ? item.parts : []))
    .flatMap((part) => (part.type === "text" ? (part.logprobs ?? []) : []));
  const candidate = { ...endOf(state, answer), ...writeLogprobs(logprobs) };
  const content = parts.length > 0 || answer.status === "completed" ? { parts } : {};
  const id = answer.id ?? newId("resp_");
  return frame(id, options, { ...content, candidate, usage });
}
