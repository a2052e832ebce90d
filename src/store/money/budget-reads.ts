import type { KeySpending } from "../../accounts/keys/budget.ts";
import type { Integer } from "../keys/key-rows.ts";
import { type BudgetCells, lastToReset, readBudget, standing } from "./budget-rows.ts";

/** Of the scope `s` of a key and one of its budgets `b`, or none. Money is text, to stay whole. */
export const SPENDING_COLUMNS = `cast(s.used as text) as used, cast(s.held as text) as held, s.running,
  b.id as budget_id, b.period, b.time_zone, cast(b.max as text) as budget_max,
  cast(b.base as text) as base, b.window_start, b.resets_at`;

/** A row of these columns; all of the budget is null for a key that has none. */
export interface SpendingRow extends Omit<BudgetCells, "id" | "max"> {
  readonly used: string;
  readonly held: string;
  readonly running: Integer;
  readonly now_ms: Integer;
  readonly budget_id: string | null;
  readonly budget_max: string;
}

/** How a key stands, from a row for each of its budgets. */
export function readSpending(rows: readonly SpendingRow[]): KeySpending {
  const [first] = rows;
  if (!first) throw new Error("a key without sums");
  const { used, held, running } = first;
  const key = { used: BigInt(used), held: BigInt(held), running: BigInt(running) };
  const budgets = rows.flatMap((row) => {
    const { budget_id: id, budget_max: max, now_ms } = row;
    return id === null ? [] : [standing(readBudget({ ...row, id, max }), key, Number(now_ms))];
  });
  return { ...key, budgets: budgets.sort(lastToReset) };
}
