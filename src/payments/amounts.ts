import { formatUsd, type NanoUsd, parseUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";

const NANO_PER_USD = 1_000_000_000n;
const NANO_PER_CENT = NANO_PER_USD / 100n;

interface AmountRange {
  readonly min: NanoUsd;
  readonly max: NanoUsd;
}

/** One order, one automatic top-up. */
export const ORDER_RANGE: AmountRange = { min: NANO_PER_USD, max: 10_000n * NANO_PER_USD };
/** One redeem code. */
export const CODE_RANGE: AmountRange = { min: NANO_PER_CENT, max: 10_000n * NANO_PER_USD };
/** One credit by the operator. */
export const CREDIT_RANGE: AmountRange = { min: 1n, max: 1_000_000n * NANO_PER_USD };
/** Below what balance an automatic top-up begins. */
export const THRESHOLD_RANGE: AmountRange = { min: NANO_PER_CENT, max: 10_000n * NANO_PER_USD };

/** "12.50" as a person means it: at least one digit behind the point is not asked of them. */
export function shownUsd(nano: NanoUsd): string {
  const [whole, fraction = ""] = formatUsd(nano).split(".");
  return `${whole}.${fraction.padEnd(2, "0")}`;
}

/** More digits than any amount of the ledger has. */
const TOO_LARGE = /^0*[1-9]\d{8,}(?:\.\d*)?$/;

/** A decimal of dollars from a form; what is wrong with it is said at the field. */
export function readAmount(text: string, param: string, range: AmountRange): NanoUsd {
  const nano = parseUsd(text) ?? (TOO_LARGE.test(text) ? range.max + 1n : undefined);
  if (nano === undefined) {
    throw new Fault("invalid_value", 'Write the amount in dollars, such as "12.50".', { param });
  }
  const limit = shownUsd(nano < range.min ? range.min : range.max);
  const where = { param, facts: { limit } };
  if (nano < range.min) {
    throw new Fault("decimal_below_min_value", `At least ${limit} USD.`, where);
  }
  if (nano > range.max) throw new Fault("decimal_above_max_value", `At most ${limit} USD.`, where);
  return nano;
}

/** The same for what is paid with money that has no fractions of a cent. */
export function readCents(text: string, param: string, range: AmountRange): NanoUsd {
  const nano = readAmount(text, param, range);
  if (nano % NANO_PER_CENT !== 0n) {
    throw new Fault("invalid_value", "The amount must be in whole cents.", { param });
  }
  return nano;
}

export function centsOf(nano: NanoUsd): bigint {
  return nano / NANO_PER_CENT;
}

export function nanoOfCents(cents: bigint): NanoUsd {
  return cents * NANO_PER_CENT;
}

/** Whole cents of an amount; the rest stays where it is. */
export function wholeCents(nano: NanoUsd): NanoUsd {
  return nano - (nano % NANO_PER_CENT);
}

/** Whether a text is a rate that `convert` understands: digits, at most six behind the point. */
export function isRate(text: string): boolean {
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text) && /[1-9]/.test(text);
}

/** Dollars in hundredths of another currency, at so many of its units per dollar, rounded up. */
export function convert(nano: NanoUsd, rate: string): bigint {
  const [whole = "0", fraction = ""] = rate.split(".");
  const scale = NANO_PER_CENT * 10n ** BigInt(fraction.length);
  return (nano * BigInt(whole + fraction) + scale - 1n) / scale;
}

/** 730 → "7.30". */
export function formatMinor(minor: bigint): string {
  return `${minor / 100n}.${(minor % 100n).toString().padStart(2, "0")}`;
}

/** "7.3" and "7.30" → 730. Undefined for what is not an amount of hundredths. */
export function parseMinor(text: string): bigint | undefined {
  const match = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!match) return undefined;
  return BigInt(match[1] as string) * 100n + BigInt((match[2] ?? "").padEnd(2, "0"));
}
