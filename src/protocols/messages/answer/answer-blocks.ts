import { type AnswerStatus, type CanonEvent, type OutputItem, textPart } from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectOf, textOf } from "../../optional.ts";
import { readRedacted, readVendorThinking } from "../request/reasoning.ts";
import { queryOf, readSearch } from "../searches.ts";
import { readCitation } from "./citations.ts";

/** A block as it comes. One of a kind that is not known has no deltas that matter. */
interface OpenBlock {
  readonly type: string;
  readonly start: JsonObject;
  /** Text, thinking or JSON so far. */
  text: string;
  signature: string;
  readonly citations: JsonObject[];
}

/** Blocks of text that follow one another are one message. */
interface OpenMessage {
  text: string;
  readonly annotations: JsonObject[];
}

export interface AnswerState {
  readonly out: CanonEvent[];
  usage: JsonObject | undefined;
  /** Whether an event behind the first said how much was written. */
  outputCounted: boolean;
  block: OpenBlock | undefined;
  message: OpenMessage | undefined;
  /** Queries of searches whose results have not come yet. */
  readonly queries: Map<unknown, string>;
  stop: { readonly status: AnswerStatus; readonly explanation: string } | undefined;
  over: boolean;
}

function whole(state: AnswerState, opened: OutputItem, done: OutputItem): void {
  state.out.push({ type: "item", item: opened }, { type: "item_done", item: done });
}

export function closeMessage(state: AnswerState): void {
  const { message, out } = state;
  if (!message) return;
  state.message = undefined;
  const part = textPart(message.text, message.annotations);
  out.push({ type: "item_done", item: { type: "message", role: "assistant", parts: [part] } });
}

/** Opened only once there is text: an empty message says nothing. */
function addText(state: AnswerState, delta: string): void {
  if (delta === "") return;
  if (!state.message) {
    state.message = { text: "", annotations: [] };
    state.out.push({ type: "item", item: { type: "message", role: "assistant", parts: [] } });
  }
  state.message.text += delta;
  state.out.push({ type: "text", delta });
}

function addArguments(state: AnswerState, delta: string): void {
  if (delta !== "") state.out.push({ type: "arguments", delta });
}

function addSummary(state: AnswerState, delta: string): void {
  if (delta !== "") state.out.push({ type: "summary", delta, part: 0 });
}

interface BlockKind {
  readonly open?: (state: AnswerState, block: OpenBlock) => void;
  readonly add?: (state: AnswerState, delta: string) => void;
  readonly close: (state: AnswerState, block: OpenBlock) => void;
}

const TEXT: BlockKind = {
  open: (state, block) => {
    block.text = textOf(block.start.text);
    addText(state, block.text);
    if (Array.isArray(block.start.citations)) {
      block.citations.push(...block.start.citations.filter(isObject));
    }
  },
  add: addText,
  close: (state, block) => {
    const { message } = state;
    if (!message) return;
    const end = message.text.length;
    for (const citation of block.citations) {
      const annotation = readCitation(citation, end - block.text.length, end);
      message.annotations.push(annotation);
      state.out.push({ type: "annotation", annotation });
    }
  },
};

const THINKING: BlockKind = {
  open: (state, block) => {
    closeMessage(state);
    block.text = textOf(block.start.thinking);
    block.signature = textOf(block.start.signature);
    state.out.push({ type: "item", item: { type: "reasoning", summary: [] } });
    addSummary(state, block.text);
  },
  add: addSummary,
  close: (state, { text, signature }) => {
    state.out.push({ type: "item_done", item: readVendorThinking(text, signature) });
  },
};

const REDACTED: BlockKind = {
  close: (state, { start }) => {
    closeMessage(state);
    whole(state, { type: "reasoning", summary: [] }, readRedacted(start.data));
  },
};

function callOf({ start, text }: OpenBlock): OutputItem {
  return {
    type: "call",
    callId: textOf(start.id),
    name: textOf(start.name),
    custom: false,
    arguments: text,
  };
}

const TOOL_USE: BlockKind = {
  open: (state, block) => {
    closeMessage(state);
    state.out.push({ type: "item", item: callOf(block) });
  },
  add: addArguments,
  close: (state, block) => {
    if (block.text === "") {
      // A call without arguments has no deltas, and a whole answer has them in one piece.
      block.text = JSON.stringify(objectOf(block.start.input));
      addArguments(state, block.text);
    }
    state.out.push({ type: "item_done", item: callOf(block) });
  },
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SEARCH: BlockKind = {
  close: (state, { start, text }) => {
    if (start.name !== "web_search") return;
    state.queries.set(start.id, queryOf(start.input) || queryOf(parsed(text)));
  },
};

const SEARCH_RESULT: BlockKind = {
  close: (state, { start }) => {
    closeMessage(state);
    const item = readSearch(start, state.queries.get(start.tool_use_id) ?? "");
    const id = item.id === undefined ? {} : { id: item.id };
    whole(state, { type: "search", ...id, status: "in_progress" }, item);
  },
};

const KINDS = new Map<string, BlockKind>([
  ["text", TEXT],
  ["thinking", THINKING],
  ["redacted_thinking", REDACTED],
  ["tool_use", TOOL_USE],
  ["server_tool_use", SEARCH],
  ["web_search_tool_result", SEARCH_RESULT],
]);

export function closeBlock(state: AnswerState): void {
  const { block } = state;
  state.block = undefined;
  if (block) KINDS.get(block.type)?.close(state, block);
}

export function openBlock(state: AnswerState, start: JsonObject): void {
  closeBlock(state);
  const block = { type: textOf(start.type), start, text: "", signature: "", citations: [] };
  state.block = block;
  KINDS.get(block.type)?.open?.(state, block);
}

/** Which member of a delta goes on with the text of its block. */
const GROWING = new Map<unknown, string>([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["input_json_delta", "partial_json"],
]);

export function growBlock(state: AnswerState, delta: JsonObject): void {
  const { block } = state;
  if (!block) return;
  if (delta.type === "signature_delta") block.signature = textOf(delta.signature);
  else if (delta.type === "citations_delta") block.citations.push(objectOf(delta.citation));
  const member = GROWING.get(delta.type);
  if (member === undefined) return;
  const text = textOf(delta[member]);
  block.text += text;
  KINDS.get(block.type)?.add?.(state, text);
}
