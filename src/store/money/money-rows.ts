import type { BudgetWindow } from "../../accounts/keys/budget-window.ts";
import type { RateSecond } from "../../admission/rates.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import type { Cell, ReceiptRow } from "../rows.ts";
import type { BudgetRow } from "./budget-rows.ts";
import type { BudgetReset, ScopeMove, ScopeRow } from "./scope-book.ts";

/** An open hold, as far as the end of it needs to know. */
export interface HoldRow {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly amount: NanoUsd;
}

/** The columns of a hold in the order both databases write them. */
export const HOLD_COLUMNS = [
  "id",
  "account_id",
  "key_id",
  "owner",
  "amount",
  "input_cost",
  "model",
  "endpoint",
  "channel",
  "stream",
  "created_at",
] as const;

/**
 * A hold that ends: posted with a charge or voided without. What was voided because its process seemed
 * dead, and ended all the same, is corrected.
 */
export interface EntryRow {
  readonly hold: HoldRow;
  readonly kind: "post" | "void" | "correction";
  readonly amount: NanoUsd;
  readonly createdAtMs: number;
}

/**
 * The rows a batch reads and writes inside its transaction, whatever the database. A read sees what
 * the batch has written before it.
 */
export interface MoneyRows {
  /** The account's balance and the sums of the key. */
  scopes(accountId: string, keyId: string): readonly ScopeRow[];
  moveScope(move: ScopeMove): void;
  budgets(keyId: string): readonly BudgetRow[];
  resetBudget(reset: BudgetReset): void;
  /** What the key was charged in a window that one of its budgets turns to, before this batch. */
  usedIn(keyId: string, window: BudgetWindow): NanoUsd;

  openHolds(keyId: string): number;
  findHold(id: string): HoldRow | undefined;
  /** Cells in the order of `HOLD_COLUMNS`. */
  insertHold(cells: readonly Cell[]): void;
  raiseHold(hold: HoldRow, more: NanoUsd): void;
  /** Removes the hold and returns it. Undefined when it was resolved before. */
  takeHold(id: string): HoldRow | undefined;

  insertEntry(entry: EntryRow): void;
  /** False when there is a receipt of this id already; the first one stays. */
  insertReceipt(row: ReceiptRow): boolean;
  /** The receipt of a request that was taken for dead; undefined once it has another, or there is none. */
  findInterrupted(id: string): ReceiptRow | undefined;
  /** Puts a receipt in the place of such a one. */
  replaceReceipt(row: ReceiptRow): void;
  /** Adds refusals to the receipt that they share, which the first of them make. */
  addToReceipt(row: ReceiptRow): void;
  /** Cells in the order of `ROLLUP_COLUMNS`. */
  addRollup(cells: readonly Cell[]): void;
  /** Cells in the order of `CHANNEL_DAY_COLUMNS`. */
  addChannelDay(cells: readonly Cell[], owner: string): void;
  /** Cells in the order of `INPUT_LOSS_COLUMNS`. */
  addInputLoss(cells: readonly Cell[]): void;
  /** Notes when the key was used; an earlier time than what is there changes nothing. */
  touchKey(keyId: string, nowMs: number): void;

  /** In ascending order. */
  rateSeconds(keyId: string, afterSecond: number): readonly RateSecond[];
  writeRateSecond(keyId: string, second: RateSecond): void;
}
