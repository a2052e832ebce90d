import { describe, expect, test } from "bun:test";
import {
  type BudgetTerms,
  budgetsProblem,
  budgetToJson,
  type KeyBudget,
  tightest,
} from "./budget.ts";

const DAY: BudgetTerms = { amount: 5n, period: "day", timeZone: "Asia/Tokyo" };

describe("a list of budgets", () => {
  test("may have several of one period in different zones", () => {
    const total = { ...DAY, period: "total" } as const;
    expect(budgetsProblem([])).toBeUndefined();
    expect(budgetsProblem([DAY, { ...DAY, timeZone: "UTC" }, total])).toBeUndefined();
  });

  test.each([
    ["the same twice", [DAY, { ...DAY, amount: 9n }], 1, /same period/],
    ["two totals, wherever", [DAY, total("UTC"), total("Asia/Tokyo")], 2, /same period/],
    ["no such zone", [{ ...DAY, timeZone: "Mars/Base" }], 0, /'Mars\/Base'/],
    ["a zone in another spelling", [{ ...DAY, timeZone: "asia/tokyo" }], 0, /asia/],
    ["too many", zones(9), 8, /at most 8/],
  ] as const)("%s: says which and why", (_name, budgets, index, message) => {
    const problem = budgetsProblem(budgets);
    expect(problem?.index).toBe(index);
    expect(problem?.message).toMatch(message);
  });
});

function total(timeZone: string): BudgetTerms {
  return { amount: 1n, period: "total", timeZone };
}

function zones(count: number): BudgetTerms[] {
  const names = Array.from({ length: count }, (_, i) => `Etc/GMT+${i + 1}`);
  return names.map((timeZone) => ({ ...DAY, timeZone }));
}

function standing(over: Partial<KeyBudget>): KeyBudget {
  return { ...DAY, id: "bud_1", used: 1n, held: 2n, resetsAtMs: Date.UTC(2027, 0, 2), ...over };
}

describe("how budgets stand", () => {
  test("the tightest is the one with the least left, passed ones before all", () => {
    const [roomy, passed] = [standing({ amount: 900n }), standing({ id: "b", used: 6n })];
    expect(tightest([roomy, standing({}), passed])?.id).toBe("b");
    expect(tightest([roomy, standing({ id: "c" })])?.id).toBe("c");
    expect(tightest([])).toBeUndefined();
  });

  test("is written in decimals and times of the API", () => {
    expect(budgetToJson(standing({ amount: 1_500_000_000n }))).toEqual({
      id: "bud_1",
      amount: "1.5",
      period: "day",
      time_zone: "Asia/Tokyo",
      used: "0.000000001",
      held: "0.000000002",
      resets_at: "2027-01-02T00:00:00.000Z",
    });
    expect(budgetToJson(standing({ resetsAtMs: null })).resets_at).toBeNull();
  });
});
