import type { JsonObject } from "../protocols/fields.ts";

/** What a stored response holds: its own input and the response object with its output. */
export interface StoredTurn {
  readonly input: readonly JsonObject[];
  readonly response: JsonObject;
}

/** Fast and already far smaller than the JSON; better levels cost more than the disk they save. */
const LEVEL = 1;

export async function pack(turn: StoredTurn): Promise<Uint8Array> {
  return Bun.zstdCompress(JSON.stringify(turn), { level: LEVEL });
}

export async function unpack(body: Uint8Array): Promise<StoredTurn> {
  const text = new TextDecoder().decode(await Bun.zstdDecompress(body));
  return JSON.parse(text) as StoredTurn;
}
