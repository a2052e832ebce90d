import { expect, test } from "bun:test";
import type { AutoTopUp } from "../../../src/payments/contract/wallet.ts";
import { bodyOf, valuesOf } from "./auto-top-up-form.ts";

const ON: AutoTopUp = {
  enabled: true,
  waiting_for_card: false,
  threshold: "5.0",
  amount: "20.0",
  daily_max: "100.0",
  failure: null,
};

test("only what is changed is said, so that what was switched off meanwhile stays off", () => {
  const values = valuesOf(ON);
  expect(bodyOf(values, ON)).toEqual({});
  expect(bodyOf({ ...values, threshold: "7.50" }, ON)).toEqual({ threshold: "7.5" });
  expect(bodyOf({ ...values, enabled: false }, ON)).toEqual({ enabled: false });
});

test("an amount that is written in another way is none that was changed", () => {
  expect(bodyOf({ ...valuesOf(ON), threshold: "$5", amount: " 20 " }, ON)).toEqual({});
});

test("an emptied most of a day is as many top-ups as where nobody says how much", () => {
  expect(bodyOf({ ...valuesOf(ON), daily_max: " " }, ON)).toEqual({ daily_max: null });
});

test("a card that is waited for is wished for already", () => {
  const waiting = { ...ON, enabled: false, waiting_for_card: true };
  expect(bodyOf(valuesOf(waiting), waiting)).toEqual({});
});

test("all of it is said where nothing is stored yet", () => {
  expect(bodyOf(valuesOf(null), null)).toEqual({
    enabled: false,
    threshold: "5",
    amount: "20",
    daily_max: null,
  });
});
