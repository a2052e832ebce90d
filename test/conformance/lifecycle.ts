// The order in which a Responses stream may speak, as a table of small rules over an explicit state.
import { isDeepStrictEqual } from "node:util";
import type { Frame, Json } from "./frames.ts";
import { type Snapshot, snapshotShape } from "./snapshot.ts";

/** A part of the open item that is being written: a text or a summary. */
interface OpenPart {
  readonly kind: "content" | "summary";
  readonly index: number;
  text: string;
  readonly annotations: unknown[];
  textDone: boolean;
}

interface OpenItem {
  readonly item: Json;
  readonly index: number;
  readonly content: unknown[];
  readonly summary: unknown[];
  part: OpenPart | undefined;
  /** Arguments of a function or the input of a custom tool. */
  argumentText: string;
  argumentsDone: boolean;
  searchPhase: number;
}

interface State {
  phase: "idle" | "created" | "in_progress" | "ended";
  sequence: number;
  first: Snapshot | undefined;
  errorSeen: Json | undefined;
  open: OpenItem | undefined;
  readonly done: Json[];
  readonly names: Set<unknown>;
  readonly problems: string[];
}

/** Says what is wrong when a condition does not hold. */
function want(state: State, holds: boolean, problem: string): void {
  if (!holds) state.problems.push(`event ${state.sequence}: ${problem}`);
}

function readSnapshot(state: State, event: Json): Snapshot | undefined {
  const { data, error } = snapshotShape.safeParse(event.response);
  if (!data) {
    want(state, false, `${event.type}: ${error.message}`);
    return undefined;
  }
  state.first ??= data;
  const { first } = state;
  for (const name of ["id", "model", "created_at", "store", "previous_response_id"] as const) {
    want(state, data[name] === first[name], `${name} changed to ${data[name]}`);
  }
  return data;
}

function textOf(items: readonly Json[]): string {
  return items
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) => content as Json[])
    .map(({ type, text }) => (type === "output_text" ? String(text) : ""))
    .join("");
}

function begin(from: State["phase"], to: State["phase"]): Rule {
  return (state, event) => {
    want(state, state.phase === from, `${event.type} while ${state.phase}`);
    state.phase = to;
    const snapshot = readSnapshot(state, event);
    want(state, snapshot?.status === "in_progress", "status is not in_progress");
    want(state, snapshot?.output.length === 0, "output is not empty yet");
    want(state, snapshot?.usage === null, "usage is not null yet");
    want(state, snapshot?.output_text === "", "output_text is not empty yet");
  };
}

function end(status: "completed" | "incomplete" | "failed"): Rule {
  return (state, event) => {
    // A stream may break off before it could say that it is in progress.
    const early = status === "failed" && state.phase === "created";
    want(state, early || state.phase === "in_progress", `${event.type} while ${state.phase}`);
    state.phase = "ended";
    const snapshot = readSnapshot(state, event);
    if (!snapshot) return;
    want(state, snapshot.status === status, `status is ${snapshot.status}`);
    want(state, isDeepStrictEqual(snapshot.output, state.done), "output is not the items sent");
    want(state, snapshot.output_text === textOf(state.done), "output_text is not the text sent");
    want(state, (snapshot.error !== null) === (status === "failed"), "error fits no status");
    want(state, (state.errorSeen !== undefined) === (status === "failed"), "no error event");
    want(state, (snapshot.incomplete_details !== null) === (status === "incomplete"), "details");
    if (status === "failed") return;
    want(state, state.open === undefined, "the last item is still open");
    const cut = state.done.findIndex((item) => item.status === "incomplete");
    want(state, cut < 0 || cut === state.done.length - 1, "an incomplete item is not the last");
    want(state, cut < 0 || status === "incomplete", "a whole response has an incomplete item");
  };
}

