import { UNBOUNDED, weighJson } from "../lib/json/json-bounds.ts";
import { jsonPieces } from "../lib/json/json-pieces.ts";
import { parseLargeJson, weighLargeJson, writeJson } from "../lib/json/large-json.ts";
import { type MaybePromise, whenThere } from "../lib/maybe-promise.ts";
import { encodeInSteps } from "../lib/text/chunked-text.ts";
import { decodeInSteps } from "../lib/utf8.ts";
import { flatten, isLarge, isLargeValue } from "../lib/yield-to-loop.ts";
import type { JsonObject } from "../protocols/fields.ts";
import { unpackedBytes } from "./zstd-frame.ts";

/** What a stored response holds: its own input and the response object with its output. */
export interface TurnContents {
  readonly input: readonly JsonObject[];
  readonly response: JsonObject;
}

/** Fast and already far smaller than the JSON; better levels cost more than the disk they save. */
const LEVEL = 1;

/** Undefined where it is more than so many bytes, unpacked: that is what reading it again costs. */
export async function pack(turn: TurnContents, bytesMax: number): Promise<Uint8Array | undefined> {
  const large = isLargeValue(turn) ? await encodeInSteps(jsonPieces(turn)) : undefined;
  // What is too much is not put together first.
  if (large && large.bytes > bytesMax) return undefined;
  const text = large ? Buffer.concat(large.chunks) : Buffer.from(JSON.stringify(turn));
  return text.byteLength > bytesMax ? undefined : Bun.zstdCompress(text, { level: LEVEL });
}

/** Whoever holds what is read. */
export interface Holder {
  /** Counts so many bytes more; throws where there is no room for them. */
  grow(bytes: number): void;
}

/** What was packed. It is counted before it is there: packed, it may be a thousandth of that. */
async function unpacked(packed: Uint8Array, holder?: Holder): Promise<Buffer> {
  holder?.grow(unpackedBytes(packed));
  return Bun.zstdDecompress(packed);
}

/** A turn, counted as what is made of it. */
export async function unpack(body: Uint8Array, holder?: Holder): Promise<TurnContents> {
  const bytes = await unpacked(body, holder);
  if (isLarge(bytes)) return unpackLarge(bytes, holder);
  const text = new TextDecoder().decode(bytes);
  holder?.grow(weighJson(text, UNBOUNDED) - bytes.length);
  return JSON.parse(text) as TurnContents;
}

/** In steps: whoever goes on from it may have sent a few bytes, and must not hold up others by them. */
async function unpackLarge(bytes: Uint8Array, holder?: Holder): Promise<TurnContents> {
  const text = await decodeInSteps([bytes]);
  await flatten(text);
  const weighed = await weighLargeJson(text, UNBOUNDED);
  holder?.grow(weighed.bytes - bytes.length);
  return (await parseLargeJson(text, weighed)) as TurnContents;
}

/** How many bytes of memory an item takes that is there once more. */
export function weightOf(item: JsonObject): MaybePromise<number> {
  return whenThere(writeJson(item), (text) =>
    isLarge(text) ? weighLarge(text) : weighJson(text, UNBOUNDED),
  );
}

async function weighLarge(text: string): Promise<number> {
  await flatten(text);
  return (await weighLargeJson(text, UNBOUNDED)).bytes;
}

/** An answer as its client got it. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const LF = 10;

/** A line for what stands in front of the body, then the body to the byte. */
export async function packAnswer({ status, headers, body }: KeptAnswer): Promise<Uint8Array> {
  const head = Buffer.from(`${JSON.stringify({ status, headers })}\n`);
  return Bun.zstdCompress(Buffer.concat([head, body]), { level: LEVEL });
}

export async function unpackAnswer(packed: Uint8Array, holder?: Holder): Promise<KeptAnswer> {
  const bytes = await unpacked(packed, holder);
  const line = bytes.indexOf(LF);
  const head = JSON.parse(bytes.subarray(0, line).toString()) as Omit<KeptAnswer, "body">;
  return { ...head, body: bytes.subarray(line + 1) };
}
