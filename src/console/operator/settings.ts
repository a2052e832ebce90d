import type { InstallationSettings } from "../../accounts/settings.ts";
import { formatUsd } from "../../catalogue/money.ts";
import type { SettingsForm, InstallationSettings as ShownSettings } from "./contract/settings.ts";

/** A change as it is stored: one text by name, null for what is forgotten. */
export function settingTexts(form: SettingsForm): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (value === undefined) return [];
      return [[name, typeof value === "object" && value ? JSON.stringify(value) : value]];
    }),
  );
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
