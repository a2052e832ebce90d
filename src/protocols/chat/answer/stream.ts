import type { Fault } from "../../../lib/faults.ts";
import { find, replaced } from "../../bytes/bytes.ts";
import { PassingStream } from "../../bytes/passing-stream.ts";
import { JsonText } from "../../bytes/splice.ts";
import { DONE, eventData, writeEvent } from "../../bytes/sse.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { jsonTextTokens } from "../../text-tokens.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamFilter } from "../../wire.ts";
import { readChatUsage, withSearch } from "../usage.ts";
import { faultOfFrame } from "./error-frame.ts";
import { readFinish } from "./finish.ts";
import { hasSources, messageTokens, writeChat } from "./result.ts";

// A chunk that carries plain text and nothing else is recognised by its bytes. A quote inside a JSON
// string is always escaped, so none of these can occur in generated text.
const CR = 13;
const CONTENT = Buffer.from('"content":"');
const MARKS = [
  ...['"usage":{', '"finish_reason":"', '"error":'],
  ...['"tool_calls":', '"function_call":'],
].map((mark) => Buffer.from(mark));

/** How a vendor writes the member `model` of a chunk, and how we do. */
interface Spelling {
  readonly vendor: Uint8Array;
  /** The very same bytes where there is no difference. */
  readonly ours: Uint8Array;
}

/** One for each model, not one for each of thousands of streams. */
const spellings = new Map<string, Spelling>();
const SPELLINGS_MAX = 1_000;

function spellingOf(vendorText: string, ourText: string): Spelling {
  const name = `${vendorText} ${ourText}`;
  const known = spellings.get(name);
  if (known) return known;
  if (spellings.size >= SPELLINGS_MAX) spellings.clear();
  const vendor = new TextEncoder().encode(vendorText);
  const ours = vendorText === ourText ? vendor : new TextEncoder().encode(ourText);
  const spelling = { vendor, ours };
  spellings.set(name, spelling);
  return spelling;
}

/** A chat stream from a vendor of the same wire: renamed, metered, its end kept for settlement. */
export class ChatStream extends PassingStream implements StreamFilter {
  readonly #model: string;
  readonly #usageWanted: boolean;
  #spelling: Spelling | undefined;
  #usage: Usage | undefined;
  #usageChunk: string | undefined;
  /** A chunk of this stream without choices, for a vendor that sends no usage of its own. */
  #emptyChunk: string | undefined;
  readonly #choices: number;
  /** Searches cost money and show only by the sources of the answer: look at every chunk. */
  readonly #webSearch: boolean;
  #searched = false;
  readonly #finished = new Set<unknown>();

  readonly final = undefined;

  constructor(options: AnswerOptions, usageWanted: boolean, choices = 1, webSearch = false) {
    super();
    this.#choices = choices;
    this.#webSearch = webSearch;
    this.#model = JSON.stringify(options.model);
    this.#usageWanted = usageWanted;
  }

  get usage(): Usage | undefined {
    return withSearch(this.#usage, this.#searched);
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
    return Buffer.concat([writeEvent(writeChat(chunk, this.#model, end)), DONE]);
  }

  fail(fault: Fault): Uint8Array {
    return writeEvent(JSON.stringify({ error: fault.toJson() }));
  }

  keepAlive(): Uint8Array {
    return Buffer.from(": keep-alive\n\n");
  }

  protected override passText(event: Uint8Array): Uint8Array | undefined {
    const from = this.#spelling?.vendor;
    const to = this.#spelling?.ours;
    // What ends in CRLF is written anew, since some clients read only LF.
    if (!from || !to || this.#webSearch || event.at(-2) === CR) return undefined;
    const content = find(event, CONTENT);
    const model = find(event, from);
    if (content < 0 || model < 0 || MARKS.some((mark) => find(event, mark) >= 0)) return undefined;
    this.outputTokens += jsonTextTokens(event, content + CONTENT.length);
    return from === to ? event : replaced(event, model, from.length, to);
  }

  protected override passAny(event: Uint8Array): Uint8Array | undefined {
    const text = eventData(event);
    if (text === undefined) return undefined;
    if (text === "[DONE]") {
      this.ended = true;
      return undefined;
    }
    const chunk: unknown = JSON.parse(text);
    if (!isObject(chunk)) throw new Error("a chat chunk must be an object");
    this.#read(chunk);
    if (this.failure) return undefined;
    const json = new JsonText(text);
    const isEmpty = Array.isArray(chunk.choices) && chunk.choices.length === 0;
    if (this.#usageWanted && isObject(chunk.usage)) {
      this.#usageChunk = isEmpty ? text : json.edit({ choices: "[]" });
    }
    // Clients that look for the first choice of every chunk break on one without any.
    if (isEmpty) return undefined;
    this.#learnModel(json);
    if (this.#usageWanted) this.#emptyChunk ??= json.edit({ choices: "[]", usage: "null" });
    if (!isObject(chunk.usage)) return writeEvent(json.edit({ model: this.#model }));
    // Counts are given once, at the end, with our cost and not the vendor's.
    const usage = this.#usageWanted ? "null" : undefined;
    return writeEvent(json.edit({ model: this.#model, usage }));
  }

  #read(chunk: JsonObject): void {
    this.failure = faultOfFrame(chunk);
    if (typeof chunk.id === "string" && chunk.id) this.id ??= chunk.id;
    // Usage may stand on any chunk and more than once: the last word counts.
    this.#count(chunk.usage);
    if (!Array.isArray(chunk.choices)) return;
    for (const choice of chunk.choices) if (isObject(choice)) this.#readChoice(choice);
  }

  #readChoice(choice: JsonObject): void {
    const { delta, finish_reason: reason } = choice;
    this.outputTokens += messageTokens(delta);
    this.#searched ||= hasSources(delta);
    this.#count(choice.usage);
    if (typeof reason !== "string" || reason === "") return;
    if (readFinish(reason) !== "failed") this.#finished.add(choice.index);
    else this.failure ??= upstreamUnavailable(new Error(`the vendor finished with ${reason}`));
  }

  #count(usage: unknown): void {
    this.#usage = readChatUsage(usage) ?? this.#usage;
  }

  #learnModel(json: JsonText): void {
    const { text } = json;
    const value = this.#spelling ? undefined : json.locate("model");
    if (!value) return;
    const name = text.lastIndexOf('"model"', value.start);
    const vendor = text.slice(name, value.end);
    this.#spelling = spellingOf(vendor, text.slice(name, value.start) + this.#model);
  }
}
