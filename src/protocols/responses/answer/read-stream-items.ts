import {
  type CanonEvent,
  isMadeSearch,
  type OutputItem,
  type Part,
  textPart,
} from "../../canon.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { text } from "../../optional.ts";
import { readOutputItem } from "../request/read-item.ts";
import { emptied, tail } from "./output-item.ts";

type Delta = Extract<
  CanonEvent,
  { readonly type: "text" | "refusal" | "summary" | "thinking" | "arguments" }
>;

/** An item on its way. */
interface Entry {
  readonly id: string | undefined;
  readonly opened: OutputItem;
  /** Its events so far, while an earlier item is still open. */
  readonly waiting: CanonEvent[];
  readonly texts: Record<Delta["type"], string>;
  readonly summary: string[];
  readonly annotations: JsonObject[];
  done: OutputItem | undefined;
}

export interface ReadState {
  readonly out: CanonEvent[];
  begun: boolean;
  ended: boolean;
  /** By the vendor's number of the item. */
  readonly places: Map<unknown, Entry>;
  /** Items in the order in which they began; only the first is told as it comes. */
  readonly line: Entry[];
  readonly finished: { readonly id: string | undefined; readonly item: OutputItem }[];
}

export function searchesSent({ finished }: ReadState): number {
  return finished.filter(({ item }) => isMadeSearch(item)).length;
}

function add(state: ReadState, place: unknown, raw: JsonObject): Entry {
  const entry: Entry = {
    id: text(raw.id),
    opened: emptied(readOutputItem(raw)),
    waiting: [],
    texts: { text: "", refusal: "", summary: "", thinking: "", arguments: "" },
    summary: [],
    annotations: [],
    done: undefined,
  };
  state.places.set(place, entry);
  state.line.push(entry);
  tell(state, entry, { type: "item", item: entry.opened });
  return entry;
}

function tell(state: ReadState, entry: Entry, event: CanonEvent): void {
  const told = state.line[0] === entry ? state.out : entry.waiting;
  told.push(event);
}

export function openItem(state: ReadState, event: JsonObject): void {
  if (isObject(event.item)) add(state, event.output_index, event.item);
}

/** What an item must be, for vendors that do not announce it before its first text. */
const IMPLIED: Readonly<Record<Delta["type"], JsonObject>> = {
  text: { type: "message" },
  refusal: { type: "message" },
  summary: { type: "reasoning" },
  thinking: { type: "reasoning" },
  arguments: { type: "function_call" },
};

function entryOf(state: ReadState, event: JsonObject): Entry | undefined {
  const entry = state.places.get(event.output_index);
  return entry?.done ? undefined : entry;
}

export function addDelta(state: ReadState, event: JsonObject, delta: Delta): void {
  if (delta.delta === "") return;
  const implied = () => ({ ...IMPLIED[delta.type], id: event.item_id, name: event.name });
  const entry = entryOf(state, event) ?? add(state, event.output_index, implied());
  note(entry, delta);
  tell(state, entry, delta);
}

function note(entry: Entry, delta: Delta): void {
  entry.texts[delta.type] += delta.delta;
  if (delta.type === "summary") {
    entry.summary[delta.part] = (entry.summary[delta.part] ?? "") + delta.delta;
  }
}

export function addAnnotation(state: ReadState, event: JsonObject): void {
  const entry = entryOf(state, event);
  if (!entry || !isObject(event.annotation)) return;
  entry.annotations.push(event.annotation);
  tell(state, entry, { type: "annotation", annotation: event.annotation });
}

function joined(parts: readonly Part[], type: "text" | "refusal"): string {
  return parts.map((part) => (part.type === type ? part.text : "")).join("");
}

/** The deltas that are missing to a whole item, for vendors that send few or none. */
function missingDeltas({ texts, summary }: Entry, item: OutputItem): Delta[] {
  const rest = (type: Exclude<Delta["type"], "summary">, whole: string): Delta[] => {
    const delta = tail(texts[type], whole);
    return delta === "" ? [] : [{ type, delta }];
  };
  if (item.type === "message") {
    const text = rest("text", joined(item.parts, "text"));
    return [...text, ...rest("refusal", joined(item.parts, "refusal"))];
  }
  if (item.type === "call") return rest("arguments", item.arguments);
  if (item.type !== "reasoning") return [];
  const summaries = item.summary.flatMap((whole, part): Delta[] => {
    const delta = tail(summary[part] ?? "", whole);
    return delta === "" ? [] : [{ type: "summary", delta, part }];
  });
  return [...summaries, ...rest("thinking", item.text ?? "")];
}

function missingAnnotations({ annotations }: Entry, item: OutputItem): JsonObject[] {
  if (item.type !== "message") return [];
  const whole = item.parts.flatMap((part) => (part.type === "text" && part.annotations) || []);
  return whole.slice(annotations.length);
}

function finish(state: ReadState, entry: Entry, item: OutputItem): void {
  for (const delta of missingDeltas(entry, item)) tell(state, entry, delta);
  for (const annotation of missingAnnotations(entry, item)) {
    tell(state, entry, { type: "annotation", annotation });
  }
  entry.done = item;
  advance(state);
}

/** Items that are done leave the line; the next one's events, kept until now, follow. */
function advance(state: ReadState): void {
  for (;;) {
    const entry = state.line[0];
    if (!entry?.done) return;
    state.out.push({ type: "item_done", item: entry.done });
    state.finished.push({ id: entry.id, item: entry.done });
    state.line.shift();
    const next = state.line[0];
    if (next) state.out.push(...next.waiting.splice(0));
  }
}

export function finishItem(state: ReadState, event: JsonObject): void {
  if (!isObject(event.item)) return;
  const entry = entryOf(state, event) ?? add(state, event.output_index, event.item);
  finish(state, entry, readOutputItem(event.item));
}

/** An item that was never said to be done, from its deltas. */
function assembled({ opened, texts, summary, annotations }: Entry): OutputItem {
  if (opened.type === "call") return { ...opened, arguments: texts.arguments };
  if (opened.type === "reasoning") {
    const thinking = texts.thinking ? { text: texts.thinking } : {};
    return { ...opened, summary: [...summary].map((part) => part ?? ""), ...thinking };
  }
  if (opened.type !== "message") return opened;
  const parts: Part[] = [];
  if (texts.text) parts.push(textPart(texts.text, annotations));
  if (texts.refusal) parts.push({ type: "refusal", text: texts.refusal });
  return { ...opened, parts };
}

/** At the end: items that are only in the final list, and those that were left open. */
export function finishRest(state: ReadState, output: unknown): void {
  const list = Array.isArray(output) ? output.filter(isObject) : [];
  list.forEach((raw, i) => {
    const known = state.places.get(i);
    const seen = state.finished.some(({ id }) => id !== undefined && id === raw.id);
    if (known?.done || seen) return;
    finish(state, known ?? add(state, i, raw), readOutputItem(raw));
  });
  for (const entry of [...state.line]) {
    if (!entry.done) finish(state, entry, assembled(entry));
  }
}
