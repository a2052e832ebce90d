import { eventValue } from "../../bytes/event-value.ts";
import { ReadOnce } from "../../bytes/read-once.ts";
import { eventData, writeEvent } from "../../bytes/sse.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { objectOf } from "../../optional.ts";
import type { AnswerTrack, Piece } from "../../wire.ts";
import { generatedTexts } from "./result.ts";

function read(event: Uint8Array): JsonObject {
  return objectOf(eventValue(eventData(event)));
}

type Growing = Record<string, unknown>;

/** An item that the vendor has begun, as far as it has come. */
interface Entry {
  item: Growing;
  readonly parts: Map<unknown, Growing>;
  readonly summary: Map<unknown, Growing>;
  /** Whether any of it came in pieces. What did not comes with the end of the item. */
  grown: boolean;
  done: boolean;
}

/** Where the pieces of each kind of delta go. */
const MEMBERS: Readonly<Record<string, "text" | "refusal" | "arguments" | "input">> = {
  "response.output_text.delta": "text",
  "response.refusal.delta": "refusal",
  "response.reasoning_text.delta": "text",
  "response.function_call_arguments.delta": "arguments",
  "response.custom_tool_call_input.delta": "input",
};
const PARTS = {
  text: { type: "output_text", text: "", annotations: [] },
  refusal: { type: "refusal", refusal: "" },
};
const SUMMARY = { type: "summary_text", text: "" };
const SUMMARY_DELTA = "response.reasoning_summary_text.delta";

function grow(target: Growing, member: string, delta: string): void {
  target[member] = `${target[member] ?? ""}${delta}`;
}

/** A part that was announced, or one that the vendor began without a word. */
function partAt(parts: Map<unknown, Growing>, index: unknown, empty: Growing): Growing {
  const part = parts.get(index) ?? { ...empty };
  parts.set(index, part);
  return part;
}

/** The parts in the order of their numbers. */
function inOrder(parts: ReadonlyMap<unknown, JsonObject>): JsonObject[] {
  return [...parts].toSorted(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part);
}

/** A Responses stream, followed so that it can be ended as `incomplete`. */
export class ResponsesTrack implements AnswerTrack {
  #response: JsonObject = {};
  #sequence = 0;
  readonly #entries = new Map<unknown, Entry>();
  readonly #events = new ReadOnce(read);

  piecesOf(event: Uint8Array): readonly Piece[] {
    const { type, output_index, delta, item } = this.#events.first(event);
    const lane = `${output_index} ${type}`;
    if (typeof delta === "string") return [{ lane, text: delta }];
    if (type === "response.output_item.added" && isObject(item)) {
      return typeof item.name === "string" ? [{ lane, text: item.name }] : [];
    }
    const isWhole = type === "response.output_item.done" && !this.#entries.get(output_index)?.grown;
    return isWhole ? generatedTexts(item).map((text) => ({ lane, text })) : [];
  }

  follow(event: Uint8Array): void {
    const data = this.#events.again(event);
    const { sequence_number, type, output_index, item, response } = data;
    if (typeof sequence_number === "number") this.#sequence = sequence_number + 1;
    if (isObject(response)) this.#response = response;
    if (type === "response.output_item.added" && isObject(item)) this.#open(output_index, item);
    const entry = this.#entries.get(output_index);
    if (!entry) return;
    if (type === "response.output_item.done" && isObject(item)) {
      entry.item = { ...item };
      entry.done = true;
    } else this.#fill(entry, data);
  }

  cutShort(): Uint8Array {
    const events: Uint8Array[] = [];
    for (const [output_index, entry] of this.#entries) {
      if (entry.done) continue;
      entry.item = this.#incomplete(entry);
      events.push(...this.#endParts(output_index, entry));
      events.push(this.#write("response.output_item.done", { output_index, item: entry.item }));
    }
    const response = {
      ...this.#response,
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [...this.#entries.values()].map(({ item }) => item),
      usage: null,
    };
    return Buffer.concat([...events, this.#write("response.incomplete", { response })]);
  }

  #open(index: unknown, item: JsonObject): void {
    this.#entries.set(index, {
      item: { ...item },
      parts: new Map(),
      summary: new Map(),
      grown: false,
      done: false,
    });
  }

  #fill(entry: Entry, data: JsonObject): void {
    const { type, delta, part, content_index, summary_index } = data;
    if (isObject(part)) {
      if (summary_index === undefined) entry.parts.set(content_index, { ...part });
      else entry.summary.set(summary_index, { ...part });
    }
    if (typeof delta !== "string") return;
    entry.grown = true;
    const member = MEMBERS[String(type)];
    if (type === SUMMARY_DELTA) grow(partAt(entry.summary, summary_index, SUMMARY), "text", delta);
    else if (member === "arguments" || member === "input") grow(entry.item, member, delta);
    else if (member) grow(partAt(entry.parts, content_index, PARTS[member]), member, delta);
  }

  #incomplete({ item, parts, summary }: Entry): Growing {
    return {
      ...item,
      status: "incomplete",
      ...(parts.size > 0 ? { content: inOrder(parts) } : {}),
      ...(summary.size > 0 ? { summary: inOrder(summary) } : {}),
    };
  }

  /** A client puts a text together by its pieces and is told at its end what it has come to. */
  #endParts(output_index: unknown, { item, parts }: Entry): Uint8Array[] {
    if (item.type !== "message") return [];
    return [...parts].flatMap(([content_index, part]) => {
      const place = { item_id: item.id, output_index, content_index };
      const { type, text, refusal } = part;
      const said =
        type === "refusal"
          ? this.#write("response.refusal.done", { ...place, refusal })
          : this.#write("response.output_text.done", { ...place, text, logprobs: [] });
      return [said, this.#write("response.content_part.done", { ...place, part })];
    });
  }

  #write(type: string, members: JsonObject): Uint8Array {
    const sequence_number = this.#sequence++;
    return writeEvent(JSON.stringify({ type, sequence_number, ...members }), type);
  }
}
