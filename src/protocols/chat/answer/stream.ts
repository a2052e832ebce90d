import type { Fault } from "../../../lib/faults.ts";
import type { ReadEvent } from "../../bytes/event-shape.ts";
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
import { faultOfChoice, faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";
import { freeTexts, plainTexts, THOUGHTS_NAMED } from "./plain-texts.ts";
import { ownChoices, type ReasoningStyle } from "./reasoning-style.ts";
import { hasSources, messageTokens, writeLastChunk } from "./result.ts";

/** A chat stream from a vendor of the same wire: renamed, metered, its end kept for settlement. */
export class ChatStream extends PassingStream implements StreamFilter {
  readonly #model: string;
  readonly #usageWanted: boolean;
  #usage: Usage | undefined;
  /** The chunk that the last one for the client is made of: the vendor's with its usage. */
  #usageChunk: string | undefined;
  /** Or, for a vendor that sends none, the first with a choice. */
  #firstChunk: string | undefined;
  readonly #choices: number;
  #searched = false;
  #hasChoice = false;
  /** Why each choice that is finished was. */
  readonly #finished = new Map<unknown, string>();

  readonly final = undefined;

  readonly #thoughts: ReasoningStyle;

  constructor(
    options: AnswerOptions,
    usageWanted: boolean,
    choices = 1,
    thoughts: ReasoningStyle = "reasoning_content",
  ) {
    super();
    this.#choices = choices;
    this.#model = JSON.stringify(options.model);
    this.#usageWanted = usageWanted;
    this.#thoughts = thoughts;
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
    const chunk = this.#usageChunk ?? this.#firstChunk;
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
    const isCounted = isObject(chunk.usage);
    const hasChoices = objectsOf(chunk.choices).length > 0;
    if (this.#usageWanted) this.#keepForEnd(text, isCounted, hasChoices);
    // Clients that look for the first choice of every chunk break on one without any.
    if (!hasChoices) return undefined;
    const own = ownChoices(chunk, "delta", this.#thoughts);
    const choices = own && { choices: JSON.stringify(own) };
    const json = new JsonText(text);
    // Counts are given once, at the end, with our cost and not the vendor's.
    if (isCounted) {
      const usage = this.#usageWanted ? "null" : undefined;
      return writeEvent(json.edit({ model: this.#model, ...choices, usage }));
    }
    const written = writeEvent(json.edit({ model: this.#model, ...choices }));
    const tokens = this.outputTokens - before;
    // What was put together anew explains no other event.
    const isLike = own === undefined || this.#thoughts === "reasoning_content";
    if (tokens > 0 && isLike) this.#learnFrom(chunk, { event, written, tokens });
    return written;
  }

  /** As it came: most chunks of which the last may be made come to nothing. */
  #keepForEnd(text: string, isCounted: boolean, hasChoices: boolean): void {
    if (isCounted) {
      this.#usageChunk = text;
      this.#firstChunk = undefined;
    } else if (hasChoices && this.#usageChunk === undefined) this.#firstChunk ??= text;
  }

  #learnFrom(chunk: JsonObject, read: ReadEvent): void {
    const renamed = { path: ["model"], by: Buffer.from(this.#model) };
    const named = this.#thoughts === "reasoning_content" ? THOUGHTS_NAMED : undefined;
    this.learn(read, { texts: plainTexts(chunk), free: freeTexts(chunk), renamed, named });
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
    else this.failure ??= faultOfChoice(choice);
  }

  #count(usage: unknown): void {
    this.#usage = readChatUsage(usage) ?? this.#usage;
  }
}
