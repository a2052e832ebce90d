import type { Usage } from "../protocols/usage.ts";

declare const unit: unique symbol;

/**
 * Money is whole numbers: balances and charges in nano-USD (10⁻⁹), prices in pico-USD (10⁻¹²) per
 * token. This is the only file that multiplies a price, and the only one that makes one of the other.
 *
 * Only types know the unit. A number without one, such as a literal or a sum, may be either; an amount
 * of one unit where the other belongs does not compile.
 */
export type NanoUsd = bigint & { readonly [unit]?: "nano" };
export type PicoUsd = bigint & { readonly [unit]?: "pico" };

const NANO_PER_USD = 1_000_000_000n;
const PICO_PER_NANO = 1_000n;
const ALMOST_A_NANO: PicoUsd = PICO_PER_NANO - 1n;
const NANO_DIGITS = 9;
/**
 * Up to here, a million dollars in nano or a thousand in pico, a number has every amount, and so has what it leaves
 * when it is divided. Products and sums of what is not below zero are exact where they come to no more: were a part of
 * them beyond, so were they.
 */
const EXACT_MAX = 1_000_000_000_000_000;

/** No request may come to more, so that sums of charges fit the 64 bits that both databases count with. */
export const CHARGE_MAX: NanoUsd = 1_000_000_000n * NANO_PER_USD;

/** No account is ever credited more in all: 64 bits end at 9.2 billion dollars. */
export const BALANCE_MAX: NanoUsd = 9_000_000_000n * NANO_PER_USD;

/** Nor so much at once. */
export const CREDIT_MAX: NanoUsd = 100_000_000n * NANO_PER_USD;

/** Nobody tops up or budgets a million dollars at once; sums of many such amounts still fit 64 bits. */
const USD_MAX = 1_000_000n;

/** Unit prices of one request, in pico-USD. */
export interface Rates {
  readonly input: PicoUsd;
  readonly cacheRead: PicoUsd;
  readonly cacheWrite: PicoUsd;
  readonly cacheWriteLong: PicoUsd;
  readonly output: PicoUsd;
  readonly webSearch: PicoUsd;
}

export const PRICE_ITEMS = [
  "input",
  "cache_read",
  "cache_write",
  "cache_write_long",
  "output",
  "web_search",
  /** What the operator allows beyond the lists, by the request. */
  "extras",
  /** What is not charged, since more than the hold must not be: an amount below zero. */
  "beyond_hold",
] as const;

/** One line of a receipt: quantity × unit price = amount, exact. */
export interface PriceLine {
  readonly item: (typeof PRICE_ITEMS)[number];
  readonly quantity: number;
  readonly unitPico: PicoUsd;
  readonly amountPico: PicoUsd;
}

export interface Charge {
  readonly lines: readonly PriceLine[];
  readonly amount: NanoUsd;
}

function line(item: PriceLine["item"], quantity: number, unitPico: PicoUsd): PriceLine {
  return { item, quantity, unitPico, amountPico: BigInt(quantity) * unitPico };
}

/** The next nano at or above: priced tokens never cost zero. */
function roundUp(pico: PicoUsd): NanoUsd {
  return (pico + ALMOST_A_NANO) / PICO_PER_NANO;
}

function toPico(nano: NanoUsd): PicoUsd {
  return nano * PICO_PER_NANO;
}

/** What a usage costs at these rates: lines that sum exactly, and one division at the end. */
export function price(usage: Usage, rates: Rates): Charge {
  const lines: PriceLine[] = [];
  addLine(lines, "input", usage.fresh, rates.input);
  addLine(lines, "cache_read", usage.cacheRead, rates.cacheRead);
  addLine(lines, "cache_write", usage.cacheWrite, rates.cacheWrite);
  addLine(lines, "cache_write_long", usage.cacheWriteLong, rates.cacheWriteLong);
  addLine(lines, "output", usage.output, rates.output);
  addLine(lines, "web_search", usage.webSearches, rates.webSearch);
  let total: PicoUsd = 0n;
  for (const { amountPico } of lines) total += amountPico;
  return { lines, amount: roundUp(total) };
}

/** What there is none of has no line. */
function addLine(
  lines: PriceLine[],
  item: PriceLine["item"],
  quantity: number,
  unitPico: PicoUsd,
): void {
  if (quantity > 0) lines.push(line(item, quantity, unitPico));
}

/** The same with an amount for what a request asks beside its tokens. */
export function withFee(charge: Charge, fee: NanoUsd): Charge {
  if (fee === 0n) return charge;
  const lines = [...charge.lines, line("extras", 1, toPico(fee))];
  return { lines, amount: charge.amount + fee };
}

/** The same up to an amount. A line takes back what lies beyond it, so that the lines still sum. */
export function endedAt(charge: Charge, most: NanoUsd): Charge {
  if (charge.amount <= most) return charge;
  const total = charge.lines.reduce((sum, entry) => sum + entry.amountPico, 0n);
  const beyond = line("beyond_hold", 1, toPico(most) - total);
  return { lines: [...charge.lines, beyond], amount: most };
}

