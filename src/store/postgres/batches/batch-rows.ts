import type { BudgetWindow } from "../../../accounts/keys/budget-window.ts";
import type { RateSecond } from "../../../admission/rates.ts";
import type { NanoUsd } from "../../../catalogue/money.ts";
import { type BudgetRow, budgetCells } from "../../money/budget-rows.ts";
import {
  type EntryRow,
  HOLD_COLUMNS,
  type HoldRow,
  type MoneyRows,
} from "../../money/money-rows.ts";
import type { BudgetReset, ScopeMove, ScopeRow } from "../../money/scope-book.ts";
import { isAstray } from "../../reads/astray.ts";
import { CHANNEL_DAY_COLUMNS } from "../../reads/channel-days.ts";
import { INPUT_LOSS_COLUMNS } from "../../reads/input-losses.ts";
import { ROLLUP_COLUMNS } from "../../reads/rollups.ts";
import { AT, type Cell, RECEIPT_COLUMNS, type ReceiptRow, storable } from "../../rows.ts";
import type { Statement } from "../connections.ts";
import { type Facts, mayHaveUsed, windowName } from "./facts.ts";
import type { Proof } from "./proof.ts";
import { isFound, type Write, writeBatch } from "./write-batch.ts";

/** Big integers go as text, since JSON numbers end at 53 bits. */
function jsonCell(cell: Cell | undefined): string | number | null {
  return typeof cell === "bigint" ? cell.toString() : (cell ?? null);
}

function named(columns: readonly string[], cells: readonly Cell[]): object {
  const row: Record<string, unknown> = {};
  columns.forEach((column, i) => {
    row[column] = jsonCell(cells[i]);
  });
  return row;
}

/** A list for a JSON parameter, free of what PostgreSQL cannot keep: NUL and half surrogates. */
export function jsonParam(rows: readonly unknown[]): string {
  const text = JSON.stringify(rows);
  if (!text.includes("\\u")) return text;
  const clean = (_: string, value: unknown) =>
    typeof value === "string" ? storable(value) : value;
  return JSON.stringify(rows, clean);
}

function holdOf(cells: readonly Cell[]): HoldRow {
  const cell = (name: (typeof HOLD_COLUMNS)[number]) => cells[HOLD_COLUMNS.indexOf(name)];
  return {
    id: String(cell("id")),
    account_id: String(cell("account_id")),
    key_id: String(cell("key_id")),
    amount: BigInt(cell("amount") ?? 0),
  };
}

/** The rows of a batch, known beforehand and written afterwards in one statement. */
export class BatchRows implements MoneyRows {
  readonly #facts: Facts;
  /** Holds that it has opened, and those that it has ended. */
  readonly opened: HoldRow[] = [];
  readonly ended: HoldRow[] = [];

