import type { RateSecond } from "../../../admission/rates.ts";
import type { NanoUsd } from "../../../catalogue/money.ts";
import {
  type BudgetCells,
  type BudgetRow,
  budgetCells,
  readBudget,
} from "../../money/budget-rows.ts";
import { rowAsRead } from "../../money/interrupted.ts";
import {
  type EntryRow,
  HOLD_COLUMNS,
  type HoldRow,
  type MoneyRows,
} from "../../money/money-rows.ts";
import type { BudgetReset, ScopeMove, ScopeRow } from "../../money/scope-book.ts";
import { isAstray } from "../../reads/astray.ts";
import { CHANNEL_DAY_COLUMNS } from "../../reads/channel-days.ts";
import { ROLLUP_COLUMNS } from "../../reads/rollups.ts";
import {
  AT,
  type Cell,
  RECEIPT_COLUMNS,
  type ReceiptColumn,
  type ReceiptRow,
  storable,
} from "../../rows.ts";
import type { Statement } from "../connections.ts";
import { isFound, type Load, type Write, writeSql } from "./money-sql.ts";

/** The row of `loadSql`; lists are JSON, null when empty and missing where nothing was asked for. */
export interface LoadedRow extends Readonly<Partial<Record<Load, string | null>>> {
  readonly now_ms: bigint;
  readonly xid: string;
}

/** Its id, and its cells where it may be replaced. */
type ReceiptOfBefore = [string, Readonly<Record<ReceiptColumn, Cell>> | null];

type BudgetOfKey = BudgetCells & { readonly key_id: string };

function list<T>(text: string | null | undefined): T[] {
  return text ? (JSON.parse(text) as T[]) : [];
}

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

/** The rows of a batch, read beforehand and written afterwards in one statement. */
export class BatchRows implements MoneyRows {
  readonly #scopes: Map<string, ScopeRow>;
  readonly #budgets: Map<string, BudgetOfKey[]>;
  readonly #holds: Map<string, HoldRow>;
  readonly #openHolds: Map<string, number>;
  readonly #seconds: Map<string, RateSecond[]>;
  readonly #receiptIds: Set<string>;
  readonly #interrupted = new Map<string, ReceiptRow>();

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
    shared: [],
    strayed: [],
  };

  constructor(scopes: readonly ScopeRow[], loaded: LoadedRow) {
    this.#scopes = new Map(scopes.map((scope) => [scope.id, scope]));
    this.#budgets = Map.groupBy(list<BudgetOfKey>(loaded.budgets), ({ key_id }) => key_id);
    const holds = list<[string, string, string, string]>(loaded.holds);
    this.#holds = new Map(
      holds.map(([id, account_id, key_id, amount]) => [
        id,
        { id, account_id, key_id, amount: BigInt(amount) },
      ]),
    );
    this.#openHolds = new Map(list<[string, number]>(loaded.open_holds));
    this.#seconds = new Map();
    for (const [keyId, ...rest] of list<[string, number, number, number]>(loaded.seconds)) {
      const [second, requests, tokens] = rest;
      const seconds = this.#seconds.get(keyId) ?? [];
      seconds.push({ second, requests, tokens });
      this.#seconds.set(keyId, seconds);
    }
    this.#receiptIds = new Set();
    for (const [id, cells] of list<ReceiptOfBefore>(loaded.receipts)) {
      this.#receiptIds.add(id);
      if (cells) this.#interrupted.set(id, rowAsRead(cells));
    }
  }

  scopes(accountId: string, keyId: string): readonly ScopeRow[] {
    const found = [this.#scopes.get(accountId), this.#scopes.get(keyId)];
    return found.filter((scope) => scope !== undefined);
  }

  moveScope({ id, used, held, running }: ScopeMove): void {
    const by = { used: `${used}`, held: `${held}`, running: `${running}` };
    this.#written.moved.push({ id, ...by });
  }

  budgets(keyId: string): readonly BudgetRow[] {
    return this.#budgets.get(keyId)?.map(readBudget) ?? [];
  }

  resetBudget({ keyId, row }: BudgetReset): void {
    const { id, base, window_start, resets_at } = budgetCells(keyId, row);
    this.#written.turned.push({ key_id: keyId, id, base: jsonCell(base), window_start, resets_at });
  }

  openHolds(keyId: string): number {
    return this.#openHolds.get(keyId) ?? 0;
  }

  #countHold(keyId: string, change: number): void {
    this.#openHolds.set(keyId, this.openHolds(keyId) + change);
  }

  findHold(id: string): HoldRow | undefined {
    return this.#holds.get(id);
  }

  insertHold(cells: readonly Cell[]): void {
    this.#written.opened.push(named(HOLD_COLUMNS, cells));
    this.#countHold(String(cells[HOLD_COLUMNS.indexOf("key_id")]), 1);
  }

  raiseHold(hold: HoldRow, more: NanoUsd): void {
    this.#holds.set(hold.id, { ...hold, amount: hold.amount + more });
    this.#raised.set(hold.id, (this.#raised.get(hold.id) ?? 0n) + more);
  }

  takeHold(id: string): HoldRow | undefined {
    const hold = this.#holds.get(id);
    if (!hold) return undefined;
    this.#holds.delete(id);
    this.#written.taken.push(id);
    // Taken from a count of the whole table, which had it.
    if (this.#openHolds.has(hold.key_id)) this.#countHold(hold.key_id, -1);
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
  }

  #writeReceipt(part: "received" | "replaced" | "shared", row: ReceiptRow): void {
    this.#written[part].push(named(RECEIPT_COLUMNS, row));
    if (!isAstray(row)) return;
    this.#written.strayed.push({ account_id: row[AT.accountId], id: row[AT.id] });
  }

  insertReceipt(row: ReceiptRow): boolean {
    const id = row[AT.id];
    if (this.#receiptIds.has(id)) return false;
    this.#receiptIds.add(id);
    this.#writeReceipt("received", row);
    return true;
  }

  findInterrupted(id: string): ReceiptRow | undefined {
    return this.#interrupted.get(id);
  }

  replaceReceipt(row: ReceiptRow): void {
    this.#interrupted.delete(row[AT.id]);
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

  touchKey(id: string, nowMs: number): void {
    this.#written.touched.push({ id, last_used_at: nowMs });
  }

  rateSeconds(keyId: string): readonly RateSecond[] {
    return this.#seconds.get(keyId) ?? [];
  }

  writeRateSecond(keyId: string, { second, requests, tokens }: RateSecond): void {
    this.#written.timed.push({ key_id: keyId, second, requests, tokens });
  }

  /** The statement that writes what the batch came to; undefined where that is nothing. */
  writing(): Statement | undefined {
    const raised = [...this.#raised].map(([id, more]) => ({ id, more: more.toString() }));
    this.#written.raised.push(...raised);
    const parts: Write[] = [];
    const params: string[] = [];
    const expected: string[] = [];
    for (const [name, rows] of Object.entries(this.#written)) {
      if (rows.length === 0) continue;
      const part = name as Write;
      parts.push(part);
      params.push(jsonParam(rows));
      if (isFound(part)) expected.push(`${part} ${rows.length}`);
    }
    if (parts.length === 0) return undefined;
    return { text: writeSql(parts), params: [...params, expected.join(", ")] };
  }
}
