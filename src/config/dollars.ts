/** The form that money is read from: whole nano-dollars, of which an amount beyond it would be read as nothing. */
const DOLLARS = /^\d{1,7}(?:\.\d{1,9})?$/;

/** The most that is moved at once. */
export const DOLLARS_MAX = 1_000_000;

/** The most that a price can be, in dollars per million tokens or per thousand searches. */
export const PRICE_DOLLARS_MAX = 100_000;

/** Whether a text is an amount that can be kept as it is written. */
export function isDollars(text: string, max: number): boolean {
  return DOLLARS.test(text) && Number(text) <= max;
}