function addItem(state: State, event: Json): void {
  const item = event.item as Json;
  want(state, state.phase === "in_progress", `an item while ${state.phase}`);
  want(state, state.open === undefined, "an item inside another item");
  want(state, event.output_index === state.done.length, `output_index ${event.output_index}`);
  for (const name of [item.id, item.call_id].filter((value) => value !== undefined)) {
    want(state, typeof name === "string" && !state.names.has(name), `${name} is used twice`);
    state.names.add(name);
  }
  if (item.type !== "reasoning") want(state, item.status === "in_progress", "item has begun");
  for (const name of ["arguments", "input"]) {
    want(state, (item[name] ?? "") === "", `${name} are not empty at first`);
  }
  for (const name of ["content", "summary"]) {
    want(state, isDeepStrictEqual(item[name] ?? [], []), `${name} is not empty at first`);
  }
  state.open = {
    item,
    index: Number(event.output_index),
    content: [],
    summary: [],
    part: undefined,
    argumentText: "",
    argumentsDone: false,
    searchPhase: 0,
  };
}

/** What an item must hold once it is done, by its type; the rest was fixed when it was added. */
function finishedFields(open: OpenItem): Json {
  switch (open.item.type) {
    case "message":
      return { content: open.content };
    case "reasoning":
      return { summary: open.summary };
    case "function_call":
      return { arguments: open.argumentText };
    case "custom_tool_call":
      return { input: open.argumentText };
    default:
      return {};
  }
}

function finishItem(state: State, event: Json): void {
  const open = itemOf(state, { ...event, item_id: (event.item as Json).id });
  if (!open) return;
  const item = event.item as Json;
  want(state, open.part === undefined, "an item is done before its part");
  const { type } = open.item;
  for (const name of ["type", "id", "call_id", "name", "role"]) {
    want(state, item[name] === open.item[name], `${name} of the item changed`);
  }
  for (const [name, value] of Object.entries(finishedFields(open))) {
    want(state, isDeepStrictEqual(item[name], value), `${name} is not what was sent`);
  }
  const calls = type === "function_call" || type === "custom_tool_call";
  want(state, open.argumentsDone === calls, "an item is done before its arguments");
  want(state, type !== "web_search_call" || open.searchPhase === 3, "a search was not completed");
  if (type !== "reasoning") {
    want(state, item.status === "completed" || item.status === "incomplete", "item has no end");
  }
  state.done.push(item);
  state.open = undefined;
}

/** The open item, when the event belongs to it. */
function itemOf(state: State, event: Json): OpenItem | undefined {
  const { open } = state;
  const belongs = open && event.item_id === open.item.id && event.output_index === open.index;
  want(state, Boolean(belongs), `${event.type} belongs to no open item`);
  return belongs ? open : undefined;
}

function addPart(kind: OpenPart["kind"]): Rule {
  return (state, event) => {
    const open = itemOf(state, event);
    if (!open) return;
    const index = Number(event[`${kind}_index`]);
    want(state, open.part === undefined, "a part inside another part");
    want(state, index === open[kind].length, `${kind}_index ${index}`);
    want(state, (event.part as Json).text === "", "a part is not empty at first");
    open.part = { kind, index, text: "", annotations: [], textDone: false };
  };
}

function partOf(state: State, event: Json, kind: OpenPart["kind"]): OpenPart | undefined {
  const part = itemOf(state, event)?.part;
  const belongs = part?.kind === kind && event[`${kind}_index`] === part.index;
  want(state, belongs, `${event.type} belongs to no open part`);
  return belongs ? part : undefined;
}

function writeText(kind: OpenPart["kind"]): Rule {
  return (state, event) => {
    const part = partOf(state, event, kind);
    if (!part) return;
    want(state, !part.textDone, "a delta after its text was done");
    want(state, typeof event.delta === "string" && event.delta !== "", "an empty delta");
    part.text += String(event.delta);
  };
}

function finishText(kind: OpenPart["kind"]): Rule {
  return (state, event) => {
    const part = partOf(state, event, kind);
    if (!part) return;
    want(state, !part.textDone && event.text === part.text, "the text is not its deltas");
    part.textDone = true;
  };
}

