import { eventValue } from "../../bytes/event-value.ts";
import { ReadOnce } from "../../bytes/read-once.ts";
import { DONE, eventData, writeEvent } from "../../bytes/sse.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectsOf } from "../../optional.ts";
import type { AnswerTrack, Piece } from "../../wire.ts";
import { thinkingName } from "../reasoning-state.ts";

/** What a delta goes on with: its text, its thoughts, and each of its calls by itself. */
function piecesOfDelta(lane: string, delta: unknown): Piece[] {
  if (!isObject(delta)) return [];
  const { content, refusal, tool_calls, function_call } = delta;
  const spoken = Object.entries({ content, refusal, thinking: delta[thinkingName(delta)] });
  const older = [{ index: 0, function: function_call }];
  const calls = (Array.isArray(tool_calls) ? tool_calls : older).flatMap((call) => {
    const inner = isObject(call) ? (call.function ?? call.custom) : undefined;
    if (!isObject(inner)) return [];
    return [inner.name, inner.arguments, inner.input].map((text) => [`call ${call.index}`, text]);
  });
  return [...spoken, ...calls].flatMap(([name, text]) =>
    typeof text === "string" && text !== "" ? [{ lane: `${lane} ${name}`, text }] : [],
  );
}

function chunkOf(event: Uint8Array): JsonObject | undefined {
  const chunk = eventValue(eventData(event));
  return isObject(chunk) ? chunk : undefined;
}

/** A chat stream, followed so that it can be ended as `length`. */
export class ChatTrack implements AnswerTrack {
  /** What every chunk of the stream says of the answer. */
  #head: JsonObject = {};
  /** The first is there from the beginning, though nothing may have come of it. */
  readonly #open = new Set<unknown>([0]);
  readonly #chunks = new ReadOnce(chunkOf);

  piecesOf(event: Uint8Array): readonly Piece[] {
    return objectsOf(this.#chunks.first(event)?.choices).flatMap(({ index = 0, delta }) =>
      piecesOfDelta(String(index), delta),
    );
  }

  follow(event: Uint8Array): void {
    const chunk = this.#chunks.again(event);
    if (!chunk) return;
    const { id, object, created, model } = chunk;
    this.#head = { id, object, created, model };
    for (const { index = 0, finish_reason: reason } of objectsOf(chunk.choices)) {
      if (typeof reason === "string" && reason !== "") this.#open.delete(index);
      else this.#open.add(index);
    }
  }

  cutShort(): Uint8Array {
    const choices = [...this.#open].map((index) => ({ index, delta: {}, finish_reason: "length" }));
    return Buffer.concat([writeEvent(JSON.stringify({ ...this.#head, choices })), DONE]);
  }
}