  readonly #raised = new Map<string, NanoUsd>();
  readonly #written: Record<Write, unknown[]> = {
    taken: [],
    raised: [],
    opened: [],
    entered: [],
    received: [],
    replaced: [],
    moved: [],
    timed: [],
    summed: [],
    touched: [],
    turned: [],
    routed: [],
    lost: [],
    shared: [],
    strayed: [],
  };

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  scopes(accountId: string, keyId: string): readonly ScopeRow[] {
    const { scopes } = this.#facts;
    const found = [scopes.get(accountId), scopes.get(keyId)];
    return found.filter((scope) => scope !== undefined);
  }

  moveScope({ id, used, held, running }: ScopeMove): void {
    const by = { used: `${used}`, held: `${held}`, running: `${running}` };
    this.#written.moved.push({ id, ...by });
    const { scopes } = this.#facts;
    const row = scopes.get(id);
    if (!row) return;
    const sums = {
      used: row.used + used,
      held: row.held + held,
      running: row.running + running,
    };
    scopes.set(id, { ...row, ...sums });
  }

  budgets(keyId: string): readonly BudgetRow[] {
    return this.#facts.budgets.get(keyId) ?? [];
  }

  resetBudget({ keyId, row }: BudgetReset): void {
    const { id, base, window_start, resets_at } = budgetCells(keyId, row);
    this.#written.turned.push({ key_id: keyId, id, base: jsonCell(base), window_start, resets_at });
    const turned = this.budgets(keyId).map((each) => (each.id === id ? row : each));
    this.#facts.budgets.set(keyId, turned);
  }

  usedIn(keyId: string, window: BudgetWindow): NanoUsd {
    if (!mayHaveUsed(this.#facts, keyId, window)) return 0n;
    const used = this.#facts.usedIn.get(windowName(keyId, window));
    if (used === undefined) throw new Error(`nobody has asked what key ${keyId} has used`);
    return used;
  }

  openHolds(keyId: string): number {
    return this.#facts.openHolds.get(keyId) ?? 0;
  }

  /** Of a key whose holds were counted, all of the table. */
  #countHold({ key_id }: HoldRow, change: number): void {
    const { openHolds } = this.#facts;
    const open = openHolds.get(key_id);
    if (open !== undefined) openHolds.set(key_id, open + change);
  }

  findHold(id: string): HoldRow | undefined {
    return this.#facts.holds.get(id);
  }

  insertHold(cells: readonly Cell[]): void {
    this.#written.opened.push(named(HOLD_COLUMNS, cells));
    const hold = holdOf(cells);
    this.opened.push(hold);
    this.#countHold(hold, 1);
  }

  raiseHold(hold: HoldRow, more: NanoUsd): void {
    this.#facts.holds.set(hold.id, { ...hold, amount: hold.amount + more });
    this.#raised.set(hold.id, (this.#raised.get(hold.id) ?? 0n) + more);
  }

  takeHold(id: string): HoldRow | undefined {
    const hold = this.#facts.holds.get(id);
    if (!hold) return undefined;
    this.#facts.holds.delete(id);
    this.#written.taken.push(id);
    this.ended.push(hold);
    this.#countHold(hold, -1);
    return hold;
  }

  insertEntry({ hold, kind, amount, createdAtMs }: EntryRow): void {
    this.#written.entered.push({
      account_id: hold.account_id,
      key_id: hold.key_id,
      kind,
      amount: amount.toString(),
      hold_id: hold.id,
      created_at: createdAtMs,
    });
    if (kind === "void") return;
    const { lastCharges } = this.#facts;
    lastCharges.set(hold.key_id, Math.max(createdAtMs, lastCharges.get(hold.key_id) ?? 0));
  }

  #writeReceipt(part: "received" | "replaced" | "shared", row: ReceiptRow): void {
    this.#written[part].push(named(RECEIPT_COLUMNS, row));
    if (!isAstray(row)) return;
    this.#written.strayed.push({ account_id: row[AT.accountId], id: row[AT.id] });
  }

  insertReceipt(row: ReceiptRow): boolean {
    const { receipts } = this.#facts;
    const id = row[AT.id];
    if (receipts.has(id)) return false;
    receipts.set(id, undefined);
    this.#writeReceipt("received", row);
    return true;
  }

  findInterrupted(id: string): ReceiptRow | undefined {
    return this.#facts.receipts.get(id);
  }

  replaceReceipt(row: ReceiptRow): void {
    this.#facts.receipts.set(row[AT.id], undefined);
    this.#writeReceipt("replaced", row);
  }

  addToReceipt(row: ReceiptRow): void {
    this.#writeReceipt("shared", row);
  }

  addRollup(cells: readonly Cell[]): void {
    this.#written.summed.push(named(ROLLUP_COLUMNS, cells));
  }

  addChannelDay(cells: readonly Cell[], owner: string): void {
    this.#written.routed.push({ owner, ...named(CHANNEL_DAY_COLUMNS, cells) });
  }

  addInputLoss(cells: readonly Cell[]): void {
    this.#written.lost.push(named(INPUT_LOSS_COLUMNS, cells));
  }

  touchKey(id: string, nowMs: number): void {
    this.#written.touched.push({ id, last_used_at: nowMs });
  }

  rateSeconds(keyId: string): readonly RateSecond[] {
    return this.#facts.seconds.get(keyId) ?? [];
  }

  writeRateSecond(keyId: string, { second, requests, tokens }: RateSecond): void {
    this.#written.timed.push({ key_id: keyId, second, requests, tokens });
    const others = this.rateSeconds(keyId).filter((each) => each.second !== second);
    const seconds = [...others, { second, requests, tokens }];
    this.#facts.seconds.set(
      keyId,
      seconds.sort((a, b) => a.second - b.second),
    );
  }

  /**
   * The statement that writes what the batch came to; undefined where that is nothing. With a proof it takes the locks, and
   * writes only where all is as it was foreseen.
   */
  writing(proof?: Proof): Statement | undefined {
    const raised = [...this.#raised].map(([id, more]) => ({ id, more: more.toString() }));
    this.#written.raised.push(...raised);
    const parts: Partial<Record<Write, string>> = {};
    const expected: string[] = [];
    for (const [name, rows] of Object.entries(this.#written)) {
      if (rows.length === 0) continue;
      const part = name as Write;
      parts[part] = jsonParam(rows);
      if (isFound(part)) expected.push(`${part} ${rows.length}`);
    }
    if (Object.keys(parts).length === 0) return undefined;
    return writeBatch(parts, expected.join(", "), proof);
  }
}
