import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import {
  checkAmount,
  convertDown,
  convertUp,
  formatCurrency,
  isPaidOtherwise,
  waysOf,
} from "./payment.ts";

const t = ((key: string) => key) as unknown as Translate;

test.each([
  ["25", { amount: "25" }],
  ["$1,250.50", { amount: "1250.5" }],
  ["", { error: "errors.required" }],
  ["ten", { error: "errors.amount" }],
  ["0.99", { error: "wallet.amountMin" }],
  ["10000.01", { error: "wallet.amountMax" }],
  ["5.005", { error: "wallet.amountCents" }],
])("an amount to pay is whole cents within its bounds: %p", (typed, wanted) => {
  expect(checkAmount(typed, t, "en-US")).toEqual(wanted);
});

test("bounds of a refund are what can be refunded", () => {
  const range = { min: "0.01", max: "12.5" };
  expect(checkAmount("12.5", t, "en-US", range)).toEqual({ amount: "12.5" });
  expect(checkAmount("12.51", t, "en-US", range)).toEqual({ error: "wallet.amountMax" });
  expect(checkAmount("0", t, "en-US", range)).toEqual({ error: "wallet.amountMin" });
});

test("another currency is rounded up to its hundredth", () => {
  expect(convertUp("10", "7.25")).toBe("72.50");
  expect(convertUp("1.01", "7.251")).toBe("7.33");
  expect(convertUp("0", "7.25")).toBe("0.00");
  expect(formatCurrency("72.50", "CNY", "zh-CN")).toBe("¥72.50");
});

test("what somebody has is rounded down to the hundredth of another currency", () => {
  expect(convertDown("10", "7.25")).toBe("72.50");
  expect(convertDown("1.01", "7.251")).toBe("7.32");
});

test("what was paid is told where it is not what is credited", () => {
  const order = {
    amount: "50.0",
    payment_amount: "50.00",
    payment_currency: "USD",
    paid_at: "2026-11-15T12:00:00.000Z",
    test: false,
  };
  expect(isPaidOtherwise(order)).toBe(false);
  const yuan = { ...order, payment_currency: "CNY", payment_amount: "362.50" };
  expect(isPaidOtherwise(yuan)).toBe(true);
  expect(isPaidOtherwise({ ...yuan, paid_at: null })).toBe(false);
  expect(isPaidOtherwise({ ...yuan, test: true })).toBe(false);
});

test("ways to pay follow the providers; a code is none", () => {
  expect(waysOf(["code"])).toEqual([]);
  expect(waysOf(["test", "code"]).map(({ id }) => id)).toEqual(["test"]);
  expect(waysOf(["epay", "stripe"]).map(({ id }) => id)).toEqual(["stripe", "alipay", "wxpay"]);
});
