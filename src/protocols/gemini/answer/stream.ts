import type { Fault } from "../../../lib/faults.ts";
import { together } from "../../bytes/bytes.ts";
import type { EventShape, ReadEvent } from "../../bytes/event-shape.ts";
import { PassingStream } from "../../bytes/passing-stream.ts";
import { eventData } from "../../bytes/sse.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamFilter } from "../../wire.ts";
import { errorOf, faultOfAnswer, writeGeminiFault } from "../faults.ts";
import { readGeminiUsage } from "../usage.ts";
import { blockOf, candidatesOf, chunkTokens, finishOf, readEvent } from "./chunks.ts";
import { EVENTS, type Framing } from "./framing.ts";
import { SearchQueries } from "./grounding.ts";
import { GROWING_COUNTS, grownCounts, plainTexts } from "./plain-chunk.ts";
import { writeChunk } from "./result.ts";

/**
 * A stream from a vendor of the same wire: renamed, metered, its end kept for settlement. The wire
 * has no end marker, so the end is whatever came since every candidate was finished.
 */
export class GeminiStream extends PassingStream implements StreamFilter {
  readonly #model: string;
  readonly #framing: Framing;
  readonly #queries = new SearchQueries();
  readonly #seen = new Set<unknown>();
  /** Why each candidate that is finished was. */
  readonly #finished = new Map<unknown, string>();
  /** The newest counts: each chunk counts anew. */
  #counts: unknown;
  /** What was counted with the first chunk of each shape, and the shape of a chunk that counted since. */
  readonly #firstCounts = new WeakMap<EventShape, JsonObject>();
  #grown: EventShape | undefined;
  #blocked = false;
  #held: string[] = [];

  readonly final = undefined;

  constructor(options: AnswerOptions, framing: Framing = EVENTS) {
    super();
    this.#model = JSON.stringify(options.model);
    this.#framing = framing;
  }

  get usage(): Usage | undefined {
    const first = this.#grown && this.#firstCounts.get(this.#grown);
    const counts = first && this.#grown ? grownCounts(first, this.#grown.numbers) : this.#counts;
    return readGeminiUsage(counts, this.#queries.total);
  }

  get finishReasons(): readonly string[] {
    return [...this.#finished.values()];
  }

  get webSearches(): number {
    return this.#queries.total;
  }

  /** Once every candidate is finished, nothing of the answer is missing. */
  protected override endEarly(): void {
    if (!this.failure && this.#isFinished()) this.ended = true;
  }

  finish(end: AnswerEnd): Uint8Array {
    const last = this.#held.length - 1;
    const texts = this.#held.map((text, i) =>
      writeChunk(text, this.#model, i === last ? end : undefined),
    );
    return Buffer.concat([...this.#framed(texts), this.#framing.end]);
  }

  fail(fault: Fault): Uint8Array {
    return Buffer.concat([...this.#framed([writeGeminiFault(fault)]), this.#framing.end]);
  }

  keepAlive(): Uint8Array {
    return this.#framing.keepAlive;
  }

  /** Texts as they follow what has been given out. */
  #framed(texts: readonly string[], isFirst = !this.started): Uint8Array[] {
    return texts.map((text, i) => this.#framing.chunk(text, i === 0 && isFirst));
  }

  protected override passed(shape: EventShape): void {
    super.passed(shape);
    if (this.#firstCounts.has(shape)) this.#grown = shape;
  }

  protected override passAny(event: Uint8Array, isFirst: boolean): Uint8Array | undefined {
    const value = readEvent(event);
    if (value === undefined) return undefined;
    const error = errorOf(value);
    if (error) {
      this.failure = faultOfAnswer(error);
      return undefined;
    }
    const text = eventData(event);
    if (!isObject(value) || text === undefined) throw new Error("a chunk must be an object");
    const tokens = chunkTokens(value);
    this.outputTokens += tokens;
    this.#read(value);
    this.#held.push(text);
    if (this.#isFinished()) {
      // What follows is kept back too, whatever it is like.
      this.forget();
      return undefined;
    }
    const passing = this.#held.map((each) => writeChunk(each, this.#model));
    this.#held = [];
    const written = together(this.#framed(passing, isFirst));
    if (written && passing.length === 1 && !isFirst) this.#learn({ event, written, tokens }, value);
    return written;
  }

  #learn(read: ReadEvent, chunk: JsonObject): void {
    const renamed = { path: ["modelVersion"], by: Buffer.from(this.#model) };
    const places = { texts: plainTexts(chunk), numbers: GROWING_COUNTS, renamed };
    const shape = this.learn(read, places);
    if (shape && isObject(chunk.usageMetadata)) this.#firstCounts.set(shape, chunk.usageMetadata);
  }

  #read(chunk: JsonObject): void {
    if (typeof chunk.responseId === "string") this.id ??= chunk.responseId;
    this.#queries.add(chunk);
    if (readGeminiUsage(chunk.usageMetadata)) {
      this.#counts = chunk.usageMetadata;
      this.#grown = undefined;
    }
    if (blockOf(chunk) !== undefined) this.#blocked = true;
    for (const candidate of candidatesOf(chunk)) {
      const index = candidate.index ?? 0;
      this.#seen.add(index);
      const reason = finishOf(candidate);
      if (reason !== undefined) this.#finished.set(index, reason);
    }
  }

  #isFinished(): boolean {
    if (this.#seen.size === 0) return this.#blocked;
    return this.#finished.size === this.#seen.size;
  }
}
