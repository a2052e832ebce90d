import { z } from "zod";
import {
  type DisplayCurrency,
  type InstallationSettings,
  SIGNUP_MODES,
} from "../../accounts/settings.ts";
import { formatUsd, parseUsd } from "../../catalogue/money.ts";
import { MARKUP_PERCENT_MAX } from "../../config/file.ts";

const SIGNUP_CREDIT_USD_MAX = 1_000;
const RATE_MAX = 1_000_000;
const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/;

const markup = z
  .string()
  .regex(DECIMAL, 'Write a plain decimal such as "12.5".')
  .refine((text) => Number(text) <= MARKUP_PERCENT_MAX, `At most ${MARKUP_PERCENT_MAX} percent.`);

const credit = z
  .string()
  .refine((text) => parseUsd(text) !== undefined, 'Write dollars such as "0.5".')
  .refine(
    (text) => Number(text) <= SIGNUP_CREDIT_USD_MAX,
    `At most ${SIGNUP_CREDIT_USD_MAX} dollars.`,
  );

const currency = z.strictObject({
  code: z.string().regex(/^[A-Z]{3}$/, "Write three capital letters such as CNY."),
  rate: z
    .string()
    .regex(DECIMAL, 'Write a plain decimal such as "7.1".')
    .refine((text) => Number(text) > 0 && Number(text) <= RATE_MAX, "Must be above zero."),
});

/** A change of settings. What is null goes back to what the configuration says. */
export const SETTINGS_FORM = z.strictObject({
  markup_percent: markup.nullish(),
  signup: z.enum(SIGNUP_MODES).nullish(),
  signup_credit: credit.nullish(),
  display_currency: currency.nullish(),
});

type SettingsForm = z.infer<typeof SETTINGS_FORM>;

/** A change as it is stored: one text by name, null for what is forgotten. */
export function settingTexts(form: SettingsForm): Record<string, string | null> {
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

export function settingsToWire(settings: InstallationSettings) {
  return {
    object: "settings",
    markup_percent: settings.markupPercent ?? "0",
    signup: settings.signup,
    signup_credit: formatUsd(settings.signupCredit),
    display_currency: settings.displayCurrency ?? null,
  };
}
