import type { Price, Rates } from "../../../src/console/contract/models.ts";
import { fromUnits, toUnits } from "../../lib/decimal.ts";

const MILLION = 1_000_000n;
const LATIN_CHARS_PER_TOKEN = 4;
const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g;

/** A rough count until the real one comes: a token for a Chinese character, or four Latin ones. */
export function guessTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / LATIN_CHARS_PER_TOKEN);
}

/** The rates that a prompt of this size pays at this moment. */
export function ratesAt(price: Price, promptTokens: number, atMs: number): Rates {
  const at = new Date(atMs);
  const window = price.windows.find(
    ({ weekdays, hours_utc }) =>
      weekdays.includes(at.getUTCDay()) &&
      hours_utc.some(([from, to]) => from <= at.getUTCHours() && at.getUTCHours() < to),
  );
  const base = window ?? price;
  return base.above.findLast((tier) => promptTokens > tier.prompt_tokens) ?? base;
}

interface Counts {
  readonly input: number;
  readonly output: number;
}

/** Dollars, as a decimal, for so many tokens. */
export function costOf(rates: Rates, { input, output }: Counts): string {
  const units =
    (toUnits(rates.input) * BigInt(input) + toUnits(rates.output) * BigInt(output)) / MILLION;
  return fromUnits(units);
}
