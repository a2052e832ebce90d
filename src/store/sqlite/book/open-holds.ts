import type { NanoUsd } from "../../../catalogue/money.ts";
import { StorageError } from "../../../lib/faults.ts";
import type { HoldSlots, KeptHold } from "./hold-slots.ts";
import type { JournalPort } from "./journal-queue.ts";
import type { KeyBook } from "./key-book.ts";

/** A hold that has not ended. */
export class OpenHold {
  readonly key: KeyBook;
  /** As it was taken, but for the amount. */
  readonly #taken: KeptHold;
  amount: NanoUsd;
  slot: number | undefined;
  /** How much of it the file has a row of; undefined while it has none. */
  written: NanoUsd | undefined;
  /** There when it is on disk how the hold has ended. */
  ending: PromiseLike<unknown> | undefined;
  /** Of a process that is gone. */
  isLeft = false;
  /** Its client was told that nothing is charged. */
  isDenied = false;

  constructor(taken: KeptHold, key: KeyBook) {
    this.#taken = taken;
    this.key = key;
    this.amount = taken.amount;
  }

  get id(): string {
    return this.#taken.id;
  }

  kept(): KeptHold {
    const { amount } = this;
    return amount === this.#taken.amount ? this.#taken : { ...this.#taken, amount };
  }
}

/**
 * Every open hold is kept where the death of this process leaves it: in a slot of shared memory or, where
 * there is none for it, as a row of the file. Rows of the others are written for those who read the file.
 */
export class OpenHolds {
  readonly #slots: HoldSlots | undefined;
  readonly #journal: JournalPort;
  readonly #open = new Map<string, OpenHold>();
  /** The slots of those that were charged although they were denied, until it is given back. */
  readonly #owed = new Map<string, number>();

  constructor(slots: HoldSlots | undefined, journal: JournalPort) {
    this.#slots = slots;
    this.#journal = journal;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  find(id: string): OpenHold | undefined {
    return this.#open.get(id);
  }

  /** Resolves when it is kept; undefined when it is already. */
  open(hold: OpenHold): Promise<void> | undefined {
    hold.slot = this.#slots?.take(hold.kept());
    this.#open.set(hold.id, hold);
    hold.key.hold(hold.amount);
    return hold.slot === undefined ? this.#openRow(hold) : undefined;
  }

  #openRow(hold: OpenHold): Promise<void> {
    return this.#writeRow(hold, () => this.end(hold, 0n, 0));
  }

  raise(hold: OpenHold, more: NanoUsd): Promise<void> | undefined {
    hold.key.raise(more);
    hold.amount += more;
    const before = hold.slot;
    if (before === undefined) {
      return this.#writeRow(hold, () => {
        hold.key.raise(-more);
        hold.amount -= more;
      });
    }
    // The new one is whole before the old one goes: a kill between the two leaves both, of one id.
    const slot = this.#slots?.take(hold.kept());
    // Where there is no second one, the old says less than is held, which nothing depends on.
    if (slot === undefined) return undefined;
    this.#slots?.release(before);
    hold.slot = slot;
    return undefined;
  }

  async #writeRow(hold: OpenHold, undo: () => void): Promise<void> {
    const kept = hold.kept();
    try {
      await this.#journal.settleUp([kept]);
      hold.written = kept.amount;
    } catch (thrown) {
      undo();
      throw StorageError.from(thrown);
    }
  }

  end(hold: OpenHold, charged: NanoUsd, atMs: number): void {
    this.#open.delete(hold.id);
    if (hold.isDenied && charged > 0n && hold.slot !== undefined)
      this.#owed.set(hold.id, hold.slot);
    else if (hold.slot !== undefined) this.#slots?.release(hold.slot);
    hold.key.end(hold.amount, charged, atMs);
  }

  /** From now on a charge for it is owed to its client. One that has no slot leaves no word of that. */
  deny(id: string): void {
    const hold = this.#open.get(id);
    if (hold?.slot === undefined) return;
    hold.isDenied = true;
    this.#slots?.deny(hold.slot);
  }

  givenBack(id: string): void {
    const slot = this.#owed.get(id);
    if (slot === undefined) return;
    this.#owed.delete(id);
    this.#slots?.release(slot);
  }

  /** One that a former process left, in that slot or as a row. */
  adopt(hold: OpenHold, slot: number | undefined): void {
    hold.isLeft = true;
    hold.slot = slot;
    if (slot === undefined) hold.written = hold.amount;
    this.#open.set(hold.id, hold);
    hold.key.hold(hold.amount);
  }

  /** The file has a row of it already. */
  hasRow({ id, amount }: KeptHold): void {
    const hold = this.#open.get(id);
    if (hold) hold.written = amount;
  }

  /** The requests of this process that have not ended. */
  running(): string[] {
    return [...this.#open.values()].flatMap(({ id, isLeft }) => (isLeft ? [] : [id]));
  }

  left(): OpenHold[] {
    return [...this.#open.values()].filter(({ isLeft }) => isLeft);
  }

  /** Those of which the file has no row, or one that says less; from now on it has. */
  takeUnwritten(): KeptHold[] {
    const unwritten: KeptHold[] = [];
    for (const hold of this.#open.values()) {
      if (hold.written === hold.amount) continue;
      hold.written = hold.amount;
      unwritten.push(hold.kept());
    }
    return unwritten;
  }

  /** The file did not take them. */
  putBack(holds: readonly KeptHold[]): void {
    for (const { id } of holds) {
      const hold = this.#open.get(id);
      if (hold) hold.written = undefined;
    }
  }
}
