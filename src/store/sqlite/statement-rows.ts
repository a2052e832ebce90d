import type { RateSecond } from "../../admission/rates.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { type BudgetRow, readBudget } from "../money/budget-rows.ts";
import type { EntryRow, HoldRow, MoneyRows } from "../money/money-rows.ts";
import type { BudgetReset, ScopeMove, ScopeRow } from "../money/scope-book.ts";
import type { Cell, ReceiptRow } from "../rows.ts";
import type { MoneyStatements } from "./money-statements.ts";

/** The rows of a batch by prepared statements: each read and write goes to the file at once. */
export class StatementRows implements MoneyRows {
  readonly #sql: MoneyStatements;
  /**
   * Open holds that this process has written, so that ending one need not read it back. Only a hint:
   * the row is the truth, and what was undone or done by others is found out by looking for it.
   */
  readonly #written = new Map<string, HoldRow>();

  constructor(sql: MoneyStatements) {
    this.#sql = sql;
  }

  scopes(accountId: string, keyId: string): readonly ScopeRow[] {
    return this.#sql.scopes.all(accountId, keyId);
  }

  moveScope({ id, used, held, running }: ScopeMove): void {
    this.#sql.moveScope.run(used, held, running, id);
  }

  budgets(keyId: string): readonly BudgetRow[] {
    return this.#sql.budgets.all(keyId).map(readBudget);
  }

  resetBudget({ keyId, row }: BudgetReset): void {
    this.#sql.resetBudget.run(row.base, row.windowStartMs, row.resetsAtMs, keyId, row.id);
  }

  openHolds(keyId: string): number {
    return this.#sql.openHolds.get(keyId)?.open ?? 0;
  }

  findHold(id: string): HoldRow | undefined {
    return this.#sql.findHold.get(id) ?? undefined;
  }

  insertHold(cells: readonly Cell[]): void {
    this.#sql.insertHold.run(...(cells as Cell[]));
    const [id, account_id, key_id, , amount] = cells as [string, string, string, string, bigint];
    this.#written.set(id, { id, account_id, key_id, amount });
  }

  raiseHold(hold: HoldRow, more: NanoUsd): void {
    this.#sql.raiseHold.run(more, hold.id);
    this.#written.set(hold.id, { ...hold, amount: hold.amount + more });
  }

  takeHold(id: string): HoldRow | undefined {
    const written = this.#written.get(id);
    if (written) {
      this.#written.delete(id);
      if (this.#sql.removeHold.run(id, written.amount).changes > 0) return written;
    }
    return this.#sql.takeHold.get(id) ?? undefined;
  }

  insertEntry({ hold, kind, amount, createdAtMs }: EntryRow): void {
    const { account_id, key_id, id } = hold;
    this.#sql.insertEntry.run(account_id, key_id, kind, amount, id, createdAtMs);
  }

  insertReceipt(row: ReceiptRow): boolean {
    return this.#sql.insertReceipt.run(...(row as readonly Cell[] as Cell[])).changes > 0;
  }

  addToReceipt(row: ReceiptRow): void {
    this.#sql.addToReceipt.run(...(row as readonly Cell[] as Cell[]));
  }

  addRollup(cells: readonly Cell[]): void {
    this.#sql.addRollup.run(...(cells as Cell[]));
  }

  addChannelDay(cells: readonly Cell[]): void {
    this.#sql.addChannelDay.run(...(cells as Cell[]));
  }

  touchKey(keyId: string, nowMs: number): void {
    this.#sql.touchKey.run(nowMs, keyId);
  }

  rateSeconds(keyId: string, afterSecond: number): readonly RateSecond[] {
    return this.#sql.rateSeconds.all(keyId, afterSecond);
  }

  writeRateSecond(keyId: string, { second, requests, tokens }: RateSecond): void {
    this.#sql.writeRateSecond.run(keyId, second, requests, tokens);
  }
}
