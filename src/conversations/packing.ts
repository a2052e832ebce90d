import { weighJson } from "../lib/json/json-bounds.ts";
import type { JsonObject } from "../protocols/fields.ts";

/** What a stored response holds: its own input and the response object with its output. */
export interface TurnContents {
  readonly input: readonly JsonObject[];
  readonly response: JsonObject;
}

/** Fast and already far smaller than the JSON; better levels cost more than the disk they save. */
const LEVEL = 1;

/** Undefined where it is more than so many bytes, unpacked: that is what reading it again costs. */
export async function pack(turn: TurnContents, bytesMax: number): Promise<Uint8Array | undefined> {
  const text = Buffer.from(JSON.stringify(turn));
  return text.byteLength > bytesMax ? undefined : Bun.zstdCompress(text, { level: LEVEL });
}

const UNBOUNDED = { partsMax: Number.POSITIVE_INFINITY, depthMax: Number.POSITIVE_INFINITY };

/** A turn, and how many bytes of memory it takes. */
export async function unpack(body: Uint8Array): Promise<{ turn: TurnContents; bytes: number }> {
  const text = new TextDecoder().decode(await Bun.zstdDecompress(body));
  return { turn: JSON.parse(text) as TurnContents, bytes: weighJson(text, UNBOUNDED) };
}

/** How many bytes of memory an item takes that is there once more. */
export function weightOf(item: JsonObject): number {
  return weighJson(JSON.stringify(item), UNBOUNDED);
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

export async function unpackAnswer(packed: Uint8Array): Promise<KeptAnswer> {
  const bytes = await Bun.zstdDecompress(packed);
  const line = bytes.indexOf(LF);
  const head = JSON.parse(bytes.subarray(0, line).toString()) as Omit<KeptAnswer, "body">;
  return { ...head, body: bytes.subarray(line + 1) };
}
