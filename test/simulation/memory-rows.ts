import type { BudgetTerms } from "../../src/accounts/keys/budget.ts";
import type { BudgetWindow } from "../../src/accounts/keys/budget-window.ts";
import type { RateSecond } from "../../src/admission/rates.ts";
import { type BudgetRow, changedBudgets } from "../../src/store/money/budget-rows.ts";
import { isInterrupted } from "../../src/store/money/interrupted.ts";
import type { EntryRow, HoldRow, MoneyRows } from "../../src/store/money/money-rows.ts";
import type { BudgetReset, ScopeMove, ScopeRow } from "../../src/store/money/scope-book.ts";
import { AT, type Cell, type ReceiptRow } from "../../src/store/rows.ts";

type WritableScope = { -readonly [name in keyof ScopeRow]: ScopeRow[name] };

/** The rows of the books in memory. What a batch has written can be taken back until it is kept. */
export class MemoryRows implements MoneyRows {
  readonly scopeRows = new Map<string, WritableScope>();
  readonly budgetRows = new Map<string, readonly BudgetRow[]>();
  readonly holds = new Map<string, HoldRow>();
  readonly entries: EntryRow[] = [];
  readonly receipts = new Map<string, ReceiptRow>();
  readonly #losses = new Map<string, { day: number; amount: bigint }>();
  readonly #seconds = new Map<string, Map<number, RateSecond>>();
  #undo: (() => void)[] = [];

  addScope(id: string, kind: ScopeRow["kind"], max: bigint | null): void {
    this.scopeRows.set(id, { id, kind, max, used: 0n, held: 0n, running: 0n });
  }

  addBudgets(keyId: string, terms: readonly BudgetTerms[], nowMs: number): void {
    const key = { used: 0n, atMs: nowMs, givenBack: 0n, usedIn: () => 0n };
    this.budgetRows.set(keyId, changedBudgets([], terms, key));
  }

  budgets(keyId: string): readonly BudgetRow[] {
    return this.budgetRows.get(keyId) ?? [];
  }

  resetBudget({ keyId, row }: BudgetReset): void {
    const before = this.budgets(keyId);
    this.#undo.push(() => this.budgetRows.set(keyId, before));
    const after = before.map((budget) => (budget.id === row.id ? row : budget));
    this.budgetRows.set(keyId, after);
  }

  usedIn(keyId: string, { startMs, endMs }: BudgetWindow): bigint {
    return this.entries.reduce((sum, { hold, amount, createdAtMs }) => {
      const counts = hold.key_id === keyId && createdAtMs >= startMs && createdAtMs < endMs;
      return counts ? sum + amount : sum;
    }, 0n);
  }

  keep(): void {
    this.#undo = [];
  }

  takeBack(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  scopes(accountId: string, keyId: string): WritableScope[] {
    return [accountId, keyId].flatMap((id) => {
      const row = this.scopeRows.get(id);
      return row ? [{ ...row }] : [];
    });
  }

  moveScope(move: ScopeMove): void {
    const row = this.scopeRows.get(move.id);
    if (!row) throw new Error(`no scope ${move.id}`);
    const { used, held, running } = row;
    this.#undo.push(() => Object.assign(row, { used, held, running }));
    row.used += move.used;
    row.held += move.held;
    row.running += move.running;
  }

  openHolds(keyId: string): number {
    return this.holds.values().reduce((sum, hold) => sum + Number(hold.key_id === keyId), 0);
  }

  findHold(id: string): HoldRow | undefined {
    return this.holds.get(id);
  }

  insertHold(cells: readonly Cell[]): void {
    const [id, account_id, key_id, , amount] = cells as [string, string, string, string, bigint];
    if (this.holds.has(id)) throw new Error(`there is a hold ${id} already`);
    this.#undo.push(() => this.holds.delete(id));
    this.holds.set(id, { id, account_id, key_id, amount });
  }

  raiseHold(hold: HoldRow, more: bigint): void {
    this.#undo.push(() => this.holds.set(hold.id, hold));
    this.holds.set(hold.id, { ...hold, amount: hold.amount + more });
  }

  takeHold(id: string): HoldRow | undefined {
    const hold = this.holds.get(id);
    if (!hold) return undefined;
    this.#undo.push(() => this.holds.set(id, hold));
    this.holds.delete(id);
    return hold;
  }

  insertEntry(entry: EntryRow): void {
    const isCorrection = entry.kind === "correction";
    const isSame = ({ hold, kind }: EntryRow) =>
      hold.id === entry.hold.id && (kind === "correction") === isCorrection;
    if (this.entries.some(isSame)) {
      throw new Error(`the hold ${entry.hold.id} was resolved before`);
    }
    this.#undo.push(() => void this.entries.pop());
    this.entries.push(entry);
  }

  insertReceipt(row: ReceiptRow): boolean {
    const id = row[AT.id] as string;
    if (this.receipts.has(id)) return false;
    this.#undo.push(() => this.receipts.delete(id));
    this.receipts.set(id, row);
    return true;
  }

  findInterrupted(id: string): ReceiptRow | undefined {
    const row = this.receipts.get(id);
    return row && isInterrupted(row) ? row : undefined;
  }

  replaceReceipt(row: ReceiptRow): void {
    const id = row[AT.id];
    const before = this.receipts.get(id);
    if (!before) throw new Error(`there is no receipt of ${id}`);
    this.#undo.push(() => this.receipts.set(id, before));
    this.receipts.set(id, row);
  }

  addToReceipt(row: ReceiptRow): void {
    const id = row[AT.id] as string;
    const before = this.receipts.get(id);
    const more = Number(before?.[AT.requests] ?? 0);
    this.#undo.push(() => {
      if (before) this.receipts.set(id, before);
      else this.receipts.delete(id);
    });
    const cells: readonly Cell[] = row;
    const added: readonly Cell[] = cells.with(AT.requests, more + Number(row[AT.requests]));
    this.receipts.set(id, added as ReceiptRow);
  }

  /** Sums by the hour are for other tests; nothing here reads them. */
  addRollup(): void {}

  addChannelDay(): void {}

  /** What an account has lost the house on the day of the last loss: the same object each time, as a key has it. */
  inputLossOf(accountId: string): { day: number; amount: bigint } {
    const known = this.#losses.get(accountId);
    if (known) return known;
    const loss = { day: 0, amount: 0n };
    this.#losses.set(accountId, loss);
    return loss;
  }

  addInputLoss(cells: readonly Cell[]): void {
    const [day, accountId, , , amount] = cells as [number, string, string, number, bigint];
    const loss = this.inputLossOf(accountId);
    const before = { ...loss };
    this.#undo.push(() => Object.assign(loss, before));
    loss.amount = day === loss.day ? loss.amount + amount : amount;
    loss.day = day;
  }

  touchKey(): void {}

  rateSeconds(keyId: string, afterSecond: number): RateSecond[] {
    const seconds = [...(this.#seconds.get(keyId)?.values() ?? [])];
    return seconds.filter(({ second }) => second > afterSecond).map((each) => ({ ...each }));
  }

  writeRateSecond(keyId: string, second: RateSecond): void {
    const seconds = this.#seconds.get(keyId) ?? new Map<number, RateSecond>();
    this.#seconds.set(keyId, seconds);
    const before = seconds.get(second.second);
    this.#undo.push(() => {
      if (before) seconds.set(second.second, before);
      else seconds.delete(second.second);
    });
    seconds.set(second.second, { ...second });
  }
}
