import {
  type DisplayCurrency,
  type InstallationSettings,
  SIGNUP_MODES,
} from "../accounts/settings.ts";
import { parseUsd } from "../catalogue/money.ts";

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
