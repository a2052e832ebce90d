import { jsonPieces } from "../../lib/json/json-pieces.ts";
import { encodeInSteps } from "../../lib/text/chunked-text.ts";
import { isLargeValue } from "../../lib/yield-to-loop.ts";
import { JsonText } from "../bytes/splice.ts";
import type { JsonObject } from "../fields.ts";

/** A value that is too long to be written anew for each event that has it. */
interface LongValue {
  /** Its JSON, in chunks that are each sent within a moment. */
  readonly chunks: readonly Uint8Array[];
  /** Itself, where somebody asks for it. */
  readonly value: unknown;
}

export type LongMembers = Readonly<Record<string, LongValue>>;

/** Those members of an object that are long; undefined where none is. */
export async function longMembers(
  object: JsonObject,
  keepsValues: boolean,
): Promise<LongMembers | undefined> {
  const long: Record<string, LongValue> = {};
  for (const [name, value] of Object.entries(object)) {
    if (!isLargeValue(value)) continue;
    const { chunks } = await encodeInSteps(jsonPieces(value));
    long[name] = { chunks, value: keepsValues ? value : undefined };
  }
  return Object.keys(long).length > 0 ? long : undefined;
}

/** An object with nothing in the places of what is long. */
export function withoutLong(object: JsonObject, long: LongMembers): JsonObject {
  return { ...object, ...eachOf(long, () => null) };
}

/** An object with what is long, where that is kept. */
export function withLongValues(object: JsonObject, long: LongMembers): JsonObject {
  return { ...object, ...eachOf(long, ({ value }) => value) };
}

/** The same as changes of its text. */
export function longEchoes(long: LongMembers): Record<string, string> {
  return eachOf(long, () => "null");
}

function eachOf<T>(long: LongMembers, make: (value: LongValue) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(long).map(([name, value]) => [name, make(value)]));
}

const encoder = new TextEncoder();

/** The bytes of a text, with what is long in its places in the object that opens at or behind `from`. */
export function withLong(text: string, from: number, long: LongMembers): Uint8Array[] {
  const json = new JsonText(text, from);
  const places = Object.entries(long).flatMap(([name, { chunks }]) => {
    const span = json.locate(name);
    return span ? [{ ...span, chunks }] : [];
  });
  places.sort((a, b) => a.start - b.start);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, chunks } of places) {
    pieces.push(encoder.encode(text.slice(at, start)), ...chunks);
    at = end;
  }
  pieces.push(encoder.encode(text.slice(at)));
  return pieces;
}
