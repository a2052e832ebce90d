import { describe, expect, test } from "bun:test";
import {
  checkGeneral,
  generalField,
  generalValues,
  generalWishes,
  readMarkup,
} from "./settings-form.ts";

const t = ((key: string) => key) as never;

describe("the settings of the installation", () => {
  test.each([
    ["12.5", "12.5"],
    [" 20 %", "20"],
    ["0", "0"],
    ["10000.1", undefined],
    ["-5", undefined],
    ["", undefined],
    ["1e3", undefined],
  ])("read the markup %p as %p", (typed, percent) => {
    expect(readMarkup(typed)).toBe(percent);
  });

  test("say only what is changed, so that the configuration goes on saying the rest", () => {
    const settings = {
      markup_percent: "0",
      signup: "invite",
      signup_credit: "0.50",
      display_currency: { code: "CNY", rate: "7.1" },
    } as const;
    const values = generalValues(settings);
    expect(generalWishes(values, settings)).toEqual({});
    expect(generalWishes({ ...values, rate: "7.2", signup_credit: "1" }, settings)).toEqual({
      signup_credit: "1",
      display_currency: { code: "CNY", rate: "7.2" },
    });
    expect(generalWishes({ ...values, code: "", signup: "open" }, settings)).toEqual({
      signup: "open",
      display_currency: null,
    });
  });

  test("want a rate only with a currency", () => {
    const values = { signup: "open", signup_credit: "x", code: "", rate: "" } as const;
    expect(checkGeneral(values, t)).toEqual({ signup_credit: "errors.amount" });
    expect(checkGeneral({ ...values, signup_credit: "0", code: "yuan", rate: "0" }, t)).toEqual({
      code: "prices.badCurrency",
      rate: "prices.badExchange",
    });
    expect(checkGeneral({ ...values, signup_credit: "0", code: "cny", rate: "7.1" }, t)).toEqual(
      {},
    );
  });

  test("place refusals at the two fields of the currency", () => {
    expect(["display_currency.code", "display_currency", "signup"].map(generalField)).toEqual([
      "code",
      "rate",
      "signup",
    ]);
  });
});
