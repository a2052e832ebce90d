import type { NanoUsd } from "../../catalogue/money.ts";
import { shown } from "../shown.ts";
import { type BudgetPeriod, zoneName } from "./budget-window.ts";

/** A budget as someone asks for it. */
export interface BudgetTerms {
  readonly amount: NanoUsd;
  readonly period: BudgetPeriod;
  /** The IANA name of the zone in which days, weeks and months begin. */
  readonly timeZone: string;
}

/** A budget as it stands now. */
export interface KeyBudget extends BudgetTerms {
  readonly id: string;
  /** What was settled since the period began. */
  readonly used: NanoUsd;
  /** What running requests hold. It is the same in all budgets of a key. */
  readonly held: NanoUsd;
  /** Null for a budget that never starts anew. */
  readonly resetsAtMs: number | null;
}

/** What a key has used in all, and how its budgets stand. */
export interface KeySpending {
  readonly used: NanoUsd;
  readonly held: NanoUsd;
  /** How many of its requests hold it. */
  readonly running: bigint;
  /** The one that starts anew last comes first. */
  readonly budgets: readonly KeyBudget[];
}

/** Each budget is read for every request of the key. */
const BUDGETS_MAX = 8;

/** Two budgets with the same name would be one, of the smaller amount. */
export function budgetName({ period, timeZone }: Omit<BudgetTerms, "amount">): string {
  return period === "total" ? period : `${period} ${timeZone}`;
}

/** What is wrong with a list of budgets, and at which of them. */
export function budgetsProblem(
  budgets: readonly BudgetTerms[],
): { readonly index: number; readonly message: string } | undefined {
  const names = new Set<string>();
  for (const [index, terms] of budgets.entries()) {
    if (index >= BUDGETS_MAX) {
      return { index, message: `A key has at most ${BUDGETS_MAX} budgets.` };
    }
    if (zoneName(terms.timeZone) !== terms.timeZone) {
      return { index, message: `'${terms.timeZone}' is not the name of a time zone.` };
    }
    const name = budgetName(terms);
    if (names.has(name)) {
      return { index, message: "Two budgets have the same period and time zone." };
    }
    names.add(name);
  }
  return undefined;
}

/** A budget as every API and command shows it. */
export function budgetToJson(budget: KeyBudget) {
  return shown(budget, "id", "amount", "period", "timeZone", "used", "held", "resetsAtMs");
}

/** The first that is reached if nothing resets: the one with the least left. */
export function tightest(budgets: readonly KeyBudget[]): KeyBudget | undefined {
  let found: KeyBudget | undefined;
  for (const budget of budgets) {
    if (!found || budget.amount - budget.used < found.amount - found.used) found = budget;
  }
  return found;
}