/** The most that input, output and searches of these sizes can cost, whatever the cache does. */
export function worstCase(
  rates: Rates,
  quantities: { input: number; output: number; webSearches: number },
): NanoUsd {
  const { input, output, webSearches } = quantities;
  let dearest = rates.input;
  if (rates.cacheRead > dearest) dearest = rates.cacheRead;
  if (rates.cacheWrite > dearest) dearest = rates.cacheWrite;
  if (rates.cacheWriteLong > dearest) dearest = rates.cacheWriteLong;
  const read = Math.ceil(input);
  const written = Math.ceil(output);
  // Every request is sized by this several times: what is exact in numbers needs one bigint, and not eight.
  let pico = read * Number(dearest);
  if (written !== 0) pico += written * Number(rates.output);
  if (webSearches !== 0) pico += webSearches * Number(rates.webSearch);
  if (pico >= 0 && pico <= EXACT_MAX) return BigInt(Math.ceil(pico / 1_000));
  return roundUp(
    BigInt(read) * dearest + BigInt(written) * rates.output + BigInt(webSearches) * rates.webSearch,
  );
}

/** How many output tokens `amount` buys once the input and the searches are paid. */
export function outputTokensFor(
  amount: NanoUsd,
  rates: Rates,
  quantities: { input: number; webSearches: number },
): number {
  if (rates.output === 0n) return Number.MAX_SAFE_INTEGER;
  const left = amount - worstCase(rates, { ...quantities, output: 0 });
  return left <= 0n ? 0 : Number(toPico(left) / rates.output);
}

/** "12.5" → 12,500,000,000 nano. Undefined for anything that is not a plain decimal in range. */
export function parseUsd(text: string, most = USD_MAX): NanoUsd | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(text);
  if (!match) return undefined;
  const whole = BigInt(match[1] as string);
  const fraction = BigInt((match[2] ?? "").padEnd(NANO_DIGITS, "0"));
  const nano = whole * NANO_PER_USD + fraction;
  return nano > most * NANO_PER_USD ? undefined : nano;
}

/** Plain decimals with at least one digit behind the point: "10.0", "0.0123", never "1e-7". */
export function formatUsd(nano: NanoUsd): string {
  // The cost of every answer is written: a number that is exact is cut up sooner than a bigint.
  const all = Number(nano);
  if (all < 0 || all > EXACT_MAX) return formatPico(toPico(nano));
  const whole = Math.floor(all / 1e9);
  let rest = all - whole * 1e9;
  let digits = NANO_DIGITS;
  while (digits > 1 && rest % 10 === 0) {
    rest /= 10;
    digits--;
  }
  return `${whole}.${String(rest).padStart(digits, "0")}`;
}

/** Pico as decimal dollars, for the lines of a receipt. */
export function formatPico(pico: PicoUsd): string {
  const scale = NANO_PER_USD * PICO_PER_NANO;
  const sign = pico < 0n ? "-" : "";
  const size = pico < 0n ? -pico : pico;
  const fraction = (size % scale).toString().padStart(12, "0").replace(/0+$/, "");
  return `${sign}${size / scale}.${fraction || "0"}`;
}

/** A price list's decimal, "2.50" dollars per so many units, as pico per unit. Exact, or it throws. */
export function picoPer(decimal: string, units: 1_000 | 1_000_000): PicoUsd {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal);
  if (!match) throw new Error(`"${decimal}" is not a decimal price`);
  const fraction = match[2] ?? "";
  const pico = BigInt(match[1] + fraction) * NANO_PER_USD * PICO_PER_NANO;
  const divisor = BigInt(units) * 10n ** BigInt(fraction.length);
  if (pico % divisor !== 0n) throw new Error(`"${decimal}" is finer than a pico-dollar per unit`);
  return pico / divisor;
}

/** The other way round: a unit price as a list has it, in dollars per so many units. */
export function formatPer(unit: PicoUsd, units: 1_000 | 1_000_000): string {
  return formatPico(unit * BigInt(units));
}

/** Unit prices raised by a percentage such as "12.5", each to the next pico at or above. */
export function markUp(rates: Rates, percent: string): Rates {
  const [whole = "0", fraction = ""] = percent.split(".");
  const hundred = 100n * 10n ** BigInt(fraction.length);
  const raised = hundred + BigInt(whole + fraction);
  const raise = (pico: PicoUsd) => (pico * raised + hundred - 1n) / hundred;
  return {
    input: raise(rates.input),
    cacheRead: raise(rates.cacheRead),
    cacheWrite: raise(rates.cacheWrite),
    cacheWriteLong: raise(rates.cacheWriteLong),
    output: raise(rates.output),
    webSearch: raise(rates.webSearch),
  };
}

/** Whether nothing is paid at these rates. Reading has a price wherever nobody called it free. */
export function costsNothing(rates: Rates): boolean {
  return rates.input === 0n;
}

/** Of two lists of unit prices the dearer of each. */
export function dearerRates(a: Rates, b: Rates): Rates {
  const higher = (one: PicoUsd, other: PicoUsd) => (one > other ? one : other);
  return {
    input: higher(a.input, b.input),
    cacheRead: higher(a.cacheRead, b.cacheRead),
    cacheWrite: higher(a.cacheWrite, b.cacheWrite),
    cacheWriteLong: higher(a.cacheWriteLong, b.cacheWriteLong),
    output: higher(a.output, b.output),
    webSearch: higher(a.webSearch, b.webSearch),
  };
}

/** What an amount was before it was raised by a percentage; the rest of a nano is left out. */
export function withoutMarkup(amount: NanoUsd, percent: string): NanoUsd {
  const [whole = "0", fraction = ""] = percent.split(".");
  const hundred = 100n * 10n ** BigInt(fraction.length);
  return (amount * hundred) / (hundred + BigInt(whole + fraction));
}
