import type { Translate } from "../../i18n/language.tsx";
import { readAmount } from "../../lib/decimal.ts";
import type { InstallationSettings } from "./contract.ts";

/** What the card holds, as it was typed. */
export interface InstallationValues {
  readonly signup: InstallationSettings["signup"];
  readonly signup_credit: string;
  readonly code: string;
  readonly rate: string;
}

export function valuesOf(settings: InstallationSettings): InstallationValues {
  return {
    signup: settings.signup,
    signup_credit: settings.signup_credit,
    code: settings.display_currency?.code ?? "",
    rate: settings.display_currency?.rate ?? "",
  };
}

export function checkInstallation(
  { signup_credit, code, rate }: InstallationValues,
  t: Translate,
): Partial<Record<keyof InstallationValues, string>> {
  const currency = code.trim();
  const badRate = !/^\d{1,7}(?:\.\d{1,6})?$/.test(rate.trim()) || Number(rate) <= 0;
  return {
    ...(readAmount(signup_credit) === undefined && { signup_credit: t("errors.amount") }),
    ...(currency !== "" && !/^[A-Za-z]{3}$/.test(currency) && { code: t("system.badCurrency") }),
    ...(currency !== "" && badRate && { rate: t("system.badRate") }),
  };
}

/** What is asked of the API; without a currency none is shown. */
export function wishOf({ signup, signup_credit, code, rate }: InstallationValues) {
  const currency = code.trim().toUpperCase();
  return {
    signup,
    signup_credit: readAmount(signup_credit) ?? "0",
    display_currency: currency === "" ? null : { code: currency, rate: rate.trim() },
  };
}

/** The field at which a refusal of the API is shown. */
export function fieldOf(param: string): string {
  return param.replace(/^display_currency\.?/, "") || "code";
}
