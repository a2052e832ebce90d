import type { Fault } from "../../../lib/faults.ts";
import { together } from "../../bytes/bytes.ts";
import { eventData, SseFramer } from "../../bytes/sse.ts";
import { upstreamUnavailable } from "../../faults.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import type { Usage } from "../../usage.ts";
import type { AnswerEnd, AnswerOptions, StreamFilter } from "../../wire.ts";
import { errorOf, faultOfAnswer, writeGeminiFault } from "../faults.ts";
import { readGeminiUsage } from "../usage.ts";
import {
  blockOf,
  candidatesOf,
  chunkTokens,
  finishOf,
  readEvent,
  readLastEvent,
} from "./chunks.ts";
import { EVENTS, type Framing } from "./framing.ts";
import { SearchQueries } from "./grounding.ts";
import { writeGemini } from "./result.ts";

/**
 * A stream from a vendor of the same wire: renamed, metered, its end kept for settlement. The wire
 * has no end marker, so the end is whatever came since every candidate was finished.
 */
export class GeminiStream implements StreamFilter {
  readonly #framer = new SseFramer();
  readonly #model: string;
  readonly #framing: Framing;
  readonly #queries = new SearchQueries();
  readonly #seen = new Set<unknown>();
  readonly #finished = new Set<unknown>();
  /** The newest counts: each chunk counts anew. */
  #counts: unknown;
  #blocked = false;
  #held: string[] = [];

  ended = false;
  started = false;
  failure: Fault | undefined;
  id: string | undefined;
  outputTokens = 0;
  readonly final = undefined;

  constructor(options: AnswerOptions, framing: Framing = EVENTS) {
    this.#model = JSON.stringify(options.model);
    this.#framing = framing;
  }

  get usage(): Usage | undefined {
    return readGeminiUsage(this.#counts, this.#queries.total);
  }

  get webSearches(): number {
    return this.#queries.total;
  }

  push(chunk: Uint8Array): Uint8Array | undefined {
    const texts: string[] = [];
    for (const event of this.#framer.push(chunk)) {
      const text = eventData(event);
      texts.push(...this.#pass(readEvent(event), text));
    }
    return this.#giveOut(texts);
  }

  close(): Uint8Array | undefined {
    const rest = this.#framer.rest();
    const given = this.#giveOut(this.#pass(readLastEvent(rest), rest && eventData(rest)));
    if (!this.failure && this.#isFinished()) this.ended = true;
    if (!this.ended) this.failure ??= upstreamUnavailable(new Error("the stream was cut"));
    return given;
  }

  finish(end: AnswerEnd): Uint8Array {
    const last = this.#held.length - 1;
    const texts = this.#held.map((text, i) =>
      writeGemini(text, this.#model, i === last ? end : undefined),
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
  #framed(texts: readonly string[]): Uint8Array[] {
    return texts.map((text, i) => this.#framing.chunk(text, i === 0 && !this.started));
  }

  #giveOut(texts: readonly string[]): Uint8Array | undefined {
    const pieces = this.#framed(texts);
    if (pieces.length > 0) this.started = true;
    return together(pieces);
  }

  #pass(value: unknown, text: string | undefined): string[] {
    if (this.ended || this.failure || value === undefined) return [];
    const error = errorOf(value);
    if (error) {
      this.failure = faultOfAnswer(error);
      return [];
    }
    if (!isObject(value) || text === undefined) throw new Error("a chunk must be an object");
    this.#read(value);
    this.#held.push(text);
    if (this.#isFinished()) return [];
    const passed = this.#held;
    this.#held = [];
    return passed.map((each) => writeGemini(each, this.#model));
  }

  #read(chunk: JsonObject): void {
    if (typeof chunk.responseId === "string") this.id ??= chunk.responseId;
    this.outputTokens += chunkTokens(chunk);
    this.#queries.add(chunk);
    if (readGeminiUsage(chunk.usageMetadata)) this.#counts = chunk.usageMetadata;
    if (blockOf(chunk) !== undefined) this.#blocked = true;
    for (const candidate of candidatesOf(chunk)) {
      const index = candidate.index ?? 0;
      this.#seen.add(index);
      if (finishOf(candidate) !== undefined) this.#finished.add(index);
    }
  }

  #isFinished(): boolean {
    if (this.#seen.size === 0) return this.#blocked;
    return this.#finished.size === this.#seen.size;
  }
}
