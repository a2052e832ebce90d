import type { Fault } from "../../../lib/faults.ts";
import { eventValue } from "../../bytes/event-value.ts";
import { PassingStream } from "../../bytes/passing-stream.ts";
import { JsonText } from "../../bytes/splice.ts";
import { DONE, eventData, writeEvent } from "../../bytes/sse.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamFilter } from "../../wire.ts";
import { readChatUsage, withSearch } from "../usage.ts";
import { faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";
import { freeTexts, plainTexts } from "./plain-texts.ts";
import { hasSources, messageTokens, writeLastChunk } from "./result.ts";

/** A chat stream from a vendor of the same wire: renamed, metered, its end kept for settlement. */
export class ChatStream extends PassingStream implements StreamFilter {
  readonly #model: string;
  readonly #usageWanted: boolean;
  #usage: Usage | undefined;
  #usageChunk: string | undefined;
  /** A chunk of this stream without choices, for a vendor that sends no usage of its own. */
  #emptyChunk: string | undefined;
  readonly #choices: number;
  #searched = false;
  #hasChoice = false;
  /** Why each choice that is finished was. */
  readonly #finished = new Map<unknown, string>();

  readonly final = undefined;

  constructor(options: AnswerOptions, usageWanted: boolean, choices = 1) {
    super();
    this.#choices = choices;
    this.#model = JSON.stringify(options.model);
    this.#usageWanted = usageWanted;
  }

  get usage(): Usage | undefined {
    return withSearch(this.#usage, this.#searched);
  }

  get finishReasons(): readonly string[] {
    return [...this.#finished.values()];
  }

  get webSearches(): number {
    return this.#searched ? 1 : 0;
  }

  /** Some vendors stop without their end marker; once each choice is finished nothing is missing. */
  protected override endEarly(): void {
    if (this.#finished.size >= this.#choices) this.ended = true;
  }

  finish(end: AnswerEnd): Uint8Array {
    if (!this.#usageWanted) return DONE;
    const chunk = this.#usageChunk ?? this.#emptyChunk;
    if (chunk === undefined) return DONE;
    return Buffer.concat([writeEvent(writeLastChunk(chunk, this.#model, end)), DONE]);
  }

  fail(fault: Fault): Uint8Array {
    return writeEvent(JSON.stringify({ error: fault.toJson() }));
  }

  keepAlive(): Uint8Array {
    return Buffer.from(": keep-alive\n\n");
  }

  protected override passAny(event: Uint8Array): Uint8Array | undefined {
    const text = eventData(event);
    if (text === "[DONE]") this.#end();
    const chunk = eventValue(text);
    if (text === undefined || chunk === undefined) return undefined;
    if (!isObject(chunk)) throw new Error("a chat chunk must be an object");
    const before = this.outputTokens;
    this.#read(chunk);
    if (this.failure) return undefined;
    const json = new JsonText(text);
    if (this.#usageWanted && isObject(chunk.usage)) {
      this.#usageChunk = json.edit({ choices: "[]" });
    }
    // Clients that look for the first choice of every chunk break on one without any.
    if (objectsOf(chunk.choices).length === 0) return undefined;
    if (this.#usageWanted) this.#emptyChunk ??= json.edit({ choices: "[]", usage: "null" });
    if (!isObject(chunk.usage)) {
      const written = writeEvent(json.edit({ model: this.#model }));
      const renamed = { path: ["model"], by: Buffer.from(this.#model) };
      const places = { texts: plainTexts(chunk), free: freeTexts(chunk), renamed };
      this.learn({ event, written, tokens: this.outputTokens - before }, places);
      return written;
    }
    // Counts are given once, at the end, with our cost and not the vendor's.
    const usage = this.#usageWanted ? "null" : undefined;
    return writeEvent(json.edit({ model: this.#model, usage }));
  }

  /** What ends before it has begun is no answer, and nobody pays for it. */
  #end(): void {
    if (this.#hasChoice) this.ended = true;
    else this.failure ??= upstreamUnavailable(new Error("the stream was empty"));
  }

  #read(chunk: JsonObject): void {
    this.failure = faultOfFrame(chunk);
    if (typeof chunk.id === "string" && chunk.id) this.id ??= chunk.id;
    // Usage may stand on any chunk and more than once: the last word counts.
    this.#count(chunk.usage);
    for (const choice of objectsOf(chunk.choices)) this.#readChoice(choice);
  }

  #readChoice(choice: JsonObject): void {
    const { delta, finish_reason: reason } = choice;
    this.#hasChoice = true;
    this.outputTokens += messageTokens(delta);
    this.#searched ||= hasSources(delta);
    this.#count(choice.usage);
    if (typeof reason !== "string" || reason === "") return;
    if (readFinish(reason) !== "failed") this.#finished.set(choice.index, reason);
    else this.failure ??= upstreamUnavailable(new Error(`the vendor finished with ${reason}`));
  }

  #count(usage: unknown): void {
    this.#usage = readChatUsage(usage) ?? this.#usage;
  }
}
