import { systemClock } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import type { AnswerStatus, CallItem, CanonEvent, OutputItem, ReasoningItem } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import { flatName } from "../../translation/tool-names.ts";
import type { Usage } from "../../usage.ts";
import { REASONING_GAP, VisibleReasoningStream } from "../../visible-reasoning.ts";
import type { AnswerOptions, AnswerWriter } from "../../wire.ts";
import { extraContent, sealedDetail } from "../reasoning-state.ts";
import { writeChatUsage } from "../usage.ts";
import { nestedAnnotation } from "./annotations.ts";
import { writeFinish } from "./finish.ts";

const MS_PER_SECOND = 1_000;
const FIRST_DELTA = { role: "assistant", content: "", refusal: null };

/** A tool's name as the client declared it, which has no groups here. */
export function ownName(call: CallItem): string {
  return call.namespace === undefined ? call.name : flatName(call);
}

/** The members that open every answer and every chunk of it. */
export function answerHead(object: string, options: AnswerOptions) {
  const created = Math.floor(systemClock() / MS_PER_SECOND);
  return { id: newId("chatcmpl-"), object, created, model: options.model };
}

interface OpenCall {
  readonly index: number;
  readonly custom: boolean;
  told: boolean;
}

/** Writes the events of an answer as chunks. All of them share one id, time and model. */
export class ChatWriter implements AnswerWriter {
  /** A chunk up to its choices, which are all that changes. */
  readonly #head: string;
  #calls = 0;
  #call: OpenCall | undefined;
  /** The thought that stands directly before whatever comes next. */
  #thought: ReasoningItem | undefined;
  #details: JsonObject[] = [];
  #hasThought = false;
  #needsBreak = false;
  #visible = new VisibleReasoningStream();
  #textChars = 0;
  /** Where the open message begins in the text of the whole answer. */
  #messageStart = 0;

  /** Calls are told in the older form, which has room for one. */
  readonly #older: boolean;

  constructor(options: AnswerOptions, older = false) {
    this.#older = older;
    const head = JSON.stringify(answerHead("chat.completion.chunk", options));
    this.#head = `data: ${head.slice(0, -1)},"choices":[`;
  }

  write(event: CanonEvent): string {
    switch (event.type) {
      case "begin":
        return this.#chunk(FIRST_DELTA);
      case "item":
        return this.#open(event.item);
      case "text":
        return this.#say(event.delta, event.logprobs);
      case "refusal":
        return this.#chunk({ refusal: event.delta });
      case "summary":
        return this.#think(this.#visible.add("summary", event.delta, event.part));
      case "thinking":
        return this.#think(this.#visible.add("thinking", event.delta));
      case "arguments":
        return this.#argue(event.delta);
      case "annotation":
        return this.#annotate(event.annotation);
      case "item_done":
        return this.#done(event.item);
      case "usage":
        // Told once, at the end.
        return "";
      case "end":
        return this.#end(event, event.usage);
      case "failed":
        return `data: ${JSON.stringify({ error: event.fault.toJson() })}\n\n`;
    }
  }

  #chunk(delta: JsonObject, logprobs = "null", finish = "null"): string {
    const text = JSON.stringify(delta);
    return `${this.#head}{"index":0,"delta":${text},"logprobs":${logprobs},"finish_reason":${finish}}]}\n\n`;
  }

  #open(item: OutputItem): string {
    const thought = this.#thought;
    this.#thought = undefined;
    if (item.type === "message") this.#messageStart = this.#textChars;
    if (item.type === "reasoning") {
      this.#visible = new VisibleReasoningStream();
      this.#needsBreak = this.#hasThought;
    }
    return item.type === "call" ? this.#openCall(item, thought) : "";
  }

  #openCall(item: CallItem, thought: ReasoningItem | undefined): string {
    const { callId: id, custom } = item;
    const index = this.#calls++;
    this.#call = { index, custom, told: false };
    const name = ownName(item);
    if (this.#older)
      return index > 0 ? "" : this.#chunk({ function_call: { name, arguments: "" } });
    const call = custom
      ? { index, id, type: "custom", custom: { name, input: "" } }
      : { index, id, type: "function", function: { name, arguments: "" } };
    return this.#chunk({ tool_calls: [{ ...call, ...extraContent(thought) }] });
  }

  #say(delta: string, logprobs: readonly JsonObject[] | undefined): string {
    this.#textChars += delta.length;
    const tokens = logprobs ? JSON.stringify({ content: logprobs, refusal: null }) : undefined;
    return this.#chunk({ content: delta }, tokens);
  }

  #think(delta: string): string {
    if (delta === "") return "";
    const text = this.#needsBreak ? REASONING_GAP + delta : delta;
    this.#needsBreak = false;
    this.#hasThought = true;
    return this.#chunk({ reasoning_content: text });
  }

  #argue(delta: string): string {
    if (!this.#call || delta === "") return "";
    const { index, custom } = this.#call;
    this.#call.told = true;
    if (this.#older) return index > 0 ? "" : this.#chunk({ function_call: { arguments: delta } });
    const inner = custom ? { custom: { input: delta } } : { function: { arguments: delta } };
    return this.#chunk({ tool_calls: [{ index, ...inner }] });
  }

  #annotate(annotation: JsonObject): string {
    const nested = nestedAnnotation(annotation, this.#messageStart);
    return nested ? this.#chunk({ annotations: [nested] }) : "";
  }

  #done(item: OutputItem): string {
    if (item.type === "reasoning") {
      this.#thought = item;
      if (item.sealed !== undefined) this.#details.push(sealedDetail(item.sealed));
      return this.#think(this.#visible.rest(item));
    }
    if (item.type !== "call" || !this.#call) return "";
    // Clients parse what they got; nothing at all is not JSON.
    const rest = item.arguments === "" && !item.custom ? "{}" : item.arguments;
    const text = this.#call.told ? "" : this.#argue(rest);
    this.#call = undefined;
    return text;
  }

  #end(ending: AnswerStatus, usage: Usage | undefined): string {
    // In one piece and last: some clients keep only the last they got of a member they do not know.
    const details = this.#details.length > 0 ? { reasoning_details: this.#details } : undefined;
    const state = details ? this.#chunk(details) : "";
    const reason = writeFinish(ending, this.#calls > 0, this.#older);
    const finish = this.#chunk({}, "null", JSON.stringify(reason));
    const counts = usage && JSON.stringify(writeChatUsage(usage));
    const counted = counts ? `${this.#head}],"usage":${counts}}\n\n` : "";
    return `${state}${finish}${counted}data: [DONE]\n\n`;
  }
}
