import { SseFramer } from "../../bytes/sse.ts";
import type { Answer, CanonEvent } from "../../canon.ts";
import { isObject } from "../../fields.ts";
import type { AnswerReader } from "../../wire.ts";
import { errorOf } from "../faults.ts";
import { blockOf, readEvent, readLastEvent } from "./chunks.ts";
import { endReading, newReading, type Reading, readChunk, usageOf } from "./read-chunks.ts";

/** A vendor's stream. It has no end marker: it is over when it closes behind a finish reason. */
export class GeminiReader implements AnswerReader {
  readonly #framer = new SseFramer();
  readonly #reading: Reading = newReading();

  push(chunk: Uint8Array): readonly CanonEvent[] {
    for (const event of this.#framer.push(chunk)) {
      // What a vendor says behind the end takes nothing of the answer away.
      if (this.#reading.over) break;
      readChunk(this.#reading, readEvent(event));
    }
    return this.#reading.events.splice(0);
  }

  close(): readonly CanonEvent[] {
    readChunk(this.#reading, readLastEvent(this.#framer.rest()));
    endReading(this.#reading);
    return this.#reading.events.splice(0);
  }
}

/** A whole answer: a stream of one chunk. */
export function readGeminiAnswer(body: unknown): Answer {
  const isAnswer = isObject(body) && (Array.isArray(body.candidates) || blockOf(body));
  if (!isAnswer && !errorOf(body)) throw new Error("the vendor's answer has no candidates");
  const reading = newReading();
  readChunk(reading, body);
  endReading(reading);
  const items = reading.events.flatMap((event) => (event.type === "item_done" ? [event.item] : []));
  const last = reading.events.at(-1);
  const base = { id: reading.id, items, usage: usageOf(reading) };
  if (last?.type === "end") {
    const { status, reason } = last;
    return { ...base, status, ...(reason ? { reason } : {}) };
  }
  const failure = last?.type === "failed" ? last.fault : undefined;
  return { ...base, status: "incomplete", failure };
}
