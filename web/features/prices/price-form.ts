import type { OperatorModel, Price, Rate } from "../../../src/console/operator/contract/models.ts";
import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";
import { RATES, TOKEN_RATES } from "./rates.ts";

/** A price as it was typed, by the API's names, and the day it begins on. */
export type PriceValues = { readonly [name in Rate]: string } & { readonly effective_from: string };

/** The one that requests pay at a moment; prices by the hour are inside of it. */
export function priceInForce(model: OperatorModel, nowMs: number): Price | undefined {
  return model.prices.find(
    ({ pending, effective_to: to }) => !pending && (to === null || Date.parse(to) > nowMs),
  );
}

/** `10.0` → `10`: nobody types the rest. Nothing where nothing is charged. */
function typedRate(rate: string | undefined): string {
  const amount = rate === undefined ? undefined : readAmount(rate);
  return amount === undefined || compareDecimals(amount, "0") === 0 ? "" : amount;
}

export function valuesOf(price: Price | undefined): PriceValues {
  const rates = RATES.map((name) => [name, typedRate(price?.[name])]);
  return { ...Object.fromEntries(rates), effective_from: "" } as PriceValues;
}

/** Models that only read, such as embeddings, have no output to charge for. */
export function chargesOutput({ max_output }: Pick<OperatorModel, "max_output">): boolean {
  return max_output > 0;
}

type Errors = Partial<Record<keyof PriceValues, string>>;

export function checkPrice(values: PriceValues, t: Translate, outputToo: boolean): Errors {
  const errors: Errors = {};
  for (const name of RATES) {
    const typed = values[name].trim();
    const needed = name === "input" || (name === "output" && outputToo);
    const amount = readAmount(typed);
    if (typed === "") {
      if (needed) errors[name] = t("errors.required");
    } else if (amount === undefined || compareDecimals(amount, "0") <= 0) {
      errors[name] = t("prices.badRate");
    }
  }
  return errors;
}

/**
 * What is asked of the API. What the former price says of long prompts goes on as it was, since the
 * dialog does not show it and must not take it away.
 */
export function priceForm(
  values: PriceValues,
  former: Price | undefined,
): Readonly<Record<string, unknown>> {
  const said = RATES.flatMap((name) => {
    const amount = readAmount(values[name]);
    return amount === undefined ? [] : [[name, amount] as const];
  });
  const above = (former?.above ?? []).map((tier) => ({
    prompt_tokens: tier.prompt_tokens,
    ...Object.fromEntries(
      TOKEN_RATES.flatMap((name) => {
        const amount = typedRate(tier[name]);
        return amount === "" ? [] : [[name, amount] as const];
      }),
    ),
  }));
  return {
    ...Object.fromEntries(said),
    ...(above.length > 0 && { above }),
    ...(values.effective_from && { effective_from: values.effective_from }),
  };
}
