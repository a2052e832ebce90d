import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { bodyOf, checkInstallation, fieldOf, valuesOf } from "./installation-form.ts";

const t = ((key: string) => key) as Translate;
const settings = {
  object: "settings",
  markup_percent: "0",
  signup: "invite",
  signup_credit: "0.50",
  display_currency: { code: "CNY", rate: "7.1" },
} as const;
const values = valuesOf(settings);

test("only what is changed is said, so that the configuration goes on saying the rest", () => {
  expect(bodyOf(values, settings)).toEqual({});
  expect(bodyOf({ ...values, rate: "7.2", signup_credit: "1" }, settings)).toEqual({
    signup_credit: "1",
    display_currency: { code: "CNY", rate: "7.2" },
  });
});

test("an empty currency switches it off and needs no rate", () => {
  const dollars = { ...values, code: " ", rate: "" };
  expect(checkInstallation(dollars, t)).toEqual({});
  expect(bodyOf(dollars, settings)).toEqual({ display_currency: null });
});

test("a currency needs three letters and a rate above zero", () => {
  expect(checkInstallation({ ...values, code: "yuan", rate: "0" }, t)).toEqual({
    code: "system.badCurrency",
    rate: "system.badRate",
  });
  const good = { ...values, code: " eur ", rate: "0.92" };
  expect(checkInstallation(good, t)).toEqual({});
  expect(bodyOf(good, settings).display_currency).toEqual({ code: "EUR", rate: "0.92" });
});

test("a credit that is no amount is told at its field", () => {
  expect(checkInstallation({ ...values, signup_credit: "x" }, t)).toEqual({
    signup_credit: "errors.amount",
  });
});

test("refusals of the currency are shown at its fields", () => {
  expect(fieldOf("display_currency.rate")).toBe("rate");
  expect(fieldOf("display_currency")).toBe("code");
  expect(fieldOf("signup_credit")).toBe("signup_credit");
});
