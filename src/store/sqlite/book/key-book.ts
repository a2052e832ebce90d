import type { Scope } from "../../../admission/judge.ts";
import type { RateWindow } from "../../../admission/rates.ts";
import type { NanoUsd } from "../../../catalogue/money.ts";
import {
  type BudgetRow,
  counts,
  lastToReset,
  timeWith,
  turned,
  turnsTo,
} from "../../money/budget-rows.ts";
import type { KeyState } from "../journal/journal.ts";

/** What open requests hold. */
class Holding {
  held: NanoUsd = 0n;
  #running = 0;

  /** How many requests hold it: one that holds nothing is free, and does not count. */
  get running(): bigint {
    return BigInt(this.#running);
  }

  hold(amount: NanoUsd): void {
    this.held += amount;
    if (amount > 0n) this.#running += 1;
  }

  raise(more: NanoUsd): void {
    this.held += more;
  }

  letGo(amount: NanoUsd): void {
    this.held -= amount;
    if (amount > 0n) this.#running -= 1;
  }
}

/** The balance of an account, as it stands at this moment. */
export class BalanceBook extends Holding implements Scope {
  readonly kind = "balance";
  readonly id: string;
  max: NanoUsd = 0n;
  used: NanoUsd;
  /** How many books of its keys are open. */
  keys = 0;
  #credited: NanoUsd;
  /** On its way out of the account, and so nobody's any more. */
  #leaving: NanoUsd = 0n;

  constructor(id: string, credited: NanoUsd, charged: NanoUsd) {
    super();
    this.id = id;
    this.used = charged;
    this.#credited = credited;
    this.#measure();
  }

  set credited(credited: NanoUsd) {
    this.#credited = credited;
    this.#measure();
  }

  /** Takes money aside that a debit is to take; false where there is less beside what is held. */
  setAside(amount: NanoUsd): boolean {
    if (this.max - this.used - this.held < amount) return false;
    this.#leaving += amount;
    this.#measure();
    return true;
  }

  /** The debit was written, or came to nothing. */
  putBack(amount: NanoUsd): void {
    this.#leaving -= amount;
    this.#measure();
  }

  #measure(): void {
    this.max = this.#credited - this.#leaving;
  }
}

/** A budget of a key in its present window. What is held in it is what its key holds. */
export class BudgetBook implements Scope {
  readonly kind = "budget";
  readonly #key: KeyBook;
  row: BudgetRow;
  used: NanoUsd;

  constructor(key: KeyBook, row: BudgetRow) {
    this.#key = key;
    this.row = row;
    this.used = key.used - row.base;
  }

  get id(): string {
    return this.row.id;
  }

  get max(): NanoUsd {
    return this.row.max;
  }

  get held(): NanoUsd {
    return this.#key.held;
  }

  get running(): bigint {
    return this.#key.running;
  }
}

/** What the file says of a key whose book is opened. */
interface OpenedKey {
  readonly id: string;
  readonly balance: BalanceBook;
  readonly used: NanoUsd;
  readonly budgets: readonly BudgetRow[];
  readonly lastPostMs: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/**
 * What a key has used and holds, and what its requests are judged by. A post counts once it is on disk, in
 * the windows that were open when it was made.
 */
export class KeyBook extends Holding {
  readonly id: string;
  readonly balance: BalanceBook;
  used: NanoUsd;
  /** Its open requests, those among them that are free too. */
  open = 0;
  budgets: readonly BudgetBook[] = [];
  /** What a request of the key is judged by. */
  scopes: readonly (BalanceBook | BudgetBook)[] = [];
  rates: RateWindow | undefined;
  /** Whether its rates have changed since they were written. */
  ratesChanged = false;
  /** The last record of it, counted from the first of this process. */
  lastRecord = 0;
  #turnsAtMs = NEVER;
  #startMs = 0;
  /** No post has a later time, be it on disk or on its way there. */
  #lastPostMs: number;

  constructor({ id, balance, used, budgets, lastPostMs }: OpenedKey) {
    super();
    this.id = id;
    this.balance = balance;
    this.used = used;
    this.#lastPostMs = lastPostMs;
    this.#setBudgets(budgets);
  }

  /** The file says so, with everything that has been counted here. */
  become({ credited, charged, used, budgets }: KeyState): void {
    this.balance.credited = credited;
    this.balance.used = charged;
    this.used = used;
    this.#setBudgets(budgets);
  }

  #setBudgets(rows: readonly BudgetRow[]): void {
    this.budgets = rows.map((row) => new BudgetBook(this, row));
    this.#arrange();
  }

  #arrange(): void {
    this.budgets = this.budgets.toSorted((a, b) => lastToReset(a.row, b.row));
    this.scopes = [this.balance, ...this.budgets];
    this.#turnsAtMs = NEVER;
    this.#startMs = 0;
    for (const { row } of this.budgets) {
      this.#turnsAtMs = Math.min(this.#turnsAtMs, row.resetsAtMs ?? NEVER);
      this.#startMs = Math.max(this.#startMs, row.windowStartMs);
    }
  }

  #timeOf(nowMs: number): number {
    if (nowMs >= this.#startMs) return nowMs;
    return timeWith(
      this.budgets.map(({ row }) => row),
      nowMs,
    );
  }

  /**
   * Turns the windows that do not hold this moment. False where something may have been posted in the new ones, since a
   * clock was set: that is for the file to say, and `become` to bring.
   */
  turn(nowMs: number): boolean {
    return this.#turnTo(this.#timeOf(nowMs));
  }

  #turnTo(atMs: number): boolean {
    if (atMs >= this.#startMs && atMs < this.#turnsAtMs) return true;
    let isSure = true;
    for (const budget of this.budgets) {
      const window = turnsTo(budget.row, atMs);
      if (!window) continue;
      if (window.startMs <= this.#lastPostMs) {
        isSure = false;
        continue;
      }
      budget.row = turned(budget.row, window, this.used, 0n);
      budget.used = 0n;
    }
    this.#arrange();
    return isSure;
  }

  /** When something is posted that is posted now, and whether the windows of then are known here. */
  post(nowMs: number): { readonly atMs: number; readonly isSure: boolean } {
    const atMs = this.#timeOf(nowMs);
    const isSure = this.#turnTo(atMs);
    this.#lastPostMs = Math.max(this.#lastPostMs, atMs);
    return { atMs, isSure };
  }

  override hold(amount: NanoUsd): void {
    this.open += 1;
    super.hold(amount);
    this.balance.hold(amount);
  }

  override raise(more: NanoUsd): void {
    super.raise(more);
    this.balance.raise(more);
  }

  /** A hold is gone, and so much was charged for it at that moment. */
  end(amount: NanoUsd, charged: NanoUsd, atMs: number): void {
    this.open -= 1;
    this.letGo(amount);
    this.balance.letGo(amount);
    this.charge(charged, atMs);
  }

  charge(charged: NanoUsd, atMs: number): void {
    if (charged === 0n) return;
    this.balance.used += charged;
    this.used += charged;
    // Where none of these windows is that of then, whoever comes next has it read.
    for (const budget of this.budgets) {
      if (counts(budget.row, atMs)) budget.used += charged;
    }
  }
}
