// Arithmetic on decimal strings. Money never becomes a float; the only place where it does is the
// height of a bar, which nobody is charged for.

const SCALE = 18;

/** In units of 10⁻¹⁸, exact. */
export function toUnits(decimal: string): bigint {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(decimal.trim());
  if (!match || (!match[2] && !match[3])) throw new Error(`not a decimal: ${decimal}`);
  const fraction = (match[3] ?? "").slice(0, SCALE).padEnd(SCALE, "0");
  const units = BigInt(`${match[2] || "0"}${fraction}`);
  return match[1] ? -units : units;
}

export function fromUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SCALE + 1, "0");
  const fraction = digits.slice(-SCALE).replace(/0+$/, "");
  const whole = digits.slice(0, -SCALE);
  return `${units < 0n ? "-" : ""}${whole}${fraction && `.${fraction}`}`;
}

export function addDecimals(...decimals: readonly string[]): string {
  return fromUnits(decimals.reduce((sum, decimal) => sum + toUnits(decimal), 0n));
}

export function compareDecimals(a: string, b: string): number {
  const difference = toUnits(a) - toUnits(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** `part` of `whole` in percent with one decimal, rounded down so that 100 means reached. */
export function percentOf(part: string, whole: string): number {
  const units = toUnits(whole);
  if (units <= 0n) return toUnits(part) > 0n ? 100 : 0;
  return Number((toUnits(part) * 1000n) / units) / 10;
}
