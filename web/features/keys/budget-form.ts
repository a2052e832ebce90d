import type { Budget, Key, NewBudget } from "../../../src/console/contract/keys.ts";
import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { PERIODS, type Period } from "../../lib/periods.ts";
import { isZone } from "../../lib/time/time-zones.ts";

const AMOUNT_MAX = "1000000";

/** An amount for each period as it was typed, empty for none, and the zone in which they begin. */
export type BudgetValues = Readonly<Record<Period | "zone", string>>;

/** A key, or one that is only about to be made. */
type Budgeted = Pick<Key, "budgets">;

/** The zone of the budgets that begin again, or the visitor's where there is none yet. */
function zoneOf({ budgets }: Budgeted, visitorZone: string): string {
  return budgets.find(({ period }) => period !== "total")?.time_zone ?? visitorZone;
}

/** The budget in the field of a period. A key may have more of them, in other zones. */
function shownOf(key: Budgeted, period: Period, zone: string): Budget | undefined {
  return key.budgets.find(
    (budget) => budget.period === period && (period === "total" || budget.time_zone === zone),
  );
}

export function budgetValues(key: Budgeted, visitorZone: string): BudgetValues {
  const zone = zoneOf(key, visitorZone);
  const amounts = PERIODS.map((period) => [period, shownOf(key, period, zone)?.amount ?? ""]);
  return { zone, ...Object.fromEntries(amounts) };
}

function amountOf(typed: string): string | undefined {
  const amount = readAmount(typed);
  if (amount === undefined || amount === "0") return undefined;
  return compareDecimals(amount, AMOUNT_MAX) <= 0 ? amount : undefined;
}

export function checkBudgets(
  values: BudgetValues,
  t: Translate,
): Partial<Record<keyof BudgetValues, string>> {
  const bad = PERIODS.filter(
    (period) => values[period].trim() !== "" && amountOf(values[period]) === undefined,
  );
  return {
    ...Object.fromEntries(bad.map((period) => [period, t("keys.badBudget")])),
    ...(isZone(values.zone) ? {} : { zone: t("errors.zone") }),
  };
}

/** What is asked of the API: what the fields say, and the budgets that have no field. */
export function budgetBody(
  values: BudgetValues,
  key: Budgeted,
  visitorZone: string,
): readonly NewBudget[] {
  const zone = zoneOf(key, visitorZone);
  const shown = PERIODS.map((period) => shownOf(key, period, zone));
  const said = PERIODS.flatMap((period) => {
    const amount = amountOf(values[period]);
    return amount ? [{ amount, period, time_zone: values.zone }] : [];
  });
  const others = key.budgets
    .filter((budget) => !shown.includes(budget))
    .map(({ amount, period, time_zone }) => ({ amount, period, time_zone }));
  return [...said, ...others];
}
