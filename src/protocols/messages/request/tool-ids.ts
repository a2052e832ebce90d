import { createHash } from "node:crypto";

/** The characters that a vendor of this wire takes in the id of a call. */
const FOREIGN = /[^a-zA-Z0-9_-]/g;
const HASH_CHARS = 8;

function sanitised(callId: string): string {
  const clean = callId.replace(FOREIGN, "_");
  if (clean === callId && clean !== "") return clean;
  const hash = createHash("sha256").update(callId).digest("hex").slice(0, HASH_CHARS);
  return `${clean}_${hash}`;
}

/** Ids for calls that are valid and unique, whatever other vendors have called them. */
export class ToolIds {
  readonly #times = new Map<string, number>();

  /** The id of the next call with this name. */
  next(callId: string): string {
    const id = sanitised(callId);
    const times = (this.#times.get(id) ?? 0) + 1;
    this.#times.set(id, times);
    return times === 1 ? id : `${id}_${times}`;
  }
}
