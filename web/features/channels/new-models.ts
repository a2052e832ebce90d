import type { Translate } from "../../i18n/language.tsx";
import { compareDecimals } from "../../lib/decimal.ts";
import { readAmount } from "../../lib/forms/amount.ts";

export const EMPTY_PRICE = { input: "", output: "", context: "", max_output: "" };

/** What is asked of a model that nobody has priced yet, as it was typed, by the API's names. */
export type PriceValues = Readonly<typeof EMPTY_PRICE>;

/** The models that a channel names and that the catalogue does not have. */
export function unpricedIn(
  models: unknown,
  known: ReadonlySet<string> | undefined,
): readonly string[] {
  // Before the catalogue is there, nothing is said of any.
  if (!known || models === null || typeof models !== "object") return [];
  const ids: readonly string[] = Array.isArray(models) ? models : Object.keys(models);
  return [...new Set(ids)].filter((id) => !known.has(id));
}

function isPrice(typed: string): boolean {
  const amount = readAmount(typed);
  return amount !== undefined && compareDecimals(amount, "0") > 0;
}

/** What is wrong with the prices, in one sentence for all of them, as an error of the form. */
export function priceErrors(
  prices: Readonly<Record<string, PriceValues>>,
  unpriced: readonly string[],
  t: Translate,
): { readonly prices?: string } {
  const wrong = unpriced.find((id) => {
    const { input, output, context, max_output } = prices[id] ?? EMPTY_PRICE;
    const counts = [context, max_output].every((typed) => /^[1-9]\d{0,8}$/.test(typed.trim()));
    return !isPrice(input) || !isPrice(output) || !counts;
  });
  return wrong === undefined ? {} : { prices: t("channels.priceMissing", { model: wrong }) };
}

interface Priced {
  readonly vendor: string;
  readonly prices: Readonly<Record<string, PriceValues>>;
}

/** The models with their prices as the API takes them; nothing where all have one. */
export function newModels({ vendor, prices }: Priced, unpriced: readonly string[]): object {
  if (unpriced.length === 0) return {};
  const models = unpriced.map((id) => {
    const { input, output, context, max_output } = prices[id] ?? EMPTY_PRICE;
    return {
      id,
      owned_by: vendor,
      context: Number(context),
      max_output: Number(max_output),
      price: { input: readAmount(input), output: readAmount(output) },
    };
  });
  return { new_models: models };
}
