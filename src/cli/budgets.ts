import { type BudgetTerms, budgetsProblem, type KeyBudget } from "../accounts/keys/budget.ts";
import { BUDGET_PERIODS, type BudgetPeriod, zoneName } from "../accounts/keys/budget-window.ts";
import { formatUsd } from "../catalogue/money.ts";
import { mistake, type Options, optionalUsd, text, UsageError } from "./terminal/arguments.ts";
import { say } from "./words/language.ts";

function optionOf(period: BudgetPeriod): string {
  return period === "total" ? "budget" : `budget-${period}`;
}

/** The options that say which budgets a key has. */
export const BUDGET_SETTINGS: readonly string[] = [...BUDGET_PERIODS.map(optionOf), "time-zone"];

function zoneSaid(options: Options): string | undefined {
  const said = text(options, "time-zone");
  if (said === undefined) return undefined;
  const name = zoneName(said);
  if (name === undefined) throw mistake("notTimeZone", { option: "--time-zone" });
  return name;
}

/** The budgets of a key after what was said; those that are not named stay. Undefined for no word. */
export function budgetsSaid(
  options: Options,
  current: readonly BudgetTerms[],
): readonly BudgetTerms[] | undefined {
  if (BUDGET_SETTINGS.every((name) => options[name] === undefined)) return undefined;
  const zone = zoneSaid(options);
  const usual = current.find(({ period }) => period !== "total")?.timeZone ?? "UTC";
  const budgets = BUDGET_PERIODS.flatMap((period): BudgetTerms[] => {
    const amount = optionalUsd(options, optionOf(period));
    if (amount === null) return [];
    const known = current.filter((budget) => budget.period === period);
    const moved = period === "total" ? undefined : zone;
    const timeZone = moved ?? known[0]?.timeZone ?? (period === "total" ? "UTC" : usual);
    if (amount !== undefined) return [{ amount, period, timeZone }];
    return known.map((budget) => ({ ...budget, timeZone: moved ?? budget.timeZone }));
  });
  if (zone !== undefined && budgets.every(({ period }) => period === "total")) {
    throw mistake("timeZoneIdle", { option: "--time-zone" });
  }
  const problem = budgetsProblem(budgets);
  if (problem) throw new UsageError(problem.message);
  return budgets;
}

/** "5.0 a day, 20.0 a month"; a total needs no words. */
export function budgetWords(budgets: readonly KeyBudget[]): string {
  if (budgets.length === 0) return say("none");
  const words = budgets.map(({ amount, period }) =>
    say(`budget_${period}`, { amount: formatUsd(amount) }),
  );
  return words.join(", ");
}
