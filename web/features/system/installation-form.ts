import type {
  InstallationSettings,
  SettingsForm,
} from "../../../src/console/operator/contract/settings.ts";
import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { changed } from "../../lib/forms/changed.ts";

const RATE = /^\d{1,7}(?:\.\d{1,6})?$/;

/** What the card holds, as it was typed. */
export type InstallationValues = ReturnType<typeof valuesOf>;

export function valuesOf(settings: InstallationSettings) {
  return {
    signup: settings.signup,
    signup_credit: readAmount(settings.signup_credit) ?? "0",
    // Empty: amounts are shown in dollars only.
    code: settings.display_currency?.code ?? "",
    rate: settings.display_currency?.rate ?? "",
  };
}

type Errors = Partial<Record<keyof InstallationValues, string>>;

export function checkInstallation(values: InstallationValues, t: Translate): Errors {
  const code = values.code.trim();
  const rate = values.rate.trim();
  const badRate = !RATE.test(rate) || compareDecimals(rate, "0") <= 0;
  return {
    ...(readAmount(values.signup_credit) === undefined && { signup_credit: t("errors.amount") }),
    ...(code !== "" && !/^[A-Za-z]{3}$/.test(code) && { code: t("system.badCurrency") }),
    ...(code !== "" && badRate && { rate: t("system.badRate") }),
  };
}

function settingsOf(values: InstallationValues): SettingsForm {
  const code = values.code.trim().toUpperCase();
  return {
    signup: values.signup,
    signup_credit: readAmount(values.signup_credit) ?? "0",
    display_currency: code === "" ? null : { code, rate: values.rate.trim() },
  };
}

/** What is not said stays what the configuration says. */
export function bodyOf(values: InstallationValues, settings: InstallationSettings): SettingsForm {
  return changed(settingsOf(values), settingsOf(valuesOf(settings)));
}

/** The field at which a refusal of the API is shown. */
export function fieldOf(param: string): string {
  return param.replace(/^display_currency\.?/, "") || "code";
}
