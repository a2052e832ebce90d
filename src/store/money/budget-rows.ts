import { type BudgetTerms, budgetName, type KeyBudget } from "../../accounts/keys/budget.ts";
import { type BudgetPeriod, windowOf } from "../../accounts/keys/budget-window.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { newId } from "../../lib/ids.ts";
import type { Cells } from "../keys/key-cells.ts";
import type { Integer } from "../keys/key-rows.ts";
import { chargedAt, GIVEN_BACK_ENTRIES } from "./given-back.ts";

/**
 * A budget as it is kept. What it has used is what its key has used beyond `base`, and what is held
 * in it is what its key holds, so a settlement writes one row of its key however many budgets there
 * are. A budget's own row changes only when its period turns.
 *
 * A request counts in the period in which it is settled. What is held when a period turns goes on
 * being held in the next one.
 */
export interface BudgetRow {
  readonly id: string;
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly max: NanoUsd;
  /** What the key had used when the window began, and what of its later charges was given back. */
  readonly base: NanoUsd;
  /** Posts of this time and later count, and no others: this is what verification goes by. */
  readonly windowStartMs: number;
  readonly resetsAtMs: number | null;
}

/** The columns of `budgets`, as either database returns them. */
export interface BudgetCells {
  readonly id: string;
  readonly period: string;
  readonly time_zone: string;
  readonly max: Integer | string;
  readonly base: Integer | string;
  readonly window_start: Integer;
  readonly resets_at: Integer | null;
}

export const BUDGET_COLUMNS = "id, period, time_zone, max, base, window_start, resets_at";

export function readBudget(cells: BudgetCells): BudgetRow {
  return {
    id: cells.id,
    period: cells.period as BudgetPeriod,
    timeZone: cells.time_zone,
    max: BigInt(cells.max),
    base: BigInt(cells.base),
    windowStartMs: Number(cells.window_start),
    resetsAtMs: cells.resets_at === null ? null : Number(cells.resets_at),
  };
}

export function budgetCells(keyId: string, row: BudgetRow): Cells {
  return {
    key_id: keyId,
    id: row.id,
    period: row.period,
    time_zone: row.timeZone,
    max: row.max,
    base: row.base,
    window_start: row.windowStartMs,
    resets_at: row.resetsAtMs,
  };
}

/** The same budget in the window of a later moment; undefined while its window lasts. */
export function afterReset(row: BudgetRow, used: NanoUsd, atMs: number): BudgetRow | undefined {
  const { period, timeZone, resetsAtMs } = row;
  if (period === "total" || resetsAtMs === null || atMs < resetsAtMs) return undefined;
  const window = windowOf(period, timeZone, atMs);
  // A zone's rules may have changed since the end was computed; what came before stays before.
  const windowStartMs = Math.max(window.startMs, resetsAtMs);
  return { ...row, base: used, windowStartMs, resetsAtMs: window.endMs };
}

/** The same budget beside a charge that was made before its window began; undefined where it counts. */
export function beforeWindow(
  row: BudgetRow,
  charged: NanoUsd,
  atMs: number,
): BudgetRow | undefined {
  return atMs < row.windowStartMs ? { ...row, base: row.base + charged } : undefined;
}

/** Whether a moment lies in the window of the row. */
export function isOpenAt({ windowStartMs, resetsAtMs }: BudgetRow, atMs: number): boolean {
  return atMs >= windowStartMs && (resetsAtMs === null || atMs < resetsAtMs);
}

type Resetting = Pick<BudgetRow, "id" | "resetsAtMs">;

/** The one that starts anew last comes first; of two that do so together, the one that is older. */
export function lastToReset(a: Resetting, b: Resetting): number {
  const never = Number.MAX_SAFE_INTEGER;
  const later = (b.resetsAtMs ?? never) - (a.resetsAtMs ?? never);
  return later || (a.id < b.id ? -1 : 1);
}

/** How a budget stands at a moment, whether or not its row has been written since it turned. */
export function standing(
  row: BudgetRow,
  key: { readonly used: NanoUsd; readonly held: NanoUsd },
  atMs: number,
): KeyBudget {
  const { id, period, timeZone, max, base, resetsAtMs } = afterReset(row, key.used, atMs) ?? row;
  return { id, amount: max, period, timeZone, used: key.used - base, held: key.held, resetsAtMs };
}

interface KeyState {
  readonly used: NanoUsd;
  readonly atMs: number;
  /** What was given back of all that. */
  readonly givenBack: NanoUsd;
  /** What was posted at a moment or later, and not given back. */
  usedSince(ms: number): NanoUsd;
}

/** What a key was charged since a moment and keeps, which verification sums up in the same way. */
export const USED_SINCE_SQL = `select cast(coalesce(sum(amount), 0) as text) as used from (
    select amount from entries where key_id = $1 and kind = 'post' and created_at >= $2
    union all
    select amount from entries where key_id = $1 and kind = 'correction' and created_at >= $2
    union all
    select -g.amount ${GIVEN_BACK_ENTRIES} and ${chargedAt("g.hold_id")} >= $2
  ) charged`;

/** When budgets of a key are set: now, or where the clock was set back, when it was last used. */
export function settingTime(nowMs: number, lastUsedAt: Integer | null): number {
  return Math.max(nowMs, Number(lastUsedAt ?? 0));
}

function namedRows(rows: readonly BudgetRow[]): ReadonlyMap<string, BudgetRow> {
  return new Map(rows.map((row) => [budgetName(row), row]));
}

/** The moments since which the budgets that a change opens count. */
export function openedSince(
  current: readonly BudgetRow[],
  wanted: readonly BudgetTerms[],
  atMs: number,
): readonly number[] {
  const kept = namedRows(current);
  return wanted.flatMap((terms) => {
    const { period, timeZone } = terms;
    if (period === "total" || kept.has(budgetName(terms))) return [];
    return [windowOf(period, timeZone, atMs).startMs];
  });
}

function opened({ amount, period, timeZone }: BudgetTerms, key: KeyState): BudgetRow {
  const terms = { id: newId("bud_"), period, timeZone, max: amount };
  if (period === "total") {
    return { ...terms, base: key.givenBack, windowStartMs: 0, resetsAtMs: null };
  }
  const { startMs, endMs } = windowOf(period, timeZone, key.atMs);
  const base = key.used - key.usedSince(startMs);
  return { ...terms, base, windowStartMs: startMs, resetsAtMs: endMs };
}

/**
 * The budgets of a key after a change. One whose period and zone stay keeps what was used; a total
 * counts everything the key ever used and was not given back, and all others what was settled since their window began.
 */
export function changedBudgets(
  current: readonly BudgetRow[],
  wanted: readonly BudgetTerms[],
  key: KeyState,
): readonly BudgetRow[] {
  const kept = namedRows(current);
  const rows = wanted.map((terms) => {
    const row = kept.get(budgetName(terms));
    return row ? { ...row, max: terms.amount } : opened(terms, key);
  });
  if (new Set(rows.map(budgetName)).size < rows.length) {
    throw new Error("two budgets have the same period and time zone");
  }
  return rows;
}
