import { eventValue } from "../../bytes/event-value.ts";
import { eventData, readRest, SseFramer } from "../../bytes/sse.ts";
import type { Answer, CanonEvent } from "../../canon.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { errorIn, isErrorEvent } from "../../status-in-body.ts";
import type { AnswerReader } from "../../wire.ts";
import { faultOfMessagesEvent } from "../faults.ts";
import { readMessagesUsage } from "../usage.ts";
import { AnswerEvents } from "./answer-events.ts";

/** A vendor's stream of this wire, read into the events that all wires share. */
export class MessagesReader implements AnswerReader {
  readonly #framer = new SseFramer();
  readonly #events = new AnswerEvents();

  push(chunk: Uint8Array): readonly CanonEvent[] {
    for (const event of this.#framer.push(chunk)) this.#read(event);
    return this.#events.take();
  }

  close(): readonly CanonEvent[] {
    readRest(this.#framer, (rest) => this.#read(rest));
    const events = this.#events;
    // With its reason told, nothing of the answer is missing.
    if (!events.over && events.stopped) events.read({ type: "message_stop" });
    if (events.over) return events.take();
    const fault = upstreamUnavailable(new Error("the stream was cut"));
    const usage = readMessagesUsage(events.counts);
    return [...events.take(), { type: "failed", fault, usage }];
  }

  #read(event: Uint8Array): void {
    // What a vendor says behind the end takes nothing of the answer away.
    if (this.#events.over) return;
    const data = eventValue(eventData(event));
    if (data === undefined) return;
    if (!isObject(data)) throw new Error("an event must be an object");
    this.#events.read(isErrorEvent(data) ? { ...data, type: "error" } : data);
  }
}

/** A whole message, told as the events of a stream in which each block comes in one piece. */
function eventsOf(body: JsonObject, content: readonly unknown[]): readonly CanonEvent[] {
  const events = new AnswerEvents();
  events.read({ type: "message_start", message: body });
  for (const content_block of content) {
    events.read({ type: "content_block_start", content_block });
    events.read({ type: "content_block_stop" });
  }
  events.read({ type: "message_delta", delta: body, usage: body.usage });
  events.read({ type: "message_stop" });
  return events.take();
}

export function readMessagesAnswer(body: unknown): Answer {
  if (!isObject(body)) throw new Error("the vendor's answer is not an object");
  const id = typeof body.id === "string" ? body.id : undefined;
  const usage = readMessagesUsage(body.usage);
  if (errorIn(body) && !Array.isArray(body.content)) {
    return { id, items: [], usage, status: "completed", failure: faultOfMessagesEvent(body) };
  }
  if (!Array.isArray(body.content)) throw new Error("the vendor's answer has no content");
  const events = eventsOf(body, body.content);
  const items = events.flatMap((event) => (event.type === "item_done" ? [event.item] : []));
  const end = events.find((event) => event.type === "end");
  if (!end) throw new Error("the vendor's answer has no end");
  const { type: _type, ...status } = end;
  return { id, items, ...status };
}
