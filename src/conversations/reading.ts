import type { Limits } from "../config/config.ts";
import { Fault } from "../lib/faults.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import { isObject, type JsonObject } from "../protocols/fields.ts";
import { itemNames } from "./item-name.ts";
import { type Holder, type TurnContents, unpack, weightOf } from "./packing.ts";
import type { Reader, ResponseRecord } from "./record.ts";
import type { ConversationStore } from "./store.ts";

export function itemNotFound(id: string): Fault {
  return new Fault(
    "item_not_found",
    `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false.`,
    { param: "input" },
  );
}

export function isReference(item: JsonObject): boolean {
  return item.type === "item_reference" || (item.type === undefined && item.role === undefined);
}

export function outputOf(turn: TurnContents): JsonObject[] {
  const { output } = turn.response;
  return Array.isArray(output) ? output.filter(isObject) : [];
}

/**
 * One request's reading of what is stored. A few bytes can stand for any number of turns, so what they
 * come to is counted, and a turn that is referred to again is not read again.
 */
export class Reading implements Holder {
  readonly reader: Reader;
  readonly nowMs: number;
  readonly timeBudget: TimeBudget | undefined;
  readonly #store: ConversationStore;
  readonly #bytesMax: number;
  readonly #holder: Holder | undefined;
  readonly #items = new Map<string, JsonObject>();
  readonly #read = new Map<string, TurnContents>();
  #bytes = 0;

  constructor(
    store: ConversationStore,
    reader: Reader,
    nowMs: number,
    limits: Limits,
    timeBudget?: TimeBudget,
    holder?: Holder,
  ) {
    this.timeBudget = timeBudget;
    this.#holder = holder;
    this.#store = store;
    this.reader = reader;
    this.nowMs = nowMs;
    this.#bytesMax = limits.response_chain_bytes_max;
  }

  /** The item itself, or the one that it refers to. */
  async resolved(item: JsonObject): Promise<JsonObject> {
    if (!isReference(item)) return item;
    const id = String(item.id);
    const known = this.#items.get(id);
    if (known) return this.#again(known);
    const record = await this.#recordOf(id);
    if (!record) throw itemNotFound(id);
    await this.turnOf(record);
    const found = this.#items.get(id);
    if (!found) throw itemNotFound(id);
    return found;
  }

  async #recordOf(itemId: string): Promise<ResponseRecord | undefined> {
    const { reader, nowMs, timeBudget } = this;
    for (const name of itemNames(itemId)) {
      const record = await this.#store.findByItem(name, reader, nowMs, timeBudget);
      if (record) return record;
    }
    return undefined;
  }

  async turnOf(record: ResponseRecord): Promise<TurnContents> {
    const known = this.#read.get(record.id);
    if (known) return known;
    const turn = await unpack(record.body, this);
    this.#read.set(record.id, turn);
    for (const item of [...turn.input, ...outputOf(turn)]) {
      // A reference has the id of what it refers to, which stands elsewhere.
      if (typeof item.id === "string" && !isReference(item)) this.#items.set(item.id, item);
    }
    return turn;
  }

  /** One item may be referred to again and again, and is sent to the vendor each time. */
  async #again(item: JsonObject): Promise<JsonObject> {
    this.grow(await weightOf(item));
    return item;
  }

  grow(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#bytesMax) {
      this.#holder?.grow(bytes);
      return;
    }
    throw new Fault(
      "invalid_value",
      `The conversation that this request goes on from takes more than ${this.#bytesMax} bytes; start a new one.`,
      { param: "previous_response_id" },
    );
  }
}
