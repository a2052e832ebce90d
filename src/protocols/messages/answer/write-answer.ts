import { newId } from "../../../lib/ids.ts";
import type {
  Answer,
  AnswerStatus,
  CanonEvent,
  MessageItem,
  OutputItem,
  ReasoningItem,
  SearchItem,
} from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import type { Usage } from "../../usage.ts";
import { VisibleReasoningStream } from "../../visible-reasoning.ts";
import type { AnswerOptions, AnswerWriter } from "../../wire.ts";
import { messagesError } from "../faults.ts";
import { callInput, inputText } from "../request/call-input.ts";
import { showThinking } from "../request/reasoning.ts";
import { AnswerToolIds } from "../request/tool-ids.ts";
import { writeSearch } from "../searches.ts";
import { writeMessagesUsage } from "../usage.ts";
import { writeCitation } from "./citations.ts";
import { writeStopReason } from "./stop-reasons.ts";

/** Clients know the ids of this wire by their beginning. */
function messageId(id: string | undefined): string {
  return id?.startsWith("msg_") ? id : newId("msg_");
}

function head(id: string | undefined, model: string): JsonObject {
  return { id: messageId(id), type: "message", role: "assistant", model };
}

function stopOf(status: AnswerStatus, hasCalls: boolean): JsonObject {
  const stop_reason = writeStopReason(status, hasCalls);
  return { stop_reason, stop_sequence: status.stopSequence ?? null };
}

function textBlocks({ parts }: MessageItem): JsonObject[] {
  return parts.flatMap((part) => {
    if ((part.type !== "text" && part.type !== "refusal") || part.text === "") return [];
    const annotations = part.type === "text" ? (part.annotations ?? []) : [];
    const citations = annotations.flatMap((annotation) => writeCitation(annotation) ?? []);
    return [{ type: "text", text: part.text, ...(citations.length > 0 ? { citations } : {}) }];
  });
}

function blocksOf(item: OutputItem, ids: AnswerToolIds): JsonObject[] {
  switch (item.type) {
    case "message":
      return textBlocks(item);
    case "reasoning": {
      const block = showThinking(item);
      return block ? [block] : [];
    }
    case "call": {
      const id = ids.next(item.callId);
      return [{ type: "tool_use", id, name: item.name, input: callInput(item) }];
    }
    case "search": {
      const { use, result } = writeSearch(item);
      return [use, result];
    }
    default:
      return [];
  }
}

/** A whole answer as a vendor of this wire would write it. */
export function writeMessagesAnswer(answer: Answer, { model }: AnswerOptions): JsonObject {
  const hasCalls = answer.items.some(({ type }) => type === "call");
  const ids = new AnswerToolIds();
  return {
    ...head(answer.id, model),
    content: answer.items.flatMap((item) => blocksOf(item, ids)),
    ...stopOf(answer, hasCalls),
    ...(answer.usage ? { usage: writeMessagesUsage(answer.usage) } : {}),
  };
}

const EMPTY_TEXT = { type: "text", text: "" };
const EMPTY_THOUGHT = { type: "thinking", thinking: "", signature: "" };

