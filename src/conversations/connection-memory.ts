import type { Limits } from "../config/config.ts";
import { jsonChars } from "../lib/json/large-json.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import type { JsonObject } from "../protocols/fields.ts";
import {
  canBeSentAgain,
  inputItems,
  type Remembered,
  refuseOrphans,
  type TurnMemory,
} from "./conversations.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import type { Holder } from "./packing.ts";
import type { Reader } from "./record.ts";

interface Latest {
  readonly id: string;
  readonly items: readonly JsonObject[];
  readonly bytes: number;
  forget(): void;
  stored: boolean;
}

/** Where connections keep what they remember, and whose connection this is. */
interface MemoryOwner {
  readonly budget: MemoryBudget;
  readonly accountId: string;
}

/**
 * What one connection remembers: its latest turn, so that a client may go on from a response which
 * was never to be stored. Everything else is looked for among the stored ones. What a turn says that
 * is refused, or too large to be kept, is never held here; what is, counts with that of all connections.
 */
export class ConnectionMemory implements TurnMemory {
  readonly #stored: TurnMemory;
  readonly #limits: Limits;
  readonly #owner: MemoryOwner;
  #latest: Latest | undefined;
  #isClosed = false;
  /** Whether the turn that is running now goes on from a response which is nowhere but here. */
  #continuesUnstored = false;

  readonly wantsAll = true;

  constructor(stored: TurnMemory, limits: Limits, owner: MemoryOwner) {
    this.#stored = stored;
    this.#limits = limits;
    this.#owner = owner;
  }

  get enabled(): boolean {
    return this.#stored.enabled;
  }

  async expand(
    body: JsonObject,
    reader: Reader,
    timeBudget?: TimeBudget,
    holder?: Holder,
  ): Promise<JsonObject[] | undefined> {
    const latest = this.#latest;
    this.#continuesUnstored = false;
    if (latest === undefined || body.previous_response_id !== latest.id) {
      return this.#stored.expand(body, reader, timeBudget, holder);
    }
    this.#continuesUnstored = !latest.stored;
    const own = { ...body, previous_response_id: undefined };
    const added = await this.#stored.expand(own, reader, timeBudget, holder);
    const items = [...latest.items, ...(added ?? inputItems(body.input))];
    refuseOrphans(items);
    return items.filter(canBeSentAgain);
  }

  async remember(
    reader: Required<Reader>,
    turn: Remembered,
    stored: boolean,
    timeBudget?: TimeBudget,
  ): Promise<boolean> {
    const latest = await this.#latestOf(turn);
    // Set before it is stored: also where that fails, this connection may go on from it.
    this.#keep(latest);
    if (!stored) return true;
    const whole = this.#whollyStored(turn);
    const isStored =
      whole !== undefined && (await this.#stored.remember(reader, whole, stored, timeBudget));
    if (latest) latest.stored = isStored;
    return isStored;
  }

  /** What a client may go on from: nothing where it is too large to be kept. */
  async #latestOf({ id, conversation, response }: Remembered): Promise<Latest | undefined> {
    if (!conversation) return undefined;
    const output = Array.isArray(response.output) ? response.output : [];
    const items = [...conversation, ...output];
    const bytes = await jsonChars(items, this.#limits.response_bytes_max);
    if (bytes === undefined) return undefined;
    return { id, items, bytes, stored: false, forget: () => this.forget(id) };
  }

  /** In the place of what was there before. */
  #keep(latest: Latest | undefined): void {
    const { budget, accountId } = this.#owner;
    if (this.#latest) budget.release(accountId, this.#latest);
    this.#latest = this.#isClosed ? undefined : latest;
    if (this.#latest) budget.keep(accountId, this.#latest);
  }

  /** A stored turn stands on stored ones only; what it builds on otherwise becomes part of it, unless it is too large. */
  #whollyStored(turn: Remembered): Remembered | undefined {
    if (!this.#continuesUnstored) return turn;
    const { conversation } = turn;
    return conversation && { ...turn, parentId: null, input: conversation };
  }

  /** A turn that failed leaves nothing to go on from, so that no client builds on half a turn. */
  forget(id: string): void {
    if (this.#latest?.id === id) this.#keep(undefined);
  }

  drop(reader: Required<Reader>, id: string): Promise<void> {
    this.forget(id);
    return this.#stored.drop(reader, id);
  }

  /** Its connection is gone, and nobody goes on from the turn that may still run. */
  close(): void {
    this.#isClosed = true;
    this.#keep(undefined);
  }
}
