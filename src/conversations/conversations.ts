import type { Limits } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import { newId } from "../lib/ids.ts";
import type { TimeBudget } from "../lib/threads/time-budget.ts";
import { isObject, type JsonObject } from "../protocols/fields.ts";
import { itemName } from "./item-name.ts";
import { type Holder, pack, type TurnContents, unpack } from "./packing.ts";
import { isReference, itemNotFound, outputOf, Reading } from "./reading.ts";
import type { Reader, ResponseRecord } from "./record.ts";
import { shownItems } from "./shown-items.ts";
import type { ConversationStore } from "./store.ts";

export interface Remembered {
  readonly id: string;
  readonly parentId: string | null;
  readonly input: readonly JsonObject[];
  /** The input with all that it goes on from, for whoever wants all. Left out where that is too large to be kept. */
  readonly conversation?: readonly JsonObject[];
  readonly response: JsonObject;
}

interface ItemPage {
  readonly items: readonly JsonObject[];
  readonly hasMore: boolean;
}

function previousNotFound(id: string): Fault {
  return new Fault("previous_response_not_found", `Previous response with id '${id}' not found.`, {
    param: "previous_response_id",
  });
}

/** A result must answer a call of the conversation that it continues. */
export function refuseOrphans(items: readonly JsonObject[]): void {
  const called = new Set<unknown>();
  for (const { type, call_id } of items) {
    if (type === "function_call" || type === "custom_tool_call") called.add(call_id);
    const isResult = type === "function_call_output" || type === "custom_tool_call_output";
    if (!isResult || called.has(call_id)) continue;
    const shown = String(call_id).slice(0, 100);
    throw new Fault(
      "invalid_value",
      `No tool call found for function call output with call_id ${shown}.`,
      { param: "input" },
    );
  }
}

/** Reasoning can only be sent again in the vendor's sealed form. */
export function canBeSentAgain(item: JsonObject): boolean {
  return item.type !== "reasoning" || typeof item.encrypted_content === "string";
}

/** `input` as a list of items: a plain text is one message of the user. */
export function inputItems(input: unknown): JsonObject[] {
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
}

/** How ids of items begin, by their kind. */
const ID_PREFIXES: ReadonlyMap<unknown, string> = new Map([
  ["function_call", "fc_"],
  ["function_call_output", "fco_"],
  ["custom_tool_call", "ctc_"],
  ["custom_tool_call_output", "ctco_"],
  ["reasoning", "rs_"],
  ["web_search_call", "ws_"],
]);

function withId(item: JsonObject): JsonObject {
  if (typeof item.id === "string" && item.id !== "") return item;
  return { ...item, id: newId(ID_PREFIXES.get(item.type) ?? "msg_") };
}

/** What an item refers to may be gone, or too much; then it is shown as it was sent. */
function stays(item: JsonObject): (thrown: unknown) => JsonObject {
  return (thrown) => {
    // There is no room for it at the moment: whoever asks again gets it.
    if (thrown instanceof Fault && thrown.fault !== "overloaded") return item;
    throw thrown;
  };
}

/** Where a turn finds the conversation it continues, and where it leaves its own. */
export interface TurnMemory {
  /** Whether responses are stored at all. */
  readonly enabled: boolean;
  /** Whether also those are wanted that shall not be stored. */
  readonly wantsAll: boolean;
  /**
   * The whole conversation that a request stands for, or undefined when its own input is all of it. What is
   * read for it is counted as it is read, so that many at once hold no more than there is room for.
   */
  expand(
    body: JsonObject,
    reader: Reader,
    timeBudget?: TimeBudget,
    holder?: Holder,
  ): Promise<JsonObject[] | undefined>;
  /** Keeps a response. False when it is too large to be kept. */
  remember(
    reader: Required<Reader>,
    turn: Remembered,
    stored: boolean,
    timeBudget?: TimeBudget,
  ): Promise<boolean>;
  /** Takes a response away again that was kept, if it is there. */
  drop(reader: Required<Reader>, id: string): Promise<void>;
}

/** Stored responses: what a client may continue, refer to, read again and delete. */
export class Conversations implements TurnMemory {
  readonly #store: ConversationStore;
  readonly #limits: Limits;
  readonly #clock: Clock;
  readonly enabled: boolean;
  readonly wantsAll = false;

  constructor(store: ConversationStore, limits: Limits, clock: Clock, enabled: boolean) {
    this.#store = store;
    this.#limits = limits;
    this.#clock = clock;
    this.enabled = enabled;
  }

