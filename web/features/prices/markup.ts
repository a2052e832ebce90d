import { compareDecimals } from "../../lib/decimal.ts";

const MARKUP_PERCENT_MAX = "10000";
const DECIMAL = /^\d{1,7}(?:\.\d{1,6})?$/;

/** A percentage as the API wants it, or nothing where it is none. */
export function readMarkup(typed: string): string | undefined {
  const text = typed.trim().replace(/\s*%$/, "");
  return DECIMAL.test(text) && compareDecimals(text, MARKUP_PERCENT_MAX) <= 0 ? text : undefined;
}
