import type { Fault } from "../../lib/faults.ts";
import { asBuffer, together } from "../bytes.ts";
import { faultOfEvent, upstreamUnavailable } from "../faults.ts";
import { isObject, type JsonObject } from "../fields.ts";
import { JsonText } from "../splice.ts";
import { DONE, eventData, SseFramer, writeEvent } from "../sse.ts";
import { jsonTextTokens } from "../text-tokens.ts";
import type { Usage } from "../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamPass } from "../wire.ts";
import { messageTokens, writeChat } from "./result.ts";
import { readChatUsage } from "./usage.ts";

// A chunk that carries plain text and nothing else is recognised by its bytes. A quote inside a JSON
// string is always escaped, so none of these can occur in generated text.
const CR = 13;
const CONTENT = Buffer.from('"content":"');
const MARKS = ['"usage":{', '"finish_reason":"', '"error":', '"tool_calls":'].map((mark) =>
  Buffer.from(mark),
);

/** A chat stream from a vendor of the same wire: renamed, metered, its end kept for settlement. */
export class ChatStream implements StreamPass {
  readonly #framer = new SseFramer();
  readonly #model: string;
  readonly #usageWanted: boolean;
  /** How this vendor writes the member `model`, and how we do. */
  #vendorModel: Buffer | undefined;
  #ourModel: Buffer | undefined;
  #usageChunk: string | undefined;
  /** A chunk of this stream without choices, for a vendor that sends no usage of its own. */
  #emptyChunk: string | undefined;
  #finishSeen = false;

  ended = false;
  started = false;
  failure: Fault | undefined;
  id: string | undefined;
  usage: Usage | undefined;
  outputTokens = 0;
  readonly webSearches = 0;
  readonly final = undefined;

  constructor(options: AnswerOptions, usageWanted: boolean) {
    this.#model = JSON.stringify(options.model);
    this.#usageWanted = usageWanted;
  }

  push(chunk: Uint8Array): Uint8Array | undefined {
    const pieces: Uint8Array[] = [];
    for (const event of this.#framer.push(chunk)) {
      const piece = this.#pass(asBuffer(event));
      if (piece) pieces.push(piece);
    }
    if (pieces.length > 0) this.started = true;
    return together(pieces);
  }

  close(): Uint8Array | undefined {
    const rest = this.#framer.rest();
    const piece = rest && rest.length > 1 ? this.#pass(asBuffer(rest)) : undefined;
    // Some vendors stop without their end marker; a finish reason says that nothing is missing.
    if (this.#finishSeen) this.ended = true;
    if (!this.ended) this.failure ??= upstreamUnavailable(new Error("the stream was cut"));
    return piece;
  }

  finish(end: AnswerEnd): Uint8Array {
    if (!this.#usageWanted) return DONE;
    const chunk = this.#usageChunk ?? this.#emptyChunk;
    if (chunk === undefined) return DONE;
    return Buffer.concat([writeEvent(writeChat(chunk, this.#model, end)), DONE]);
  }

  fail(fault: Fault): Uint8Array {
    return writeEvent(JSON.stringify({ error: fault.toWire() }));
  }

  keepAlive(): Uint8Array {
    return Buffer.from(": keep-alive\n\n");
  }

  #pass(event: Buffer): Uint8Array | undefined {
    if (this.ended || this.failure) return undefined;
    return this.#passText(event) ?? this.#passAny(event);
  }

  /** The common case, without parsing. Undefined when the event may hold more than text. */
  #passText(event: Buffer): Uint8Array | undefined {
    const from = this.#vendorModel;
    const to = this.#ourModel;
    // What ends in CRLF is written anew, since some clients read only LF.
    if (!from || !to || event.at(-2) === CR) return undefined;
    const content = event.indexOf(CONTENT);
    const model = event.indexOf(from);
    if (content < 0 || model < 0 || MARKS.some((mark) => event.includes(mark))) return undefined;
    this.outputTokens += jsonTextTokens(event, content + CONTENT.length);
    if (from.equals(to)) return event;
    const renamed = Buffer.allocUnsafe(event.length - from.length + to.length);
    event.copy(renamed, 0, 0, model);
    to.copy(renamed, model);
    event.copy(renamed, model + to.length, model + from.length);
    return renamed;
  }

  #passAny(event: Buffer): Uint8Array | undefined {
    const text = eventData(event);
    if (text === undefined) return undefined;
    if (text === "[DONE]") {
      this.ended = true;
      return undefined;
    }
    const chunk: unknown = JSON.parse(text);
    if (!isObject(chunk)) throw new Error("a chat chunk must be an object");
    if (isObject(chunk.error)) {
      this.failure = faultOfEvent(chunk);
      return undefined;
    }
    this.#read(chunk);
    const json = new JsonText(text);
    this.#learnModel(json);
    if (this.#usageWanted) this.#emptyChunk ??= json.edit({ choices: "[]", usage: "null" });
    if (isObject(chunk.usage) && Array.isArray(chunk.choices) && chunk.choices.length === 0) {
      this.#usageChunk = text;
      return undefined;
    }
    return writeEvent(json.edit({ model: this.#model }));
  }

  #read(chunk: JsonObject): void {
    if (typeof chunk.id === "string" && chunk.id) this.id ??= chunk.id;
    // Usage may stand on any chunk and more than once: the last word counts.
    this.usage = readChatUsage(chunk.usage) ?? this.usage;
    if (!Array.isArray(chunk.choices)) return;
    for (const choice of chunk.choices) {
      if (!isObject(choice)) continue;
      this.outputTokens += messageTokens(choice.delta);
      if (typeof choice.finish_reason === "string") this.#finishSeen = true;
    }
  }

  #learnModel(json: JsonText): void {
    const { text } = json;
    const value = this.#vendorModel ? undefined : json.locate("model");
    if (!value) return;
    const name = text.lastIndexOf('"model"', value.start);
    this.#vendorModel = Buffer.from(text.slice(name, value.end));
    this.#ourModel = Buffer.from(text.slice(name, value.start) + this.#model);
  }
}
