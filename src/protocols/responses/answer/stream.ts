import type { Fault } from "../../../lib/faults.ts";
import type { EventShape } from "../../bytes/event-shape.ts";
import { eventValue } from "../../bytes/event-value.ts";
import { PassingStream } from "../../bytes/passing-stream.ts";
import { JsonText } from "../../bytes/splice.ts";
import { DONE, eventData, eventText, writeEvent } from "../../bytes/sse.ts";
import { asWrites, type Writes } from "../../bytes/writes.ts";
import { faultOfEvent } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import {
  type LongMembers,
  longEchoes,
  withLong,
  withLongValues,
} from "../../members/long-members.ts";
import { number, objectsOf } from "../../optional.ts";
import { isErrorEvent } from "../../status-in-body.ts";
import { textTokens } from "../../text-tokens.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamFilter } from "../../wire.ts";
import { ownShape } from "../own-shape.ts";
import { completedSearches, readResponseUsage, searchesOf } from "../usage.ts";
import { generatedTokens, outputText, writeResponse } from "./result.ts";

/** What differs between the pieces of one text, and all that a piece of it says. */
const PIECE = { texts: [["delta"]], numbers: [["sequence_number"]], free: [["obfuscation"]] };

const TERMINAL = ["response.completed", "response.incomplete"];
const BEGINNING = ["response.created", "response.queued", "response.in_progress"];

/** The text of an event whose response has this output. */
function withOutput(text: string, output: unknown): string {
  const from = new JsonText(text).locate("response")?.start;
  return new JsonText(text, from).edit({ output: JSON.stringify(output) });
}

/** A Responses stream from a vendor of the same wire: renamed, metered, its end kept back. */
export class ResponsesStream extends PassingStream implements StreamFilter {
  #options: AnswerOptions;
  /** What each response object repeats that is long. In texts of them nothing stands in its places. */
  readonly #long: LongMembers | undefined;
  /** The newest snapshot that was sent, to tell of a failure in the same terms. */
  #snapshot: string | undefined;
  readonly #done: { readonly place: number; readonly item: JsonObject }[] = [];
  #terminal: { readonly type: string; readonly text: string } | undefined;
  /** The number of the next event. Events of our own have moved the vendor's by what is added. */
  #sequence = 0;

  usage: Usage | undefined;
  webSearches = 0;
  final: JsonObject | undefined;

  /** By which name the client asked for the vendor's search, where that has another one. */
  readonly #search: string | undefined;

  constructor(options: AnswerOptions, search?: string) {
    super();
    const { longEcho } = options;
    this.#long = longEcho;
    const echo = longEcho ? { ...options.echo, ...longEchoes(longEcho) } : options.echo;
    this.#options = { ...options, echo };
    this.#search = search;
  }

