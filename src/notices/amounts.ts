const NANO_PER_CENT = 10_000_000n;
const NANO_DIGITS = 9;

export function centsToNano(cents: number): bigint {
  return BigInt(cents) * NANO_PER_CENT;
}

/** The amount to the last digit, as programs read it: "12.5", "-0.0004". */
export function exactUsd(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const digits = size.toString().padStart(NANO_DIGITS + 1, "0");
  const fraction = digits.slice(-NANO_DIGITS).replace(/0+$/, "") || "0";
  return `${nano < 0n ? "-" : ""}${digits.slice(0, -NANO_DIGITS)}.${fraction}`;
}

/**
 * The amount as people read it: two decimals, never more than it is, and all of them where it is under a
 * cent. A debt is never told as less than it is.
 */
export function shownUsd(nano: bigint): string {
  const size = nano < 0n ? -nano : nano;
  const sign = nano < 0n ? "-" : "";
  if (size > 0n && size < NANO_PER_CENT) return `${sign}$${exactUsd(size)}`;
  const cents = (nano < 0n ? size + NANO_PER_CENT - 1n : size) / NANO_PER_CENT;
  return `${sign}$${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
}
