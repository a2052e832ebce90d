import {
  type DisplayCurrency,
  type InstallationSettings,
  SIGNUP_MODES,
} from "../../accounts/settings.ts";
import { formatUsd, parseUsd } from "../../catalogue/money.ts";
import type { SettingsWishes, InstallationSettings as ShownSettings } from "./contract/settings.ts";

/** A change as it is stored: one text by name, null for what is forgotten. */
export function settingTexts(form: SettingsWishes): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === "object" && value ? JSON.stringify(value) : value]];
    }),
  );
}

type Texts = Readonly<Record<string, string>>;

/** What is stored over what the configuration says. */
export function readSettings(texts: Texts, defaults: InstallationSettings): InstallationSettings {
  const { signup, signup_credit, display_currency, markup_percent } = texts;
  const stored = display_currency && (JSON.parse(display_currency) as DisplayCurrency);
  return {
    signup: SIGNUP_MODES.find((mode) => mode === signup) ?? defaults.signup,
    signupCredit: parseUsd(signup_credit ?? "") ?? defaults.signupCredit,
    displayCurrency: stored || defaults.displayCurrency,
    markupPercent: markup_percent ?? defaults.markupPercent,
  };
}

export function settingsToJson(settings: InstallationSettings): ShownSettings {
  return {
    object: "settings",
    markup_percent: settings.markupPercent ?? "0",
    signup: settings.signup,
    signup_credit: formatUsd(settings.signupCredit),
    display_currency: settings.displayCurrency ?? null,
  };
}
