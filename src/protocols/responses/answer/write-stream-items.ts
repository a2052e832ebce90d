import type { OutputItem, Part } from "../../canon.ts";
import type { JsonObject } from "../../fields.ts";
import type { CallIds } from "../../translation/tool-names.ts";
import {
  emptied,
  itemId,
  tail,
  withArguments,
  withDistinctId,
  writeOutputItem,
  writePart,
} from "./output-item.ts";

type PartType = "output_text" | "refusal" | "summary_text";

interface OpenPart {
  readonly type: PartType;
  /** Which of a summary's texts it is. */
  readonly number: number;
  /** Members that say where the part stands. */
  readonly at: string;
  text: string;
  readonly annotations: JsonObject[];
  readonly logprobs: JsonObject[];
}

interface OpenItem {
  /** As announced, and once it is done as the reader gave it. */
  item: OutputItem;
  readonly id: string;
  readonly index: number;
  readonly at: string;
  readonly parts: OpenPart[];
  /** Whether the last of the parts still grows. */
  partOpen: boolean;
  argumentText: string;
  /** Nothing more comes; only how it ended is not known yet. */
  filled: boolean;
}

export interface WriteState {
  written: string;
  sequence: number;
  readonly output: JsonObject[];
  readonly callIds: CallIds;
  open: OpenItem | undefined;
}

export function emit(state: WriteState, type: string, members: string): void {
  const number = state.sequence++;
  state.written += `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${members}}\n\n`;
}

export function openItem(state: WriteState, given: OutputItem): void {
  closeItem(state, "completed");
  const item = withDistinctId(given, state.callIds);
  const id = itemId(item);
  const index = state.output.length;
  const at = `"item_id":${JSON.stringify(id)},"output_index":${index}`;
  const started = JSON.stringify(writeOutputItem(emptied(item), id, "in_progress"));
  emit(state, "response.output_item.added", `"output_index":${index},"item":${started}`);
  if (item.type === "search") {
    emit(state, "response.web_search_call.in_progress", at);
    emit(state, "response.web_search_call.searching", at);
  }
  state.open = {
    item,
    id,
    index,
    at,
    parts: [],
    partOpen: false,
    argumentText: "",
    filled: false,
  };
}

function itemOf(state: WriteState, type: OutputItem["type"]): OpenItem {
  const { open } = state;
  if (open?.item.type !== type) throw new Error(`an event of a ${type} outside of one`);
  return open;
}

const EMPTY_PARTS: Readonly<Record<PartType, string>> = {
  output_text: '{"type":"output_text","annotations":[],"logprobs":[],"text":""}',
  refusal: '{"type":"refusal","refusal":""}',
  summary_text: '{"type":"summary_text","text":""}',
};

/** The open part, if it is the one that is meant; otherwise a new one behind it. */
function partOf(state: WriteState, open: OpenItem, type: PartType, number: number): OpenPart {
  const last = open.parts.at(-1);
  if (open.partOpen && last?.type === type && last.number === number) return last;
  closePart(state, open);
  const summary = type === "summary_text";
  const index = open.parts.length;
  const at = `${open.at},"${summary ? "summary" : "content"}_index":${index}`;
  const part: OpenPart = { type, number, at, text: "", annotations: [], logprobs: [] };
  open.parts.push(part);
  open.partOpen = true;
  const name = summary ? "reasoning_summary_part" : "content_part";
  emit(state, `response.${name}.added`, `${at},"part":${EMPTY_PARTS[type]}`);
  return part;
}

export function writeText(state: WriteState, delta: string, logprobs?: readonly JsonObject[]) {
  if (delta === "") return;
  const part = partOf(state, itemOf(state, "message"), "output_text", 0);
  part.text += delta;
  const chances = logprobs ? JSON.stringify(logprobs) : "[]";
  if (logprobs) part.logprobs.push(...logprobs);
  const members = `${part.at},"delta":${JSON.stringify(delta)},"logprobs":${chances}`;
  emit(state, "response.output_text.delta", members);
}

export function writeRefusal(state: WriteState, delta: string): void {
  if (delta === "") return;
  const part = partOf(state, itemOf(state, "message"), "refusal", 0);
  part.text += delta;
  emit(state, "response.refusal.delta", `${part.at},"delta":${JSON.stringify(delta)}`);
}

/** A text of a summary by its number; what a model thinks beside it has a number of its own. */
export function writeSummary(state: WriteState, delta: string, number: number): void {
  if (delta === "") return;
  const part = partOf(state, itemOf(state, "reasoning"), "summary_text", number);
  part.text += delta;
  const members = `${part.at},"delta":${JSON.stringify(delta)}`;
  emit(state, "response.reasoning_summary_text.delta", members);
}

export const THINKING = -1;

export function writeArguments(state: WriteState, delta: string): void {
  if (delta === "") return;
  const open = itemOf(state, "call");
  open.argumentText += delta;
  const custom = open.item.type === "call" && open.item.custom;
  const name = custom ? "custom_tool_call_input" : "function_call_arguments";
  emit(state, `response.${name}.delta`, `${open.at},"delta":${JSON.stringify(delta)}`);
}

