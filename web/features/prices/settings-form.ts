import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals, readAmount } from "../../lib/decimal.ts";
import type { InstallationSettings } from "./contract.ts";

const MARKUP_PERCENT_MAX = "10000";
const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/;

/** A percentage as the API wants it, or nothing where it is none. */
export function readMarkup(typed: string): string | undefined {
  const text = typed.trim().replace(/\s*%$/, "");
  return DECIMAL.test(text) && compareDecimals(text, MARKUP_PERCENT_MAX) <= 0 ? text : undefined;
}

export interface GeneralValues {
  readonly signup: InstallationSettings["signup"];
  readonly signup_credit: string;
  /** Empty: amounts are shown in dollars only. */
  readonly code: string;
  readonly rate: string;
}

export function generalValues(settings: InstallationSettings): GeneralValues {
  return {
    signup: settings.signup,
    signup_credit: readAmount(settings.signup_credit) ?? "0",
    code: settings.display_currency?.code ?? "",
    rate: settings.display_currency?.rate ?? "",
  };
}

type Errors = Partial<Record<keyof GeneralValues, string>>;

export function checkGeneral(values: GeneralValues, t: Translate): Errors {
  const errors: Errors = {};
  const rate = values.rate.trim();
  if (readAmount(values.signup_credit) === undefined) errors.signup_credit = t("errors.amount");
  if (values.code.trim() === "") return errors;
  if (!/^[A-Za-z]{3}$/.test(values.code.trim())) errors.code = t("prices.badCurrency");
  if (!DECIMAL.test(rate) || compareDecimals(rate, "0") <= 0) errors.rate = t("prices.badExchange");
  return errors;
}

/** Only what is another than before: what is not said stays what the configuration says. */
export function generalWishes(values: GeneralValues, settings: InstallationSettings) {
  const former = generalValues(settings);
  const code = values.code.trim().toUpperCase();
  const credit = readAmount(values.signup_credit) ?? "0";
  const rate = values.rate.trim();
  const currencyChanged = code !== former.code || (code !== "" && rate !== former.rate);
  return {
    ...(values.signup !== former.signup && { signup: values.signup }),
    ...(credit !== former.signup_credit && { signup_credit: credit }),
    ...(currencyChanged && { display_currency: code === "" ? null : { code, rate } }),
  };
}

/** The field at which a refusal of the API is shown. */
export function generalField(param: string): string {
  if (!param.startsWith("display_currency")) return param;
  return param.endsWith("code") ? "code" : "rate";
}