function finishPart(kind: OpenPart["kind"]): Rule {
  return (state, event) => {
    const part = partOf(state, event, kind);
    if (!part || !state.open) return;
    const written = event.part as Json;
    want(state, part.textDone, "a part is done before its text");
    want(state, written.text === part.text, "the part is not its deltas");
    const { annotations } = written;
    want(state, isDeepStrictEqual(annotations ?? [], part.annotations), "annotations differ");
    state.open[kind].push(written);
    state.open.part = undefined;
  };
}

function annotate(state: State, event: Json): void {
  const part = partOf(state, event, "content");
  want(state, event.annotation_index === part?.annotations.length, "annotation_index");
  part?.annotations.push(event.annotation);
}

function writeArguments(state: State, event: Json): void {
  const open = itemOf(state, event);
  if (!open) return;
  want(state, !open.argumentsDone, "a delta after its arguments were done");
  open.argumentText += String(event.delta);
}

function finishArguments(name: "arguments" | "input"): Rule {
  return (state, event) => {
    const open = itemOf(state, event);
    if (!open) return;
    want(state, event[name] === open.argumentText, `${name} are not their deltas`);
    open.argumentsDone = true;
  };
}

function search(phase: number): Rule {
  return (state, event) => {
    const open = itemOf(state, event);
    if (!open) return;
    want(state, open.searchPhase === phase - 1, `${event.type} out of turn`);
    open.searchPhase = phase;
  };
}

function noteError(state: State, event: Json): void {
  const nested = event.error as Json;
  for (const name of ["code", "message", "param"]) {
    want(state, nested[name] === event[name], `${name} differs between the two shapes`);
  }
  want(state, typeof nested.code === "string" && nested.code !== "", "an error without code");
  state.errorSeen = nested;
}

type Rule = (state: State, event: Json) => void;

const RULES: Readonly<Record<string, Rule>> = {
  "response.created": begin("idle", "created"),
  "response.in_progress": begin("created", "in_progress"),
  "response.completed": end("completed"),
  "response.incomplete": end("incomplete"),
  "response.failed": end("failed"),
  "response.output_item.added": addItem,
  "response.output_item.done": finishItem,
  "response.content_part.added": addPart("content"),
  "response.content_part.done": finishPart("content"),
  "response.output_text.delta": writeText("content"),
  "response.output_text.done": finishText("content"),
  "response.output_text.annotation.added": annotate,
  "response.reasoning_summary_part.added": addPart("summary"),
  "response.reasoning_summary_part.done": finishPart("summary"),
  "response.reasoning_summary_text.delta": writeText("summary"),
  "response.reasoning_summary_text.done": finishText("summary"),
  "response.function_call_arguments.delta": writeArguments,
  "response.function_call_arguments.done": finishArguments("arguments"),
  "response.custom_tool_call_input.delta": writeArguments,
  "response.custom_tool_call_input.done": finishArguments("input"),
  "response.web_search_call.in_progress": search(1),
  "response.web_search_call.searching": search(2),
  "response.web_search_call.completed": search(3),
  error: noteError,
  keepalive: () => undefined,
};

/** Everything that is wrong with a stream, from its first frame to its end marker. */
export function lifecycleProblems(frames: readonly Frame[]): string[] {
  const state: State = {
    phase: "idle",
    sequence: -1,
    first: undefined,
    errorSeen: undefined,
    open: undefined,
    done: [],
    names: new Set(),
    problems: [],
  };
  frames.forEach(({ event: name, data }, i) => {
    if (data === "[DONE]") {
      want(state, i === frames.length - 1, "the end marker is not the end");
      return;
    }
    const event = JSON.parse(data) as Json;
    const number = Number(event.sequence_number);
    want(state, number > state.sequence, `sequence_number ${number} does not rise`);
    state.sequence = number;
    want(state, i > 0 || number === 0, "the first sequence_number is not 0");
    want(state, name === event.type, `it is called ${name} and of type ${event.type}`);
    want(state, state.phase !== "ended", `${event.type} after the end`);
    const rule = RULES[String(event.type)];
    if (rule) rule(state, event);
    else want(state, false, `unknown type ${event.type}`);
  });
  want(state, state.phase === "ended", "the stream has no end");
  want(state, frames.at(-1)?.data === "[DONE]", "the stream has no end marker");
  return state.problems;
}
