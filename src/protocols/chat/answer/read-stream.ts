import type { Fault } from "../../../lib/faults.ts";
import { eventValue } from "../../bytes/event-value.ts";
import { eventData, SseFramer } from "../../bytes/sse.ts";
import type { AnswerStatus, CanonEvent } from "../../canon.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerReader } from "../../wire.ts";
import { readChatUsage, withSearch } from "../usage.ts";
import { faultOfChoice, faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";
import { ItemReader } from "./item-reader.ts";

/** The first choice: where wires differ, there is only one. */
function firstChoice(chunk: JsonObject): JsonObject | undefined {
  if (!Array.isArray(chunk.choices)) return undefined;
  return chunk.choices.find((choice) => isObject(choice) && (choice.index ?? 0) === 0);
}

/** A chat vendor's stream, or the one chunk of a whole answer, as the events of all wires. */
export class ChatReader implements AnswerReader {
  readonly #framer = new SseFramer();
  readonly #items = new ItemReader();
  #events: CanonEvent[] = [];
  #begun = false;
  #over = false;
  #finish: AnswerStatus | undefined;
  #usage: Usage | undefined;

  push(chunk: Uint8Array): readonly CanonEvent[] {
    for (const event of this.#framer.push(chunk)) this.#read(event);
    return this.#taken();
  }

  close(): readonly CanonEvent[] {
    const rest = this.#framer.rest();
    if (rest && rest.length > 1) this.#readRest(rest);
    // Some vendors stop without their end marker; a finish reason says that nothing is missing.
    if (this.#finish) this.#end();
    else this.#fail(upstreamUnavailable(new Error("the stream was cut")));
    return this.#taken();
  }

  /** One chunk, parsed. */
  readChunk(chunk: unknown): void {
    if (this.#over || chunk === undefined) return;
    if (!isObject(chunk)) throw new Error("a chat chunk must be an object");
    // Usage may stand on any chunk and more than once: the last word counts.
    this.#count(chunk.usage);
    const fault = faultOfFrame(chunk);
    if (fault) {
      this.#fail(fault);
      return;
    }
    this.#begin(chunk);
    const choice = firstChoice(chunk);
    if (choice) this.#readChoice(choice);
  }

  #readChoice(choice: JsonObject): void {
    this.#count(choice.usage);
    if (isObject(choice.delta)) {
      this.#events.push(...this.#items.read(choice.delta, choice.logprobs));
    }
    const reason = choice.finish_reason;
    if (typeof reason !== "string" || reason === "") return;
    const finish = readFinish(reason, choice.stop_reason);
    if (finish === "failed") {
      this.#fail(faultOfChoice(choice));
      return;
    }
    this.#events.push(...this.#items.finish());
    this.#finish = finish;
  }

  #read(event: Uint8Array): void {
    if (this.#over) return;
    try {
      this.#readData(eventData(event));
    } catch (thrown) {
      this.#fail(upstreamUnavailable(thrown));
    }
  }

  #readData(text: string | undefined): void {
    if (text === "[DONE]") this.#done();
    else this.readChunk(eventValue(text));
  }

  /** What stands behind the last whole event matters only while the end has not been told. */
  #readRest(rest: Uint8Array): void {
    const isOptional = this.#finish !== undefined;
    try {
      this.#readData(eventData(rest));
    } catch (thrown) {
      if (!isOptional) this.#fail(upstreamUnavailable(thrown));
    }
  }

  #taken(): readonly CanonEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #begin(chunk: JsonObject): void {
    if (this.#begun) return;
    this.#begun = true;
    const id = typeof chunk.id === "string" && chunk.id !== "" ? chunk.id : undefined;
    this.#events.push({ type: "begin", id });
  }

  #count(usage: unknown): void {
    const counted = readChatUsage(usage);
    if (!counted) return;
    this.#usage = counted;
    this.#events.push({ type: "usage", usage: counted });
  }

  /** The end marker. Vendors that forget the finish reason have at least said something. */
  #done(): void {
    if (this.#finish || this.#items.started) this.#end();
    else this.#fail(upstreamUnavailable(new Error("the stream was empty")));
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.push(...this.#items.finish());
    const usage = withSearch(this.#usage, this.#items.searched);
    this.#events.push({ type: "end", usage, ...(this.#finish ?? { status: "completed" }) });
  }

  #fail(fault: Fault): void {
    if (this.#over) return;
    this.#over = true;
    this.#events.push({ type: "failed", fault, usage: this.#usage });
  }
}
