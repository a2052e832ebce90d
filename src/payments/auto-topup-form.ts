import { formatUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import { ORDER_RANGE, readAmount, readCents, THRESHOLD_RANGE } from "./amounts.ts";
import type { AutoTopUp } from "./auto-topup.ts";

/** How many top-ups a day there may be where nobody has said how much. */
const DAILY_TOPUPS_DEFAULT = 5n;
const DAILY_MAX = ORDER_RANGE.max * 10n;

/** New settings of the auto top-up. Absent members keep their stored values. */
export interface AutoTopUpForm {
  readonly enabled?: boolean | undefined;
  readonly threshold?: string | undefined;
  readonly amount?: string | undefined;
  /** Null for so much as a few top-ups come to. */
  readonly dailyMax?: string | null | undefined;
}

const NO_CARD = {
  customer: null,
  method: null,
  setup: null,
  refusals: 0,
  restsUntilMs: 0,
  failure: null,
};

/** What was said, or else what is stored; the first time there is nothing stored. */
function needed<T>(param: string, said: T | undefined, stored: T | undefined): T {
  const value = said ?? stored;
  if (value !== undefined) return value;
  throw new Fault("missing_required_parameter", `Missing required parameter: '${param}'.`, {
    param,
  });
}

function readForm(before: AutoTopUp | undefined, form: AutoTopUpForm) {
  const stored = (name: "threshold" | "amount" | "dailyMax") => before && formatUsd(before[name]);
  const enabled = needed("enabled", form.enabled, before?.enabled);
  const threshold = needed("threshold", form.threshold, stored("threshold"));
  const amount = readCents(needed("amount", form.amount, stored("amount")), "amount", ORDER_RANGE);
  // What somebody has set as the most of a day is not raised by another amount, which is refused instead.
  const dailyMax = form.dailyMax === undefined ? stored("dailyMax") : form.dailyMax;
  return {
    enabled,
    threshold: readAmount(threshold, "threshold", THRESHOLD_RANGE),
    amount,
    dailyMax:
      typeof dailyMax === "string"
        ? readAmount(dailyMax, "daily_max", { min: amount, max: DAILY_MAX })
        : amount * DAILY_TOPUPS_DEFAULT,
  };
}

/** The settings after a form, and whether a card is to be saved before anything is charged by them. */
export function chosenBy(
  accountId: string,
  before: AutoTopUp | undefined,
  form: AutoTopUpForm,
): { readonly settings: AutoTopUp; readonly needsCard: boolean } {
  const chosen = { ...NO_CARD, ...before, accountId, ...readForm(before, form) };
  // A card that was refused is asked for anew: whoever switches it on again may have another.
  const needsCard = chosen.enabled && (chosen.method === null || chosen.refusals > 0);
  // Why it was switched off, and until when it rests, is over when somebody says whether it is on.
  const isOver = needsCard || form.enabled !== undefined;
  const settings = isOver ? { ...chosen, restsUntilMs: 0, failure: null } : chosen;
  return { settings, needsCard };
}
