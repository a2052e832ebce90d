import { describe, expect, test } from "bun:test";
import type { Key } from "../../lib/contract.ts";
import { checkKey, EMPTY_KEY, fieldOf, newKeyWishes, valuesOf, wishesOf } from "./key-form.ts";

const t = ((key: string) => key) as never;

describe("the form of a key", () => {
  test("asks for nothing that was left empty", () => {
    expect(wishesOf({ ...EMPTY_KEY, name: " app " }, "UTC", [])).toEqual({
      name: "app",
      budgets: [],
      rpm: null,
      tpm: null,
      concurrency: null,
      models: null,
    });
  });

  test("of a new key leaves limits that nobody typed to the installation", () => {
    const values = { ...EMPTY_KEY, name: "app", tpm: "500" };
    expect(newKeyWishes(values, "UTC")).toEqual({ name: "app", budgets: [], tpm: 500 });
  });

  test("keeps money as it was typed, never as a float", () => {
    const values = { ...EMPTY_KEY, name: "app", amount: "$1,000.10", models: "gpt-5, claude" };
    const { budgets, models } = wishesOf(values, "Asia/Shanghai", []);
    expect(budgets).toEqual([{ amount: "1000.1", period: "month", time_zone: "Asia/Shanghai" }]);
    expect(models).toEqual(["gpt-5", "claude"]);
  });

  test("does not take away the budgets that it does not show", () => {
    const other = { amount: "1", period: "day", time_zone: "UTC" } as const;
    expect(wishesOf(EMPTY_KEY, "UTC", [other]).budgets).toEqual([other]);
  });

  test("says what is wrong at its field", () => {
    const values = { ...EMPTY_KEY, amount: "ten", rpm: "0", tpm: "1.5", concurrency: "8" };
    expect(checkKey(values, t)).toEqual({
      name: "errors.required",
      amount: "errors.amount",
      rpm: "errors.wholeNumber",
      tpm: "errors.wholeNumber",
    });
  });

  test("finds the field of a refusal", () => {
    expect(fieldOf("budgets[0].amount")).toBe("amount");
    expect(fieldOf("budgets[0].period")).toBe("period");
    expect(fieldOf("models[2]")).toBe("models");
    expect(fieldOf("name")).toBe("name");
  });

  test("shows a key as it is", () => {
    const key = {
      name: "app",
      budgets: [],
      rpm: 60,
      tpm: null,
      concurrency: null,
      models: ["a", "b"],
    };
    const values = valuesOf(key as unknown as Key);
    expect(values).toEqual({ ...EMPTY_KEY, name: "app", rpm: "60", models: "a, b" });
  });
});
