import { describe, expect, test } from "bun:test";
import type { Key } from "../../../src/console/contract/keys.ts";
import type { Period } from "../../lib/periods.ts";
import { budgetBody, budgetValues, checkBudgets } from "./budget-form.ts";

const t = ((key: string) => key) as never;
const budget = (amount: string, period: Period, time_zone = "Asia/Shanghai") => ({
  amount,
  period,
  time_zone,
});
const keyWith = (...budgets: readonly object[]) => ({ budgets }) as unknown as Key;
const NONE = { total: "", day: "", week: "", month: "" };

describe("the budgets of a key", () => {
  test("stand in the field of their period, in their own zone", () => {
    const key = keyWith(budget("5", "day"), budget("100", "total", "UTC"));
    const values = budgetValues(key, "Europe/Berlin");
    expect(values).toEqual({ ...NONE, day: "5", total: "100", zone: "Asia/Shanghai" });
  });

  test("of a key without any begin in the visitor's zone", () => {
    expect(budgetValues(keyWith(), "Europe/Berlin")).toEqual({ ...NONE, zone: "Europe/Berlin" });
  });

  test("are all sent, each with its period and the chosen zone", () => {
    const key = keyWith(budget("5", "day"));
    const values = { ...NONE, day: "$6.50", month: "80", zone: "UTC" };
    const form = budgetBody(values, key, "UTC");
    expect(form).toHaveLength(2);
    expect(form).toContainEqual(budget("6.5", "day", "UTC"));
    expect(form).toContainEqual(budget("80", "month", "UTC"));
  });

  test("that have no field are neither shown nor taken away", () => {
    const other = budget("9", "day", "America/New_York");
    const key = keyWith(budget("5", "day"), other);
    expect(budgetBody({ ...NONE, zone: "Asia/Shanghai" }, key, "UTC")).toEqual([other]);
  });

  test.each(["0", "ten", "-1", "1000000.01"])("cannot be %p", (typed) => {
    const values = { ...NONE, week: typed, zone: "UTC" };
    expect(checkBudgets(values, t)).toEqual({ week: "keys.badBudget" });
  });

  test("cannot begin in a zone that nobody knows", () => {
    expect(checkBudgets({ ...NONE, zone: "Beijing" }, t)).toEqual({ zone: "errors.zone" });
  });

  test("may be a million at most", () => {
    expect(checkBudgets({ ...NONE, total: "1,000,000", zone: "UTC" }, t)).toEqual({});
  });
});
