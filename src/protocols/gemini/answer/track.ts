import { ReadOnce } from "../../bytes/read-once.ts";
import { writeEvent } from "../../bytes/sse.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import type { AnswerTrack, Piece } from "../../wire.ts";
import { candidatesOf, finishOf, partsOf, partTexts, readEvent } from "./chunks.ts";

function chunkOf(event: Uint8Array): JsonObject {
  const chunk = readEvent(event);
  return isObject(chunk) ? chunk : {};
}

/** A stream of this wire, followed so that it can be ended as `MAX_TOKENS`. */
export class GeminiTrack implements AnswerTrack {
  /** What every chunk of the stream says of the answer. */
  #head: JsonObject = {};
  /** The first is there from the beginning, though nothing may have come of it. */
  readonly #open = new Set<unknown>([0]);
  #calls = 0;
  readonly #chunks = new ReadOnce(chunkOf);

  piecesOf(event: Uint8Array): readonly Piece[] {
    return candidatesOf(this.#chunks.first(event)).flatMap((candidate) =>
      partsOf(candidate).flatMap((part) => {
        const lane = `${candidate.index ?? 0} ${this.#kindOf(part)}`;
        return partTexts(part).map((text) => ({ lane, text }));
      }),
    );
  }

  /** Its text, its thoughts, or one more call, which comes whole. */
  #kindOf(part: JsonObject): string {
    if (isObject(part.functionCall)) return `call ${this.#calls++}`;
    return part.thought === true ? "thought" : "text";
  }

  follow(event: Uint8Array): void {
    const chunk = this.#chunks.again(event);
    const { responseId, modelVersion } = chunk;
    this.#head = { responseId, modelVersion };
    for (const candidate of candidatesOf(chunk)) {
      const index = candidate.index ?? 0;
      if (finishOf(candidate) === undefined) this.#open.add(index);
      else this.#open.delete(index);
    }
  }

  cutShort(): Uint8Array {
    const content = { role: "model", parts: [{ text: "" }] };
    const candidates = [...this.#open].map((index) => ({
      index,
      content,
      finishReason: "MAX_TOKENS",
    }));
    return writeEvent(JSON.stringify({ candidates, ...this.#head }));
  }
}
