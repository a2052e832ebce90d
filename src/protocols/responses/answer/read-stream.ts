import { eventValue } from "../../bytes/event-value.ts";
import { eventData, readRest, SseFramer } from "../../bytes/sse.ts";
import type { CanonEvent } from "../../canon.ts";
import { faultOfEvent, upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { number, text } from "../../optional.ts";
import { isErrorEvent } from "../../status-in-body.ts";
import type { AnswerReader } from "../../wire.ts";
import { billedSearches, readResponseUsage } from "../usage.ts";
import { readStatus } from "./read-answer.ts";
import {
  addAnnotation,
  addDelta,
  finishItem,
  finishRest,
  openItem,
  type ReadState,
  searchesSent,
} from "./read-stream-items.ts";

function begin(state: ReadState, event: JsonObject): void {
  if (state.begun) return;
  state.begun = true;
  const id = isObject(event.response) ? text(event.response.id) : undefined;
  state.out.push({ type: "begin", id });
}

function end(state: ReadState, event: JsonObject): void {
  const response = isObject(event.response) ? event.response : {};
  finishRest(state, response.output);
  const usage = readResponseUsage(response);
  // An output that the vendor left empty at the end counts by what it sent on the way.
  const webSearches = billedSearches(response) ?? searchesSent(state);
  const status = readStatus(response);
  state.out.push({ type: "end", usage: usage && { ...usage, webSearches }, ...status });
  state.ended = true;
}

function fail(state: ReadState, event: JsonObject): void {
  const response = isObject(event.response) ? event.response : event;
  const usage = readResponseUsage(response);
  state.out.push({ type: "failed", fault: faultOfEvent(response), usage });
  state.ended = true;
}

function readText(state: ReadState, event: JsonObject): void {
  const logprobs = Array.isArray(event.logprobs) ? event.logprobs.filter(isObject) : [];
  const delta = text(event.delta) ?? "";
  const more = logprobs.length > 0 ? { logprobs } : {};
  addDelta(state, event, { type: "text", delta, ...more });
}

function readSummary(state: ReadState, event: JsonObject): void {
  const part = number(event.summary_index) ?? 0;
  addDelta(state, event, { type: "summary", delta: text(event.delta) ?? "", part });
}

type DeltaType = "refusal" | "thinking" | "arguments";

function readDelta(type: DeltaType): Handler {
  return (state, event) => addDelta(state, event, { type, delta: text(event.delta) ?? "" });
}

type Handler = (state: ReadState, event: JsonObject) => void;

/** What an event does. Those that only repeat what others say are not here. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  "response.output_item.added": openItem,
  "response.output_item.done": finishItem,
  "response.output_text.delta": readText,
  "response.output_text.annotation.added": addAnnotation,
  "response.refusal.delta": readDelta("refusal"),
  "response.reasoning_summary_text.delta": readSummary,
  "response.reasoning_text.delta": readDelta("thinking"),
  "response.reasoning.delta": readDelta("thinking"),
  "response.function_call_arguments.delta": readDelta("arguments"),
  "response.custom_tool_call_input.delta": readDelta("arguments"),
  "response.completed": end,
  "response.incomplete": end,
  "response.failed": fail,
};

/** A Responses stream of a vendor, for a client of another wire. */
export class ResponsesReader implements AnswerReader {
  readonly #framer = new SseFramer();
  readonly #state: ReadState = {
    out: [],
    begun: false,
    ended: false,
    places: new Map(),
    line: [],
    finished: [],
  };

  push(chunk: Uint8Array): readonly CanonEvent[] {
    for (const event of this.#framer.push(chunk)) this.#read(event);
    return this.#take();
  }

  close(): readonly CanonEvent[] {
    const state = this.#state;
    readRest(this.#framer, (rest) => this.#read(rest));
    if (!state.ended) {
      state.ended = true;
      const fault = upstreamUnavailable(new Error("the stream was cut"));
      state.out.push({ type: "failed", fault });
    }
    return this.#take();
  }

  #read(bytes: Uint8Array): void {
    if (this.#state.ended) return;
    const event = eventValue(eventData(bytes));
    if (event === undefined) return;
    // A failure as the first event is told before anything has begun.
    if (isErrorEvent(event)) {
      fail(this.#state, event);
      return;
    }
    if (!isObject(event) || typeof event.type !== "string") {
      throw new Error("an event must be an object with a type");
    }
    const { type } = event;
    if (type !== "response.failed") begin(this.#state, event);
    if (Object.hasOwn(HANDLERS, type)) HANDLERS[type]?.(this.#state, event);
  }

  #take(): readonly CanonEvent[] {
    return this.#state.out.splice(0);
  }
}
