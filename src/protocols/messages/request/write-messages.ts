import {
  type CallItem,
  type Conversation,
  type Item,
  type MessageItem,
  type Part,
  type ReasoningItem,
  type ResultItem,
  splitSystem,
  spokenText,
} from "../../canon.ts";
import { DROPPED_REASONING, droppedReasoning } from "../../dropped-reasoning.ts";
import type { JsonObject } from "../../fields.ts";
import { Results } from "../../results.ts";
import { flatName } from "../../translation/tool-names.ts";
import { writeFile, writeImage } from "../answer/sources.ts";
import { callInput } from "./call-input.ts";
import { restoreThinking } from "./reasoning.ts";
import { ToolIds } from "./tool-ids.ts";

export interface WrittenMessage {
  readonly role: "user" | "assistant";
  readonly content: JsonObject[];
}

const ABORTED = "The call was aborted before the tool returned anything.";
const ASSISTANT_FIRST = "(The conversation begins with the assistant.)";

/** The vendor refuses texts that say nothing. */
function textBlocks(text: string): JsonObject[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

function writePart(part: Part): JsonObject[] {
  switch (part.type) {
    case "image":
      return [writeImage(part)];
    case "file":
      return [writeFile(part)];
    default:
      return textBlocks(part.text);
  }
}

function writeResult(id: string, result: ResultItem | undefined): JsonObject {
  const head = { type: "tool_result", tool_use_id: id };
  if (!result) return { ...head, content: ABORTED, is_error: true };
  const content = result.parts.flatMap(writePart);
  const isPlain = content.length === 1 && content[0]?.type === "text";
  return {
    ...head,
    ...(content.length === 0 ? {} : { content: isPlain ? content[0]?.text : content }),
    ...(result.failed ? { is_error: true } : {}),
  };
}

function isThought(block: JsonObject | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}

/**
 * Items as turns that alternate. What the assistant says, thinks and calls until someone else has
 * the word is one turn; the results of all its calls come first in the turn behind it, wherever they
 * stand among the items.
 */
class SpokenMessages {
  readonly messages: WrittenMessage[] = [];
  readonly dropped: string[];
  readonly #ids = new ToolIds();
  readonly #results: Results;
  readonly #called = new Set<string>();
  #assistant: JsonObject[] = [];
  #calls: { readonly id: string; readonly callId: string }[] = [];

  constructor(items: readonly Item[], dropped: string[]) {
    this.dropped = dropped;
    for (const item of items) {
      if (item.type === "call") this.#called.add(item.callId);
    }
    this.#results = new Results(items);
  }

  add(item: Item): void {
    if (item.type === "message") this.#addMessage(item);
    else if (item.type === "call") this.#addCall(item);
    else if (item.type === "result") this.#addResult(item);
    else if (item.type === "reasoning") this.#addThought(item);
    else if (item.type === "foreign") this.dropped.push(`input.${String(item.raw.type)}`);
    // What a search found is in the words that follow it; the vendor's own copy is not here.
  }

  #addMessage({ role, parts }: MessageItem): void {
    if (role === "assistant") {
      const said = parts.filter((part) => part.type === "text" || part.type === "refusal");
      if (said.length < parts.length) this.dropped.push("input.attachments");
      this.#assistant.push(...said.flatMap(writePart));
      return;
    }
    if (role === "user") {
      this.say(parts.flatMap(writePart));
      return;
    }
    const text = spokenText(parts, "\n");
    this.say(text.trim() === "" ? [] : textBlocks(`<system>\n${text}\n</system>`));
  }

  #addCall(call: CallItem): void {
    const id = this.#ids.next(call.callId);
    this.#calls.push({ id, callId: call.callId });
    this.#assistant.push({ type: "tool_use", id, name: flatName(call), input: callInput(call) });
  }

  #addResult(result: ResultItem): void {
    this.closeAssistant();
    // One with a call has its place behind that call; without one it can only be told.
    if (this.#called.has(result.callId)) return;
    const told = textBlocks(`Result of the tool call ${result.callId}:`);
    this.say([...told, ...result.parts.flatMap(writePart)]);
  }

  #addThought(item: ReasoningItem): void {
    const block = restoreThinking(item.sealed);
    if (block) this.#assistant.push(block);
    else this.dropped.push(...droppedReasoning([item]));
  }

  /** What the user has to say, in one turn with what was said before. */
  say(blocks: readonly JsonObject[]): void {
    this.closeAssistant();
    this.#push("user", blocks);
  }

  closeAssistant(): void {
    // A turn cannot end in a thought.
    while (isThought(this.#assistant.at(-1))) {
      this.#assistant.pop();
      this.dropped.push(DROPPED_REASONING);
    }
    const calls = this.#calls;
    this.#push("assistant", this.#assistant);
    this.#assistant = [];
    this.#calls = [];
    const results = calls.map(({ id, callId }) => writeResult(id, this.#results.take(callId)));
    this.#push("user", results);
  }

  #push(role: "user" | "assistant", blocks: readonly JsonObject[]): void {
    if (blocks.length === 0) return;
    const last = this.messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else this.messages.push({ role, content: [...blocks] });
  }
}

/** The vendor refuses an answer to be continued that ends in space. */
function trimmed(messages: WrittenMessage[]): void {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role !== "assistant" || typeof block?.text !== "string") return;
  last.content[last.content.length - 1] = { ...block, text: block.text.trimEnd() };
}

interface WrittenMessages {
  readonly system: string;
  readonly messages: readonly WrittenMessage[];
}

export function writeMessages(conversation: Conversation, dropped: string[]): WrittenMessages {
  const { instructions, items } = conversation;
  const { leading, rest } = splitSystem(items);
  const texts = [instructions ?? "", ...leading.map(({ parts }) => spokenText(parts, "\n"))];
  const system = texts.filter((text) => text.trim() !== "").join("\n\n");
  const turns = new SpokenMessages(items, dropped);
  for (const item of rest) turns.add(item);
  turns.closeAssistant();
  const { messages } = turns;
  // Someone has to have said something: alone, the system's words are the user's.
  if (messages.length === 0) {
    return { system: "", messages: [{ role: "user", content: [{ type: "text", text: system }] }] };
  }
  if (messages[0]?.role === "assistant") {
    messages.unshift({ role: "user", content: [{ type: "text", text: ASSISTANT_FIRST }] });
  }
  trimmed(messages);
  return { system, messages };
}
