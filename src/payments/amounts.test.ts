import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { convert, formatMinor, isRate, parseMinor, readCents, wholeCents } from "./amounts.ts";

const RANGE = { min: 1_000_000_000n, max: 10_000_000_000_000n };

describe("amounts of payments", () => {
  test("the ends of a range are inside", () => {
    expect(readCents("1", "amount", RANGE)).toBe(RANGE.min);
    expect(readCents("10000.00", "amount", RANGE)).toBe(RANGE.max);
    expect(() => readCents("0.99", "amount", RANGE)).toThrow("At least 1.00 USD.");
    expect(() => readCents("10000.01", "amount", RANGE)).toThrow("At most 10000.00 USD.");
  });

  test("a conversion is never below the exact amount, and less than a hundredth above it", () => {
    const nanos = fc.bigInt({ min: 1n, max: RANGE.max });
    const millionths = fc.bigInt({ min: 1n, max: 999_999_999_999n });
    fc.assert(
      fc.property(nanos, millionths, (nano, rate) => {
        const text = `${rate / 1_000_000n}.${(rate % 1_000_000n).toString().padStart(6, "0")}`;
        expect(isRate(text)).toBe(true);
        // In units of 10⁻¹⁵ of the other currency, where both are whole.
        const exact = nano * rate;
        const paid = convert(nano, text) * 10_000_000_000_000n;
        expect(paid >= exact && paid - exact < 10_000_000_000_000n).toBe(true);
      }),
    );
  });

  test("hundredths are written and read without loss", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (minor) => {
        expect(parseMinor(formatMinor(minor))).toBe(minor);
      }),
    );
    expect(parseMinor("7.3")).toBe(730n);
    expect(parseMinor("7")).toBe(700n);
    for (const text of ["", "-1", "1.234", "1e3", "1,00", ".5", " 1"]) {
      expect(parseMinor(text)).toBeUndefined();
    }
  });

  test("whole cents leave the rest behind", () => {
    expect(wholeCents(1_239_999_999n)).toBe(1_230_000_000n);
  });
});