export function writeAnnotation(state: WriteState, annotation: JsonObject): void {
  const part = partOf(state, itemOf(state, "message"), "output_text", 0);
  const place = `${part.at},"annotation_index":${part.annotations.length}`;
  part.annotations.push(annotation);
  const members = `${place},"annotation":${JSON.stringify(annotation)}`;
  emit(state, "response.output_text.annotation.added", members);
}

function canonPart({ type, text, annotations, logprobs }: OpenPart): Part {
  return type === "refusal" ? { type, text } : { type: "text", text, annotations, logprobs };
}

function closePart(state: WriteState, open: OpenItem): void {
  const part = open.parts.at(-1);
  if (!part || !open.partOpen) return;
  open.partOpen = false;
  const { type, at } = part;
  const text = JSON.stringify(part.text);
  if (type === "summary_text") {
    emit(state, "response.reasoning_summary_text.done", `${at},"text":${text}`);
    const whole = `{"type":"summary_text","text":${text}}`;
    emit(state, "response.reasoning_summary_part.done", `${at},"part":${whole}`);
    return;
  }
  const isText = type === "output_text";
  const chances = JSON.stringify(part.logprobs);
  const told = isText ? `"text":${text},"logprobs":${chances}` : `"refusal":${text}`;
  emit(state, `response.${isText ? "output_text" : "refusal"}.done`, `${at},${told}`);
  const whole = JSON.stringify(writePart(canonPart(part))[0]);
  emit(state, "response.content_part.done", `${at},"part":${whole}`);
}

/** What was announced and told, as one item: the end must be equal to its deltas. */
function toldItem({ item, parts, argumentText }: OpenItem): OutputItem {
  if (item.type === "message") return { ...item, parts: parts.map(canonPart) };
  if (item.type === "call") return { ...item, arguments: argumentText };
  if (item.type !== "reasoning") return item;
  const { text: _text, ...names } = item;
  return { ...names, summary: parts.map((part) => part.text) };
}

function fillMessage(state: WriteState, open: OpenItem, parts: readonly Part[]): void {
  const told = (type: PartType) =>
    open.parts.map((part) => (part.type === type ? part.text : "")).join("");
  const whole = (type: Part["type"]) =>
    parts.map((part) => (part.type === type && "text" in part ? part.text : "")).join("");
  writeText(state, tail(told("output_text"), whole("text")));
  const annotations = parts.flatMap((part) => (part.type === "text" && part.annotations) || []);
  const toldCount = open.parts.reduce((count, part) => count + part.annotations.length, 0);
  for (const annotation of annotations.slice(toldCount)) writeAnnotation(state, annotation);
  writeRefusal(state, tail(told("refusal"), whole("refusal")));
}

/** Tells what the whole item holds beyond its deltas. */
export function fillItem(state: WriteState, whole: OutputItem): void {
  const { open } = state;
  if (!open || open.filled || open.item.type !== whole.type) return;
  open.item = whole.type === "call" ? { ...whole, ...callName(open) } : whole;
  if (whole.type === "message") fillMessage(state, open, whole.parts);
  if (whole.type === "reasoning" && open.parts.length === 0) {
    whole.summary.forEach((text, i) => {
      writeSummary(state, text, i);
    });
    writeSummary(state, whole.text ?? "", THINKING);
  }
  if (whole.type === "call") {
    const filled = withArguments(whole);
    const { arguments: text } = filled.type === "call" ? filled : whole;
    writeArguments(state, tail(open.argumentText, text));
  }
  finishContent(state, open);
}

/** A call keeps the id and the names by which it was announced. */
function callName({ item }: OpenItem): object {
  if (item.type !== "call") return {};
  const { arguments: _arguments, ...names } = item;
  return names;
}

function finishContent(state: WriteState, open: OpenItem): void {
  open.filled = true;
  closePart(state, open);
  const { item, at } = open;
  if (item.type === "search" && item.status === "completed") {
    emit(state, "response.web_search_call.completed", at);
  }
  if (item.type !== "call") return;
  const text = JSON.stringify(open.argumentText);
  if (item.custom) {
    emit(state, "response.custom_tool_call_input.done", `${at},"input":${text}`);
    return;
  }
  const name = JSON.stringify(item.name);
  emit(state, "response.function_call_arguments.done", `${at},"name":${name},"arguments":${text}`);
}

/** The open item is over, well or early. */
export function closeItem(state: WriteState, status: "completed" | "incomplete"): void {
  const { open } = state;
  if (!open) return;
  if (!open.filled) finishContent(state, open);
  const item = writeOutputItem(toldItem(open), open.id, status);
  state.output.push(item);
  state.open = undefined;
  const members = `"output_index":${open.index},"item":${JSON.stringify(item)}`;
  emit(state, "response.output_item.done", members);
}
