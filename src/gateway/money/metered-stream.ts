import { TOKEN_FAMILIES } from "../../catalogue/bounds/families.ts";
import { TextMeter } from "../../catalogue/bounds/text-meter.ts";
import { openVocabulary } from "../../catalogue/bounds/vocabularies.ts";
import type { Model } from "../../catalogue/models.ts";
import type { Fault } from "../../lib/faults.ts";
import { SseFramer } from "../../protocols/bytes/sse.ts";
import { inOrder, type Writes } from "../../protocols/bytes/writes.ts";
import type { JsonObject } from "../../protocols/fields.ts";
import type { Usage } from "../../protocols/usage.ts";
import type { AnswerEnd, AnswerTrack, Piece, StreamFilter } from "../../protocols/wire.ts";

/** Bounds what a model has written: no vendor of it counts more. */
class OutputMeter {
  readonly #model: Pick<Model, "tokenFamily">;
  readonly #texts = new Map<string, TextMeter>();
  /** Of all of them, kept as they grow: an answer may have very many. */
  #textTokens = 0;
  /** Of events that cannot be read, which are no more tokens than bytes. */
  #unread = 0;

  constructor(model: Pick<Model, "tokenFamily">) {
    this.#model = model;
  }

  get tokens(): number {
    const { factor, message } = TOKEN_FAMILIES[this.#model.tokenFamily];
    const texts = this.#textTokens * factor + this.#texts.size * message;
    return Math.ceil(this.#unread + texts);
  }

  add({ lane, text }: Piece): void {
    let meter = this.#texts.get(lane);
    if (!meter) {
      meter = new TextMeter(openVocabulary(TOKEN_FAMILIES[this.#model.tokenFamily].vocabulary));
      this.#texts.set(lane, meter);
    }
    this.#textTokens -= meter.tokens;
    meter.push(text);
    this.#textTokens += meter.tokens;
  }

  addUnread(event: Uint8Array): void {
    this.#unread += event.length;
  }
}

/**
 * A stream that may not come to more tokens than were paid for. An event that would is kept back, with
 * all behind it, until the allowance covers it or the answer is cut short before it.
 */
export class MeteredStream implements StreamFilter {
  readonly #filter: StreamFilter;
  readonly #track: AnswerTrack;
  readonly #meter: OutputMeter;
  readonly #framer = new SseFramer();
  /** Events that have not gone through. The first of them is measured already while it is kept back. */
  #waiting: Uint8Array[] = [];
  #isClosed = false;
  /** How many tokens the allowance covers now. */
  readonly #limit: () => number;

  /** There is something that the allowance does not cover. */
  isFull = false;
  /** It was ended where its allowance ended. */
  isCut = false;

  constructor(filter: StreamFilter, track: AnswerTrack, model: Model, limit: () => number) {
    this.#filter = filter;
    this.#track = track;
    this.#meter = new OutputMeter(model);
    this.#limit = limit;
  }

  /** Half of the allowance is used. */
  get isHalfFull(): boolean {
    return this.#meter.tokens * 2 >= this.#limit();
  }

  /** The allowance covers by now all that was measured, be it kept back. */
  get fits(): boolean {
    return this.#meter.tokens <= this.#limit();
  }

  push(chunk: Uint8Array): Writes | undefined {
    this.#waiting.push(...this.#framer.push(chunk));
    return this.#flow();
  }

  close(): Writes | undefined {
    const rest = this.#framer.rest();
    if (rest) this.#waiting.push(rest);
    this.#isClosed = true;
    return this.#flow();
  }

  /** Goes on where the allowance has grown; what was kept back may still be more than that. */
  resume(): Writes | undefined {
    if (!this.isFull || !this.fits) return undefined;
    this.isFull = false;
    const first = this.#waiting.shift();
    const piece = first && this.#through(first);
    return inOrder([piece, this.#flow()]);
  }

  /** Ends the answer where it stands, as its vendor would have at a maximum. */
  cutShort(): Writes | undefined {
    this.isFull = false;
    this.isCut = true;
    this.#waiting = [];
    const end = this.#filter.push(this.#track.cutShort());
    const rest = this.#filter.ended ? undefined : this.#filter.close();
    return inOrder([end, rest]);
  }

  /** Lets events through as long as the allowance covers them. */
  #flow(): Writes | undefined {
    const pieces: Writes[] = [];
    while (!this.isFull) {
      const event = this.#waiting[0];
      if (!event) break;
      this.#measure(event);
      this.isFull = !this.fits;
      if (this.isFull) break;
      this.#waiting.shift();
      const piece = this.#through(event);
      if (piece) pieces.push(piece);
    }
    const rest = this.#isClosed && !this.isFull ? this.#filter.close() : undefined;
    if (rest) pieces.push(rest);
    return inOrder(pieces);
  }

  #measure(event: Uint8Array): void {
    try {
      for (const piece of this.#track.piecesOf(event)) this.#meter.add(piece);
    } catch {
      this.#meter.addUnread(event);
    }
  }

  #through(event: Uint8Array): Writes | undefined {
    try {
      this.#track.follow(event);
    } catch {
      // What cannot be read is for the stream itself to judge.
    }
    return this.#filter.push(event);
  }

  get ended(): boolean {
    return this.#filter.ended;
  }

  get failure(): Fault | undefined {
    return this.#filter.failure;
  }

  get started(): boolean {
    return this.#filter.started;
  }

  get id(): string | undefined {
    return this.#filter.id;
  }

  get usage(): Usage | undefined {
    return this.#filter.usage;
  }

  get outputTokens(): number {
    return this.#filter.outputTokens;
  }

  get webSearches(): number {
    return this.#filter.webSearches;
  }

  get final(): JsonObject | undefined {
    return this.#filter.final;
  }

  get finishReasons(): StreamFilter["finishReasons"] {
    return this.#filter.finishReasons;
  }

  finish(end: AnswerEnd): Writes {
    return this.#filter.finish(end);
  }

  fail(fault: Fault): Writes {
    return this.#filter.fail(fault);
  }

  keepAlive(): Uint8Array {
    return this.#filter.keepAlive();
  }
}
