import type { Budget, Key } from "../../../src/console/contract/keys.ts";
import { useSpeech } from "../../i18n/language.tsx";
import { percentOf } from "../../lib/decimal.ts";
import { Meter } from "../../ui/meter.tsx";
import { Time } from "../../ui/time.tsx";

interface BudgetMeterProps {
  readonly budget: Budget;
  readonly compact?: boolean;
}

export function BudgetMeter({ budget, compact }: BudgetMeterProps) {
  const { t, rich } = useSpeech();
  const { used, held, amount, period, resets_at } = budget;
  return (
    <Meter
      label={t(`keys.budget_${period}`)}
      used={used}
      held={held}
      amount={amount}
      compact={compact ?? false}
      hint={resets_at && rich("keys.resetsAt", { time: <Time at={resets_at} as="ahead" /> })}
    />
  );
}

/** The budget that is nearest to its end, which is the one that matters in a list. */
function tightest(budgets: readonly Budget[]): Budget | undefined {
  return budgets.toSorted((a, b) => percentOf(b.used, b.amount) - percentOf(a.used, a.amount))[0];
}

/** One meter for a row of a table, and how many more there are. */
export function TightestBudget({ item }: { readonly item: Key }) {
  const { t } = useSpeech();
  const budget = tightest(item.budgets);
  if (!budget) return <span className="text-muted">{t("keys.noBudget")}</span>;
  const more = item.budgets.length - 1;
  return (
    <div className="w-36 sm:w-52">
      <BudgetMeter budget={budget} compact />
      {more > 0 && <p className="text-xs text-muted">{t("keys.moreBudgets", { count: more })}</p>}
    </div>
  );
}

/** How far a budget can be passed, wherever one is set or shown. */
export function BudgetBound() {
  const { t } = useSpeech();
  return t("keys.budgetBound", { option: t("keys.option_hard") });
}
