import type { NanoUsd } from "../catalogue/money.ts";

/** Who may make an account: whoever is invited, anybody, or nobody. */
export const SIGNUP_MODES = ["invite", "open", "closed"] as const;
type SignupMode = (typeof SIGNUP_MODES)[number];

/** A currency that amounts are also shown in. The books stay in dollars. */
export interface DisplayCurrency {
  /** Such as CNY. */
  readonly code: string;
  /** How much of it one dollar is, as a decimal. */
  readonly rate: string;
}

/** What an operator sets for the whole installation while it runs. */
export interface InstallationSettings {
  readonly signup: SignupMode;
  /** What an account that somebody signs up for begins with. */
  readonly signupCredit: NanoUsd;
  readonly displayCurrency: DisplayCurrency | undefined;
  /** Added to the shipped prices, in percent. */
  readonly markupPercent: string | undefined;
}

/** Where the settings in force can be read. Ask each time: they change while the process runs. */
export interface SettingsInForce {
  current(): InstallationSettings;
}
