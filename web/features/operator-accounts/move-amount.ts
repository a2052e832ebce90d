import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";

/** The most that is moved by hand at once. */
const MOVE_USD_MAX = "1000000";
const MANY_DIGITS = /^\D{0,2}\d[\d,]{12,}(?:\.\d*)?$/;

/** What is wrong with an amount that an operator credits or gives back. */
export function moveError(typed: string, t: Translate): string | undefined {
  const tooLarge = t("errors.atMost", { limit: "1,000,000.00" });
  const amount = readAmount(typed);
  if (amount === undefined) return MANY_DIGITS.test(typed.trim()) ? tooLarge : t("errors.amount");
  if (amount === "0") return t("errors.amount");
  return compareDecimals(amount, MOVE_USD_MAX) > 0 ? tooLarge : undefined;
}
