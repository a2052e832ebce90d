import { expect, test } from "bun:test";
import fc from "fast-check";
import { testCreditLeft } from "./test-payment.ts";

test("test money is used before any other, and what came later is not used by what came before", () => {
  expect(testCreditLeft([], 50n)).toBe(0n);
  expect(testCreditLeft([{ amount: 20n, charged: 0n }], 6n)).toBe(14n);
  expect(testCreditLeft([{ amount: 20n, charged: 100n }], 106n)).toBe(14n);
  const again = [
    { amount: 20n, charged: 0n },
    { amount: -15n, charged: 5n },
    { amount: 20n, charged: 30n },
  ];
  expect(testCreditLeft(again, 31n)).toBe(19n);
});

test("what is left is never negative nor more than came", () => {
  const step = fc.record({
    amount: fc.bigInt({ min: 0n, max: 100n }),
    used: fc.bigInt({ min: 0n, max: 100n }),
  });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let charged = 0n;
      const events = steps.map(({ amount, used }) => {
        charged += used;
        return { amount, charged };
      });
      const came = steps.reduce((sum, { amount }) => sum + amount, 0n);
      const left = testCreditLeft(events, charged);
      expect(left >= 0n && left <= came).toBe(true);
    }),
  );
});
