import { expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { checkInstallation, fieldOf, valuesOf, wishOf } from "./installation-form.ts";

const t = ((key: string) => key) as Translate;
const values = valuesOf({
  markup_percent: "0",
  signup: "invite",
  signup_credit: "0.5",
  display_currency: null,
});

test("an installation without another currency needs no rate", () => {
  expect(checkInstallation(values, t)).toEqual({});
  expect(wishOf(values)).toEqual({
    signup: "invite",
    signup_credit: "0.5",
    display_currency: null,
  });
});

test("a currency needs three letters and a rate above zero", () => {
  expect(checkInstallation({ ...values, code: "yuan", rate: "0" }, t)).toEqual({
    code: "system.badCurrency",
    rate: "system.badRate",
  });
  const good = { ...values, code: " cny ", rate: "7.1" };
  expect(checkInstallation(good, t)).toEqual({});
  expect(wishOf(good).display_currency).toEqual({ code: "CNY", rate: "7.1" });
});

test("refusals of the currency are shown at its fields", () => {
  expect(fieldOf("display_currency.rate")).toBe("rate");
  expect(fieldOf("display_currency")).toBe("code");
  expect(fieldOf("signup_credit")).toBe("signup_credit");
});
