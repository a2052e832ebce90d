import { eventValue } from "../../bytes/event-value.ts";
import { ReadOnce } from "../../bytes/read-once.ts";
import { eventData, writeEvent } from "../../bytes/sse.ts";
import type { JsonObject } from "../../fields.ts";
import { objectOf } from "../../optional.ts";
import type { AnswerTrack, Piece } from "../../wire.ts";
import { blockTexts } from "./result.ts";

function read(event: Uint8Array): JsonObject {
  return objectOf(eventValue(eventData(event)));
}

function write(type: string, members: JsonObject = {}): Uint8Array {
  return writeEvent(JSON.stringify({ type, ...members }), type);
}

const REASON = { stop_reason: "max_tokens", stop_sequence: null };

/** A Messages stream, followed so that it can be ended as `max_tokens`. */
export class MessagesTrack implements AnswerTrack {
  readonly #open = new Set<unknown>();
  readonly #events = new ReadOnce(read);

  piecesOf(event: Uint8Array): readonly Piece[] {
    const { index, content_block, delta } = this.#events.first(event);
    const texts = [...blockTexts(content_block), ...blockTexts(delta)];
    return texts.map((text) => ({ lane: String(index), text }));
  }

  follow(event: Uint8Array): void {
    const { type, index } = this.#events.again(event);
    if (type === "content_block_start") this.#open.add(index);
    if (type === "content_block_stop") this.#open.delete(index);
  }

  cutShort(): Uint8Array {
    return Buffer.concat([
      ...[...this.#open].map((index) => write("content_block_stop", { index })),
      write("message_delta", { delta: REASON }),
      write("message_stop"),
    ]);
  }
}
