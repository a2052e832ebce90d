import { type BudgetTerms, budgetName, type KeyBudget } from "../../accounts/keys/budget.ts";
import {
  type BudgetPeriod,
  type BudgetWindow,
  windowOf,
} from "../../accounts/keys/budget-window.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import { newId } from "../../lib/ids.ts";
import type { Cells } from "../keys/key-cells.ts";
import type { Integer } from "../keys/key-rows.ts";
import { chargedAt, givenBackEntries } from "./given-back.ts";

/**
 * A budget as it is kept. What it has used is what its key has used beyond `base`, and what is held
 * in it is what its key holds, so a settlement writes one row of its key however many budgets there
 * are. A budget's own row changes only when its period turns.
 *
 * A request counts in the period in which it is settled. What is held when a period turns goes on
 * being held in the next one.
 *
 * A clock may be set back, so a budget also turns to a period of before, with what was used in it.
 */
export interface BudgetRow {
  readonly id: string;
  readonly period: BudgetPeriod;
  readonly timeZone: string;
  readonly max: NanoUsd;
  /** What the key has used outside of the window, and what of its charges in it was given back. */
  readonly base: NanoUsd;
  /** Posts from this time until `resetsAtMs` count, and no others: this is what verification goes by. */
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

/** A clock that is set back by no more than this, as they are when they are kept right, turns no budget back. */
const SET_BACK_MS = 60_000;

/** When what happens to a key's money now happens: where its windows have just begun and the clock was set back, with them. */
export function timeWith(rows: readonly BudgetRow[], nowMs: number): number {
  let atMs = nowMs;
  for (const { windowStartMs } of rows) {
    if (windowStartMs - nowMs <= SET_BACK_MS) atMs = Math.max(atMs, windowStartMs);
  }
  return atMs;
}

/** Whether a budget counts what is posted at a moment, as its row stands. */
export function counts({ windowStartMs, resetsAtMs }: BudgetRow, atMs: number): boolean {
  return atMs >= windowStartMs && (resetsAtMs === null || atMs < resetsAtMs);
}

/** The window that a budget turns to at a moment; undefined where that lies in the one that it has. */
export function turnsTo(row: BudgetRow, atMs: number): BudgetWindow | undefined {
  const { period, timeZone, resetsAtMs } = row;
  if (period === "total" || resetsAtMs === null || counts(row, atMs)) return undefined;
  const { startMs, endMs } = windowOf(period, timeZone, atMs);
  // A zone's rules may have changed since the end was computed; what came before stays before.
  return { startMs: atMs < resetsAtMs ? startMs : Math.max(startMs, resetsAtMs), endMs };
}

/**
 * A budget in the window that it turns to. `usedInIt` is nothing, unless a clock was set: what was posted while it was
 * ahead lies in windows that are yet to come, and where it was set back the window is one of before.
 */
export function turned(
  row: BudgetRow,
  { startMs, endMs }: BudgetWindow,
  used: NanoUsd,
  usedInIt: NanoUsd,
): BudgetRow {
  return { ...row, base: used - usedInIt, windowStartMs: startMs, resetsAtMs: endMs };
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
  usedIn: (window: BudgetWindow) => NanoUsd,
): KeyBudget {
  const window = turnsTo(row, timeWith([row], atMs));
  const { id, period, timeZone, max, base, resetsAtMs } = window
    ? turned(row, window, key.used, usedIn(window))
    : row;
  return { id, amount: max, period, timeZone, used: key.used - base, held: key.held, resetsAtMs };
}

interface KeyState {
  readonly used: NanoUsd;
  readonly atMs: number;
  /** What was given back of all that. */
  readonly givenBack: NanoUsd;
  /** What was posted in a window, and not given back. */
  usedIn(window: BudgetWindow): NanoUsd;
}

/** What a key was charged in a window and keeps, which verification sums up in the same way. */
export function usedInSql(keyId: string, startMs: string, endMs: string): string {
  const isIn = (time: string) => `${time} >= ${startMs} and ${time} < ${endMs}`;
  return `select cast(coalesce(sum(amount), 0) as text) as used from (
    select amount from entries where key_id = ${keyId} and kind = 'post' and ${isIn("created_at")}
    union all
    select amount from entries where key_id = ${keyId} and kind = 'correction' and ${isIn("created_at")}
    union all
    select -g.amount ${givenBackEntries(keyId)} and ${isIn(chargedAt("g.hold_id"))}
  ) charged`;
}

export const USED_IN_SQL = usedInSql("$1", "$2", "$3");

function namedRows(rows: readonly BudgetRow[]): ReadonlyMap<string, BudgetRow> {
  return new Map(rows.map((row) => [budgetName(row), row]));
}

/** The windows of the budgets that a change opens. */
export function windowsOpened(
  current: readonly BudgetRow[],
  wanted: readonly BudgetTerms[],
  atMs: number,
): readonly BudgetWindow[] {
  const kept = namedRows(current);
  return wanted.flatMap((terms) => {
    const { period, timeZone } = terms;
    if (period === "total" || kept.has(budgetName(terms))) return [];
    return [windowOf(period, timeZone, atMs)];
  });
}

function opened({ amount, period, timeZone }: BudgetTerms, key: KeyState): BudgetRow {
  const terms = { id: newId("bud_"), period, timeZone, max: amount };
  if (period === "total") {
    return { ...terms, base: key.givenBack, windowStartMs: 0, resetsAtMs: null };
  }
  const window = windowOf(period, timeZone, key.atMs);
  const base = key.used - key.usedIn(window);
  return { ...terms, base, windowStartMs: window.startMs, resetsAtMs: window.endMs };
}

/**
 * The budgets of a key after a change. One whose period and zone stay keeps what was used; a total
 * counts everything the key ever used and was not given back, and all others what was settled in their window.
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