function event(type: string, members: JsonObject = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** Writes the events of an answer as a vendor of this wire would stream them. */
export class MessagesWriter implements AnswerWriter {
  readonly #model: string;
  readonly #ids = new AnswerToolIds();
  #began = false;
  #hasCalls = false;
  /** The number of the open block, or of the next. */
  #index = 0;
  #isOpen = false;
  #visible = new VisibleReasoningStream();
  #hasText = false;
  /** Arguments that are no object, and free text, are made one when they are whole. */
  #isWaiting = false;

  constructor({ model }: AnswerOptions) {
    this.#model = model;
  }

  write(canon: CanonEvent): string {
    switch (canon.type) {
      case "begin":
        return this.#begin(canon.id);
      case "item":
        return this.#begin(undefined) + this.#openItem(canon.item);
      case "text":
      case "refusal":
        return this.#delta(EMPTY_TEXT, { type: "text_delta", text: canon.delta });
      case "summary":
        return this.#think(this.#visible.add("summary", canon.delta, canon.part));
      case "thinking":
        return this.#think(this.#visible.add("thinking", canon.delta));
      case "arguments":
        return this.#argue(canon.delta);
      case "annotation":
        return this.#cite(canon.annotation);
      case "item_done":
        return this.#closeItem(canon.item);
      case "end":
        return this.#begin(undefined) + this.#closeBlock() + this.#end(canon, canon.usage);
      case "failed":
        return event("error", { error: messagesError(canon.fault).error });
      default:
        return "";
    }
  }

  #begin(id: string | undefined): string {
    if (this.#began) return "";
    this.#began = true;
    const message = {
      ...head(id, this.#model),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      // Other wires count at the end, where this one says it again; until then the filter has an estimate.
      usage: { input_tokens: 0, output_tokens: 0 },
    };
    return event("message_start", { message });
  }

  #openItem(item: OutputItem): string {
    const closed = this.#closeBlock();
    this.#visible = new VisibleReasoningStream();
    this.#hasText = false;
    if (item.type !== "call") return closed;
    this.#hasCalls = true;
    this.#isWaiting = item.custom;
    const id = this.#ids.next(item.callId);
    return closed + this.#open({ type: "tool_use", id, name: item.name, input: {} });
  }

  #open(content_block: JsonObject): string {
    this.#isOpen = true;
    return event("content_block_start", { index: this.#index, content_block });
  }

  #closeBlock(): string {
    if (!this.#isOpen) return "";
    this.#isOpen = false;
    return event("content_block_stop", { index: this.#index++ });
  }

  /** A delta of the open block; a block opens with its first, since an empty one says nothing. */
  #delta(block: JsonObject, delta: JsonObject): string {
    const opened = this.#isOpen ? "" : this.#open(block);
    this.#hasText = true;
    return opened + event("content_block_delta", { index: this.#index, delta });
  }

  #think(thinking: string): string {
    if (thinking === "") return "";
    return this.#delta(EMPTY_THOUGHT, { type: "thinking_delta", thinking });
  }

  #argue(delta: string): string {
    // Until it begins with something, it may be anything.
    const text = this.#hasText ? delta : delta.trimStart();
    if (!this.#hasText && text !== "" && !text.startsWith("{")) this.#isWaiting = true;
    return this.#isWaiting ? "" : this.#addArguments(text);
  }

  #addArguments(partial_json: string): string {
    if (partial_json === "" || !this.#isOpen) return "";
    this.#hasText = true;
    const delta = { type: "input_json_delta", partial_json };
    return event("content_block_delta", { index: this.#index, delta });
  }

  #cite(annotation: JsonObject): string {
    const citation = writeCitation(annotation);
    if (!citation || !this.#isOpen) return "";
    return this.#delta(EMPTY_TEXT, { type: "citations_delta", citation });
  }

  #closeItem(item: OutputItem): string {
    switch (item.type) {
      case "message":
        return this.#closeMessage(item);
      case "reasoning":
        return this.#closeThought(item);
      case "call":
        return (this.#hasText ? "" : this.#addArguments(inputText(item))) + this.#closeBlock();
      case "search":
        return this.#closeBlock() + this.#search(item);
      default:
        return this.#closeBlock();
    }
  }

  /** A vendor may tell an item only when it is done. */
  #closeMessage(item: MessageItem): string {
    if (this.#hasText) return this.#closeBlock();
    const blocks = textBlocks(item).map(({ text }) =>
      this.#delta(EMPTY_TEXT, { type: "text_delta", text }),
    );
    return blocks.join("") + this.#closeBlock();
  }

  #closeThought(item: ReasoningItem): string {
    const block = showThinking(item);
    if (!block) return this.#closeBlock();
    // A vendor may tell a thought, or a part of it, only when it is done.
    const late = this.#think(this.#visible.rest(item));
    const delta = { type: "signature_delta", signature: block.signature };
    return late + this.#delta(EMPTY_THOUGHT, delta) + this.#closeBlock();
  }

  #search(item: SearchItem): string {
    const { use, result } = writeSearch(item);
    const partial_json = JSON.stringify(use.input);
    return (
      this.#open({ ...use, input: {} }) +
      this.#addArguments(partial_json) +
      this.#closeBlock() +
      this.#open(result) +
      this.#closeBlock()
    );
  }

  #end(status: AnswerStatus, usage: Usage | undefined): string {
    const delta = stopOf(status, this.#hasCalls);
    const counts = usage ? { usage: writeMessagesUsage(usage) } : {};
    return event("message_delta", { delta, ...counts }) + event("message_stop");
  }
}