  finish(end: AnswerEnd): Writes {
    const terminal = this.#terminal;
    if (!terminal || !this.final) throw new Error("the stream has not ended");
    // Numbered only now: keep-alives may have gone out while the request was being settled.
    const numbered = new JsonText(terminal.text).edit({ sequence_number: String(this.#sequence) });
    const from = new JsonText(numbered).locate("response")?.start;
    const text = writeResponse(numbered, this.final, this.#options, end, from);
    return asWrites([this.#written(text, terminal.type), DONE].flat());
  }

  fail(fault: Fault): Writes {
    const wire = fault.toJson();
    // The word that clients of this wire know for a vendor that broke off.
    const code = fault.fault === "upstream_unavailable" ? "server_error" : wire.code;
    const { message } = wire;
    const error = { ...wire, code };
    const told = this.#event("error", { error, code, message, param: wire.param });
    if (this.#snapshot === undefined) return Buffer.concat([told, DONE]);
    const output = this.#itemsDone();
    const response = {
      ...JSON.parse(this.#snapshot),
      status: "failed",
      error: { code, message },
      output,
      output_text: outputText(output),
      usage: null,
    };
    const type = "response.failed";
    const failed = this.#written(this.#eventText(type, { response }), type);
    return asWrites([told, failed, DONE].flat());
  }

  keepAlive(): Uint8Array {
    const event = this.#event("keepalive", {});
    this.added++;
    // Until now, what has no number could stay without one.
    this.forget();
    return event;
  }

  /** An event of our own, with the next number. */
  #event(type: string, members: JsonObject): Uint8Array {
    return writeEvent(this.#eventText(type, members), type);
  }

  #eventText(type: string, members: JsonObject): string {
    const sequence_number = this.#sequence++;
    return JSON.stringify({ type, sequence_number, ...members });
  }

  /** An event with a response object, in which what is long has its places. */
  #written(text: string, type: string): Writes {
    if (!this.#long) return writeEvent(text, type);
    const event = eventText(text, type);
    const data = event.indexOf("{");
    const from = new JsonText(event, data).locate("response")?.start;
    return asWrites(withLong(event, from ?? data, this.#long));
  }

  /** An answer is whole only with its last event. */
  protected override endEarly(): void {}

  protected override passed(shape: EventShape): void {
    super.passed(shape);
    const number = shape.numbers[0] as number;
    this.#sequence = (Number.isNaN(number) ? this.#sequence : number + this.added) + 1;
  }

  protected override passAny(event: Uint8Array): Writes | undefined {
    const text = eventData(event);
    const data = eventValue(text);
    if (text === undefined || data === undefined) return undefined;
    if (isErrorEvent(data)) {
      this.failure = faultOfEvent(data);
      return undefined;
    }
    if (!isObject(data) || typeof data.type !== "string") {
      throw new Error("an event must be an object with a type");
    }
    const { type, response } = data;
    if (type === "response.failed") return this.#failed(response);
    if (isObject(response) && TERMINAL.includes(type)) return this.#terminate(type, text, response);
    const numbered = this.#renumber(text, data);
    if (isObject(response) && BEGINNING.includes(type))
      return this.#begin(type, numbered, response);
    if (type === "response.output_item.done" && isObject(data.item)) {
      this.#done.push({ place: number(data.output_index) ?? this.#done.length, item: data.item });
      this.webSearches += completedSearches([data.item]);
    }
    const tokens = typeof data.delta === "string" ? textTokens(data.delta) : 0;
    this.outputTokens += tokens;
    const written = writeEvent(numbered, type);
    const { added } = this;
    if (type.endsWith(".delta")) this.learn({ event, written, tokens, added }, PIECE);
    return written;
  }

  #renumber(text: string, data: JsonObject): string {
    const number = typeof data.sequence_number === "number" ? data.sequence_number : this.#sequence;
    this.#sequence = number + this.added + 1;
    if (this.added === 0) return text;
    return new JsonText(text).edit({ sequence_number: String(number + this.added) });
  }

  /** The response as ours, and from here on under one id. */
  #own(response: JsonObject): JsonObject {
    const id = this.id ?? this.#options.responseId;
    const { response: own, edits } = ownShape(response, { id, search: this.#search });
    this.id ??= String(own.id);
    this.#options = { ...this.#options, echo: { ...edits, ...this.#options.echo } };
    return own;
  }

  #begin(type: string, text: string, response: JsonObject): Writes {
    const own = this.#own(response);
    const from = new JsonText(text).locate("response")?.start;
    const written = writeResponse(text, own, this.#options, undefined, from);
    const span = new JsonText(written).locate("response");
    if (span) this.#snapshot = written.slice(span.start, span.end);
    return this.#written(written, type);
  }

  /** The items that are done, in the order of the answer. */
  #itemsDone(): JsonObject[] {
    return this.#done.toSorted((a, b) => a.place - b.place).map(({ item }) => item);
  }

  #terminate(type: string, text: string, told: JsonObject): undefined {
    // Some vendors leave the list of their last event empty: it is what they sent on the way.
    const lacks = objectsOf(told.output).length === 0 && this.#done.length > 0;
    const response = lacks ? { ...told, output: this.#itemsDone() } : told;
    const own = this.#own(response);
    this.final = this.#long ? withLongValues(own, this.#long) : own;
    this.usage = readResponseUsage(response);
    // Others write all of it into their last event alone.
    if (this.outputTokens === 0) this.outputTokens = generatedTokens(response.output);
    this.webSearches = searchesOf(response);
    this.#terminal = { type, text: lacks ? withOutput(text, response.output) : text };
    this.ended = true;
  }

  #failed(response: unknown): undefined {
    if (isObject(response)) this.usage = readResponseUsage(response);
    this.failure = faultOfEvent(response);
  }
}