  async expand(
    body: JsonObject,
    reader: Reader,
    timeBudget?: TimeBudget,
    holder?: Holder,
  ): Promise<JsonObject[] | undefined> {
    const own = inputItems(body.input);
    const previousId = body.previous_response_id;
    if (typeof previousId !== "string" && !own.some(isReference)) return undefined;
    const reading = new Reading(
      this.#store,
      reader,
      this.#clock(),
      this.#limits,
      timeBudget,
      holder,
    );
    const items = typeof previousId === "string" ? await this.#history(previousId, reading) : [];
    for (const item of own) items.push(await reading.resolved(item));
    if (typeof previousId === "string") refuseOrphans(items);
    return items.filter(canBeSentAgain);
  }

  async #history(id: string, reading: Reading): Promise<JsonObject[]> {
    const { response_chain_turns_max: turnsMax, response_chain_bytes_max: bytesMax } = this.#limits;
    const reach = { turnsMax, bytesMax };
    const { reader, nowMs, timeBudget } = reading;
    const chain = await this.#store.chain(id, reader, nowMs, reach, timeBudget);
    const oldest = chain[0];
    if (!oldest) throw previousNotFound(id);
    if (oldest.parentId !== null && chain.length === turnsMax) {
      throw new Fault(
        "invalid_value",
        `The conversation behind '${id}' has more than ${turnsMax} turns; start a new one.`,
        { param: "previous_response_id" },
      );
    }
    const items: JsonObject[] = [];
    for (const record of chain) {
      const turn = await reading.turnOf(record);
      for (const item of turn.input) items.push(await reading.resolved(item));
      for (const item of outputOf(turn)) items.push(item);
    }
    // Cut off where it was too much, it has been refused by now: then there is no more of it.
    if (oldest.parentId !== null) throw previousNotFound(oldest.parentId);
    return items;
  }

  async remember(
    reader: Required<Reader>,
    turn: Remembered,
    _stored?: boolean,
    timeBudget?: TimeBudget,
  ): Promise<boolean> {
    const input = turn.input.map(withId);
    const body = await pack({ input, response: turn.response }, this.#limits.response_bytes_max);
    if (!body) return false;
    const nowMs = this.#clock();
    const items = [...input, ...outputOf({ input, response: turn.response })];
    const record: ResponseRecord = {
      id: turn.id,
      accountId: reader.accountId,
      keyId: String(reader.keyId),
      parentId: turn.parentId,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + this.#limits.response_ttl_ms,
      itemIds: items
        .filter((item) => !isReference(item) && typeof item.id === "string")
        .map((item) => itemName(String(item.id))),
      body,
    };
    await this.#store.save(record, this.#limits.responses_account_bytes_max, timeBudget);
    return true;
  }

  /** What is read for it is counted, as of `expand`. */
  async response(
    id: string,
    reader: Reader,
    timeBudget?: TimeBudget,
    holder?: Holder,
  ): Promise<JsonObject> {
    return (await this.#turn(id, reader, timeBudget, holder)).response;
  }

  /** The input of a response, newest first unless asked otherwise, from behind `after` on. */
  async input(
    id: string,
    reader: Reader,
    page: { limit: number; order: "asc" | "desc"; after: string | undefined },
    timeBudget?: TimeBudget,
    holder?: Holder,
  ): Promise<ItemPage> {
    const { input } = await this.#turn(id, reader, timeBudget, holder);
    const nowMs = this.#clock();
    const reading = new Reading(this.#store, reader, nowMs, this.#limits, timeBudget, holder);
    const whole: JsonObject[] = [];
    for (const item of input) whole.push(await reading.resolved(item).catch(stays(item)));
    const items = shownItems(whole);
    const ordered = page.order === "asc" ? items : items.toReversed();
    const from =
      page.after === undefined ? 0 : ordered.findIndex((item) => item.id === page.after) + 1;
    if (page.after !== undefined && from === 0) throw itemNotFound(page.after);
    return {
      items: ordered.slice(from, from + page.limit),
      hasMore: from + page.limit < ordered.length,
    };
  }

  async remove(id: string, reader: Reader, timeBudget?: TimeBudget): Promise<void> {
    if (!(await this.#store.remove(id, reader, timeBudget))) throw this.#notFound(id);
  }

  async drop(reader: Required<Reader>, id: string): Promise<void> {
    if (this.enabled) await this.#store.remove(id, reader);
  }

  sweep(): Promise<number> {
    return this.#store.sweep(this.#clock());
  }

  async #turn(
    id: string,
    reader: Reader,
    timeBudget: TimeBudget | undefined,
    holder: Holder | undefined,
  ): Promise<TurnContents> {
    const record = await this.#store.find(id, reader, this.#clock(), timeBudget);
    if (!record) throw this.#notFound(id);
    return unpack(record.body, holder);
  }

  #notFound(id: string): Fault {
    return new Fault("not_found", `Response with id '${id.slice(0, 100)}' not found.`, {
      param: "response_id",
    });
  }
}
