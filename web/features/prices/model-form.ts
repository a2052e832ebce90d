import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";

/** A model that nobody ships, as it was typed, by the API's names. */
export const EMPTY_MODEL = {
  id: "",
  owned_by: "",
  context: "",
  max_output: "",
  upstream: "",
  input: "",
  output: "",
};
export type ModelValues = Readonly<typeof EMPTY_MODEL>;

type Errors = Partial<Record<keyof ModelValues, string>>;

/** `openai=gpt-x, azure=my-deployment`: the model's name by vendor or channel. */
export function readUpstream(typed: string): Readonly<Record<string, string>> | undefined {
  const pairs = typed
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => /^([^=]+)=(.+)$/.exec(word));
  if (pairs.length === 0 || pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
}

export function checkModel(values: ModelValues, t: Translate): Errors {
  const errors: Errors = {};
  for (const name of ["id", "owned_by"] as const) {
    if (values[name].trim() === "") errors[name] = t("errors.required");
  }
  for (const name of ["context", "max_output"] as const) {
    if (!/^[1-9]\d{0,8}$/.test(values[name].trim())) errors[name] = t("errors.wholeNumber");
  }
  if (readUpstream(values.upstream) === undefined) errors.upstream = t("prices.badUpstream");
  for (const name of ["input", "output"] as const) {
    const amount = readAmount(values[name]);
    if (amount === undefined || compareDecimals(amount, "0") <= 0) {
      errors[name] = t("prices.badRate");
    }
  }
  return errors;
}

export function newModel(values: ModelValues) {
  return {
    id: values.id.trim(),
    owned_by: values.owned_by.trim(),
    context: Number(values.context),
    max_output: Number(values.max_output),
    upstream: readUpstream(values.upstream),
    price: { input: readAmount(values.input), output: readAmount(values.output) },
  };
}
