import { expect, test } from "bun:test";
import fc from "fast-check";
import { readAmount, type WrittenAmount, writeAmount } from "./written-amount.ts";

const LAST = BigInt(Number.MAX_SAFE_INTEGER);

/** As every version has read it. */
const readBefore = (written: string) => BigInt(written);

test("an amount of any size is read back from JSON, by this version and by those before", () => {
  const edges = fc
    .constantFrom(0n, 2n ** 31n, 2n ** 32n, LAST, 2n ** 63n)
    .chain((edge) => fc.bigInt({ min: edge - 3n, max: edge + 3n }));
  const amounts = fc.oneof(edges, fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }));
  fc.assert(
    fc.property(amounts, (nano) => {
      const written = JSON.parse(JSON.stringify(writeAmount(nano))) as WrittenAmount;
      expect(readAmount(written)).toBe(nano);
      expect(readBefore(written as string)).toBe(nano);
    }),
  );
});

test("it is a number while that has every nano, and a text beyond", () => {
  expect([0n, 388_750n, LAST].map(writeAmount)).toEqual([0, 388_750, Number(LAST)]);
  expect([LAST + 1n, LAST + 2n].map(writeAmount)).toEqual(["9007199254740992", "9007199254740993"]);
});

test("what was written as a text is read as well", () => {
  expect(["0", "388750", "18446744073709551616"].map(readAmount)).toEqual([
    0n,
    388_750n,
    2n ** 64n,
  ]);
});
