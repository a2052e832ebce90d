import { fromUnits, toUnits } from "../decimal.ts";

/** Any other comma may be meant as a decimal one, by which `12,50` would become a hundredfold. */
const THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;

/** What a person typed as an amount, or nothing where it is none. */
export function readAmount(typed: string): string | undefined {
  const said = typed.trim().replace(/^\$/, "").trim();
  const text = THOUSANDS.test(said) ? said.replaceAll(",", "") : said;
  if (!/^(?:\d{1,12})(?:\.\d{1,9})?$|^\.\d{1,9}$/.test(text)) return undefined;
  return fromUnits(toUnits(text));
}
