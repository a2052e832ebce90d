import type { KeySpending } from "../../accounts/keys/budget.ts";
import type { BudgetWindow } from "../../accounts/keys/budget-window.ts";
import type { NanoUsd } from "../../catalogue/money.ts";
import type { Integer } from "../keys/key-rows.ts";
import {
  type BudgetCells,
  type BudgetRow,
  lastToReset,
  readBudget,
  standing,
  timeWith,
  turnsTo,
} from "./budget-rows.ts";

/** Of the scope `s` of a key and one of its budgets `b`, or none. Money is text, to stay whole. */
export const SPENDING_COLUMNS = `cast(s.used as text) as used, cast(s.held as text) as held, s.running,
  b.id as budget_id, b.period, b.time_zone, cast(b.max as text) as budget_max,
  cast(b.base as text) as base, b.window_start, b.resets_at,
  s.id as spender, (select k.last_used_at from keys k where k.id = s.id) as spent_at`;

/** A row of these columns; all of the budget is null for a key that has none. */
export interface SpendingRow extends Omit<BudgetCells, "id" | "max"> {
  readonly used: string;
  readonly held: string;
  readonly running: Integer;
  readonly now_ms: Integer;
  readonly budget_id: string | null;
  readonly budget_max: string;
  /** The key, and the latest time of its posts or a later one. */
  readonly spender: string;
  readonly spent_at: Integer | null;
}

/** What a key was charged in a window, from rows. */
export type AskUsed = (keyId: string, window: BudgetWindow) => Promise<NanoUsd>;

/** What was used in windows that budgets have turned to since their rows were written. */
export type UsedIn = (budgetId: string) => NanoUsd;

/** A budget as it was read, and since when its key may have been used no more. */
interface ReadBudget {
  readonly keyId: string;
  readonly row: BudgetRow;
  readonly lastUsedAtMs: number;
}

/**
 * Asks where a budget has turned and its key was used since, by the times of its posts: that is so where a clock was set,
 * or in the moment before a post turns the row.
 */
export async function usedSinceTurned(
  budgets: readonly ReadBudget[],
  nowMs: number,
  ask: AskUsed,
): Promise<UsedIn> {
  const used = new Map<string, NanoUsd>();
  for (const { keyId, row, lastUsedAtMs } of budgets) {
    const window = turnsTo(row, timeWith([row], nowMs));
    if (window && window.startMs <= lastUsedAtMs) used.set(row.id, await ask(keyId, window));
  }
  return (budgetId) => used.get(budgetId) ?? 0n;
}

/** The same of rows of these columns. */
export function usedBehind(rows: readonly SpendingRow[], ask: AskUsed): Promise<UsedIn> {
  const budgets = rows.flatMap((row) => {
    const budget = budgetOf(row);
    return budget
      ? [{ keyId: row.spender, row: budget, lastUsedAtMs: Number(row.spent_at ?? 0) }]
      : [];
  });
  return usedSinceTurned(budgets, Number(rows[0]?.now_ms ?? 0), ask);
}

function budgetOf(row: SpendingRow): BudgetRow | undefined {
  const { budget_id: id, budget_max: max } = row;
  return id === null ? undefined : readBudget({ ...row, id, max });
}

/** How a key stands, from a row for each of its budgets. */
export function readSpending(rows: readonly SpendingRow[], usedIn: UsedIn): KeySpending {
  const [first] = rows;
  if (!first) throw new Error("a key without sums");
  const { used, held, running } = first;
  const key = { used: BigInt(used), held: BigInt(held), running: BigInt(running) };
  const budgets = rows.flatMap((row) => {
    const budget = budgetOf(row);
    return budget ? [standing(budget, key, Number(row.now_ms), () => usedIn(budget.id))] : [];
  });
  return { ...key, budgets: budgets.sort(lastToReset) };
}
