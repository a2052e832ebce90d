import { createHash } from "node:crypto";
import { CallIds } from "../../translation/tool-names.ts";

/** The ids of calls that a vendor of this wire takes, and what it does not take in one. */
const TAKEN = /^[a-zA-Z0-9_-]+$/;
const FOREIGN = /[^a-zA-Z0-9_-]/g;
const HASH_CHARS = 8;

function sanitised(callId: string): string {
  if (TAKEN.test(callId)) return callId;
  const clean = callId.replace(FOREIGN, "_");
  const hash = createHash("sha256").update(callId).digest("hex").slice(0, HASH_CHARS);
  return `${clean}_${hash}`;
}

/** Ids for calls that are valid and unique, whatever other vendors have called them. */
export class ToolIds {
  readonly #times = new Map<string, number>();
  readonly #given = new Set<string>();

  /** The id of the next call with this name. */
  next(callId: string): string {
    const own = sanitised(callId);
    let times = this.#times.get(own) ?? 0;
    let id: string;
    // A call may have the very id that another has been given.
    do {
      times += 1;
      id = times === 1 ? own : `${own}_${times}`;
    } while (this.#given.has(id));
    this.#times.set(own, times);
    this.#given.add(id);
    return id;
  }
}

/**
 * Ids for the calls of one answer. A client sends them back with its results, to whichever vendor is
 * next: one that this wire's vendors would refuse is replaced by a new one, that no other answer has.
 */
export class AnswerToolIds {
  readonly #ids = new CallIds();

  next(callId: string): string {
    return this.#ids.distinct(TAKEN.test(callId) ? callId : undefined);
  }
}
