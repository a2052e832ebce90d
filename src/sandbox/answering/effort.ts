import { isRecord, type JsonRecord } from "../json.ts";

/** All that one answer may take, a tenth of a second or so: it is made on the loop that serves everybody. */
const EFFORT_MAX = 1_000_000;
/** What a value takes that is no text. */
const LEAF_EFFORT = 5;

/**
 * What is left for the answer to one request, in members looked at or copied and characters read or written. A
 * schema can ask for all of its members again at every item of a list, so the size of a request does not bound
 * it. Whoever finds it spent does no more than what costs nothing.
 */
export class Effort {
  #left = EFFORT_MAX;

  get spent(): boolean {
    return this.#left < 0;
  }

  /** Takes so much, and says whether it was there. */
  spend(units: number): boolean {
    this.#left -= units;
    return !this.spent;
  }

  /** The names of all members. Only looking tells how many they are, so nobody looks once it is spent. */
  keysOf(record: JsonRecord): readonly string[] {
    if (this.spent) return [];
    const keys = Object.keys(record);
    this.spend(keys.length);
    return keys;
  }

  /** The value, or null where less is left than it takes to write it. */
  written<T>(value: T): T | null {
    this.#write(value);
    return this.spent ? null : value;
  }

  #write(value: unknown): void {
    if (!this.spend(typeof value === "string" ? value.length : LEAF_EFFORT)) return;
    if (Array.isArray(value)) for (const item of value) this.#write(item);
    if (!isRecord(value)) return;
    for (const key of this.keysOf(value)) {
      this.spend(key.length);
      this.#write(value[key]);
    }
  }
}
