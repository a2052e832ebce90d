import { expect, test } from "bun:test";
import { usdToNano } from "./gateway.ts";

test("decimal amounts are read exactly and other texts equal no charge", () => {
  expect(usdToNano("10")).toBe(10_000_000_000n);
  expect(usdToNano("0.0001072")).toBe(107_200n);
  expect(usdToNano("100000.000000001")).toBe(100_000_000_000_001n);
  for (const text of ["", "1e-7", "-1", "0.0000000001", "1.", "NaN"]) {
    expect(usdToNano(text)).toBe(-1n);
  }
});
