import type { Key, KeyBody } from "../../../src/console/contract/keys.ts";
import type { Translate } from "../../i18n/language.tsx";
import { changed } from "../../lib/forms/changed.ts";
import { type AccessValues, accessBody, accessValues } from "./access-form.ts";
import { type BudgetValues, budgetBody, budgetValues, checkBudgets } from "./budget-form.ts";

/** What the dialog holds, as it was typed. */
export interface KeyValues extends BudgetValues, AccessValues {
  readonly name: string;
  readonly rpm: string;
  readonly tpm: string;
  readonly concurrency: string;
  /** Null for all, those too that are not offered yet. */
  readonly models: readonly string[] | null;
}

/** What can be set of a key. */
export type KeySettings = Pick<Key, Exclude<keyof KeyBody, "enabled">>;

/** A key of which nothing is limited yet. */
export const NEW_KEY: KeySettings = {
  name: "",
  budgets: [],
  rpm: null,
  tpm: null,
  concurrency: null,
  models: null,
  expires_at: null,
  networks: null,
  hard: false,
  account_read: false,
  show_cost: true,
};

export const LIMITS = ["rpm", "tpm", "concurrency"] as const;

export function valuesOf(key: KeySettings, timeZone: string): KeyValues {
  return {
    ...budgetValues(key, timeZone),
    ...accessValues(key, timeZone),
    name: key.name,
    rpm: key.rpm?.toString() ?? "",
    tpm: key.tpm?.toString() ?? "",
    concurrency: key.concurrency?.toString() ?? "",
    models: key.models,
  };
}

type Errors = Partial<Record<keyof KeyValues, string>>;

export function checkKey(values: KeyValues, t: Translate): Errors {
  const errors: Errors = { ...checkBudgets(values, t) };
  if (values.name.trim() === "") errors.name = t("errors.required");
  for (const name of LIMITS) {
    if (!/^$|^[1-9]\d{0,8}$/.test(values[name].trim())) errors[name] = t("errors.wholeNumber");
  }
  if (values.models?.length === 0) errors.models = t("keys.modelsNone");
  return errors;
}

function limitOf(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

function settingsOf(values: KeyValues, key: KeySettings, timeZone: string): KeyBody {
  return {
    ...accessBody(values, timeZone),
    name: values.name.trim(),
    budgets: budgetBody(values, key, timeZone),
    rpm: limitOf(values.rpm),
    tpm: limitOf(values.tpm),
    concurrency: limitOf(values.concurrency),
    models: values.models,
  };
}

/**
 * What is asked of the API for a key that is `key` now. A key may end at another moment than a midnight, which a
 * day that nobody changed leaves so; a limit of a new key that nobody typed is the installation's.
 */
export function bodyOf(values: KeyValues, key: KeySettings, timeZone: string): KeyBody {
  const shown = valuesOf(key, timeZone);
  return changed(settingsOf(values, key, timeZone), settingsOf(shown, key, timeZone));
}

/** The field at which a refusal of the API is shown. Of a budget it tells the place in what was sent. */
export function fieldOf(param: string, sent: Pick<KeyBody, "budgets">): string | undefined {
  const [, field, place] = /^(\w+)\W?(\d+)?/.exec(param) ?? [];
  return field === "budgets" ? sent.budgets?.[Number(place)]?.period : field;
}
