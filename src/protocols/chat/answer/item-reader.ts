import {
  type CanonEvent,
  type MessageItem,
  type Part,
  type ReasoningItem,
  textPart,
} from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { mergeDetails, sealDetails, visibleThinking } from "../reasoning-state.ts";
import { flatAnnotation, placedFrom } from "./annotations.ts";
import { CallReader } from "./call-reader.ts";

interface OpenMessage {
  readonly type: "message";
  text: string;
  refusal: string;
  readonly annotations: JsonObject[];
  readonly logprobs: JsonObject[];
}

interface OpenReasoning {
  readonly type: "reasoning";
  text: string;
}

const EMPTY_MESSAGE: MessageItem = { type: "message", role: "assistant", parts: [] };
const EMPTY_THOUGHT: ReasoningItem = { type: "reasoning", summary: [] };

/** Content that some vendors write as parts: what is said, and what is only thought. */
function contentTexts(content: unknown): { said: string; thought: string } {
  if (typeof content === "string") return { said: content, thought: "" };
  const texts = { said: "", thought: "" };
  if (!Array.isArray(content)) return texts;
  for (const part of content) {
    if (!isObject(part)) continue;
    if (part.type === "thinking") texts.thought += contentTexts(part.thinking).said;
    else if (typeof part.text === "string") texts.said += part.text;
  }
  return texts;
}

function messageParts(open: OpenMessage): Part[] {
  const { text, refusal, annotations, logprobs } = open;
  const parts: Part[] = [];
  if (text !== "") parts.push(textPart(text, annotations, logprobs));
  if (refusal !== "") parts.push({ type: "refusal", text: refusal });
  return parts;
}

/** The deltas of one choice → items, each told in full before the next begins. */
export class ItemReader {
  readonly #calls = new CallReader();
  #events: CanonEvent[] = [];
  #open: OpenMessage | OpenReasoning | undefined;
  #details: JsonObject[] = [];
  /** What came between the pieces of an unfinished call. */
  #deferred: (() => void)[] = [];
  /** Sources that came while no message was open: they go with the next. */
  #sources: JsonObject[] = [];
  /** Space behind a call, which is told with the text that follows, if any does. */
  #space = "";
  /** How much has been said in messages that are done. */
  #saidChars = 0;
  /** The vendor has shown where it found something. */
  searched = false;
  /** Whether anything has been told. */
  started = false;

  /** The events that one delta brings. */
  read(delta: JsonObject, logprobs: unknown): CanonEvent[] {
    const { said, thought } = contentTexts(delta.content);
    mergeDetails(this.#details, delta);
    this.#think(visibleThinking(delta) || thought);
    this.#say(said, logprobs);
    this.#refuse(typeof delta.refusal === "string" ? delta.refusal : "");
    if (Array.isArray(delta.annotations)) this.#annotate(delta.annotations);
    if (Array.isArray(delta.tool_calls)) this.#call(delta.tool_calls);
    // The older form: one call, without an id.
    if (isObject(delta.function_call)) this.#call([{ index: 0, function: delta.function_call }]);
    return this.#taken();
  }

  /** The end of all items. */
  finish(): CanonEvent[] {
    this.#events.push(...this.#calls.finish());
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const run of deferred) run();
    this.#close();
    return this.#taken();
  }

  #taken(): CanonEvent[] {
    const events = this.#events;
    this.#events = [];
    this.started ||= events.length > 0;
    return events;
  }

  /** Runs when no call is open; what comes amid one waits. */
  #whenFree(run: () => void): void {
    if (this.#calls.isOpen) this.#events.push(...this.#calls.advance(true));
    if (this.#calls.isOpen) this.#deferred.push(run);
    else run();
  }

  #think(text: string): void {
    // State without text is a thought too, unless the answer has already gone on.
    if (text === "" && (this.#details.length === 0 || this.#open || this.#calls.hasCalls)) return;
    this.#whenFree(() => {
      const open = this.#thought();
      if (text === "") return;
      open.text += text;
      this.#events.push({ type: "thinking", delta: text });
    });
  }

  #say(delta: string, logprobs: unknown): void {
    if (delta === "") return;
    // Behind calls, some vendors write a line break and nothing else.
    if (this.#calls.hasCalls && delta.trim() === "") {
      this.#space += delta;
      return;
    }
    const text = this.#space + delta;
    this.#space = "";
    this.#whenFree(() => {
      const open = this.#message();
      open.text += text;
      const tokens = isObject(logprobs) && Array.isArray(logprobs.content) ? logprobs.content : [];
      const known = tokens.filter(isObject);
      open.logprobs.push(...known);
      const more = known.length > 0 ? { logprobs: known } : {};
      this.#events.push({ type: "text", delta: text, ...more });
      this.#cite(open);
    });
  }

  #refuse(text: string): void {
    if (text === "") return;
    this.#whenFree(() => {
      this.#message().refusal += text;
      this.#events.push({ type: "refusal", delta: text });
    });
  }

  #annotate(annotations: readonly unknown[]): void {
    for (const each of annotations) {
      const annotation = flatAnnotation(each);
      if (!annotation) continue;
      this.searched = true;
      this.#sources.push(annotation);
    }
    if (this.#open?.type === "message") this.#cite(this.#open);
  }

  /** The wire counts places in all that is said, the shared form in each message. */
  #cite(open: OpenMessage): void {
    if (this.#sources.length === 0) return;
    for (const source of this.#sources) {
      const annotation = placedFrom(source, this.#saidChars);
      open.annotations.push(annotation);
      this.#events.push({ type: "annotation", annotation });
    }
    this.#sources = [];
  }

  #call(pieces: readonly unknown[]): void {
    for (const piece of pieces) if (isObject(piece)) this.#calls.add(piece);
    if (!this.#calls.isOpen) return;
    this.#close();
    this.#events.push(...this.#calls.advance(false));
  }

  #thought(): OpenReasoning {
    if (this.#open?.type === "reasoning") return this.#open;
    this.#close();
    const open: OpenReasoning = { type: "reasoning", text: "" };
    this.#open = open;
    this.#events.push({ type: "item", item: EMPTY_THOUGHT });
    return open;
  }

  #message(): OpenMessage {
    if (this.#open?.type === "message") return this.#open;
    this.#close();
    const open: OpenMessage = {
      type: "message",
      text: "",
      refusal: "",
      annotations: [],
      logprobs: [],
    };
    this.#open = open;
    this.#events.push({ type: "item", item: EMPTY_MESSAGE });
    return open;
  }

  #close(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    if (open.type === "message") {
      this.#saidChars += open.text.length;
      this.#events.push({
        type: "item_done",
        item: { ...EMPTY_MESSAGE, parts: messageParts(open) },
      });
      return;
    }
    const text = open.text === "" ? {} : { text: open.text };
    const item = { ...EMPTY_THOUGHT, ...text, ...sealDetails(this.#details) };
    this.#details = [];
    this.#events.push({ type: "item_done", item });
  }
}
