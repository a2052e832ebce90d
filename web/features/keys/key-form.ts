import type { Translate } from "../../i18n/language.tsx";
import type { Key, KeyWishes, NewBudget, Period } from "../../lib/contract.ts";
import { readAmount } from "../../lib/decimal.ts";

/** What the dialog holds, as it was typed. */
export interface KeyValues {
  readonly name: string;
  readonly amount: string;
  readonly period: Period;
  readonly rpm: string;
  readonly tpm: string;
  readonly concurrency: string;
  readonly models: string;
}

export const EMPTY_KEY: KeyValues = {
  name: "",
  amount: "",
  period: "month",
  rpm: "",
  tpm: "",
  concurrency: "",
  models: "",
};

const LIMITS = ["rpm", "tpm", "concurrency"] as const;

export function valuesOf(key: Key): KeyValues {
  const [budget] = key.budgets;
  return {
    name: key.name,
    amount: budget?.amount ?? "",
    period: budget?.period ?? "month",
    rpm: key.rpm?.toString() ?? "",
    tpm: key.tpm?.toString() ?? "",
    concurrency: key.concurrency?.toString() ?? "",
    models: key.models?.join(", ") ?? "",
  };
}

export function checkKey(
  values: KeyValues,
  t: Translate,
): Partial<Record<keyof KeyValues, string>> {
  const errors: Partial<Record<keyof KeyValues, string>> = {};
  if (values.name.trim() === "") errors.name = t("errors.required");
  if (values.amount.trim() !== "" && readAmount(values.amount) === undefined) {
    errors.amount = t("errors.amount");
  }
  for (const name of LIMITS) {
    if (!/^$|^[1-9]\d{0,8}$/.test(values[name].trim())) errors[name] = t("errors.wholeNumber");
  }
  return errors;
}

function limitOf(typed: string): number | null {
  return typed.trim() === "" ? null : Number(typed);
}

/**
 * What is asked of the API. `others` are budgets beside the first, which this dialog does not show
 * and must not take away.
 */
export function wishesOf(
  values: KeyValues,
  timeZone: string,
  others: readonly NewBudget[],
): KeyWishes {
  const amount = readAmount(values.amount);
  const first = amount ? [{ amount, period: values.period, time_zone: timeZone }] : [];
  const models = values.models
    .split(/[,\s]+/)
    .map((model) => model.trim())
    .filter(Boolean);
  return {
    name: values.name.trim(),
    budgets: [...first, ...others],
    rpm: limitOf(values.rpm),
    tpm: limitOf(values.tpm),
    concurrency: limitOf(values.concurrency),
    models: models.length > 0 ? models : null,
  };
}

/** A limit that nobody typed is the installation's, as for keys that are made anywhere else. */
export function newKeyWishes(values: KeyValues, timeZone: string): KeyWishes {
  const wishes = Object.entries(wishesOf(values, timeZone, []));
  return Object.fromEntries(wishes.filter(([, value]) => value !== null));
}

/** The field at which a refusal of the API is shown. */
export function fieldOf(param: string): string {
  if (!param.startsWith("budgets")) return param.replace(/\[.*$/, "");
  return param.endsWith("period") || param.endsWith("time_zone") ? "period" : "amount";
}
