import { describe, expect, test } from "bun:test";
import type { Key } from "../../../src/console/contract/keys.ts";
import { checkKey, fieldOf, NEW_KEY, newKeyWishes, valuesOf, wishesOf } from "./key-form.ts";

const t = ((key: string) => key) as never;
const EMPTY = valuesOf(NEW_KEY, "UTC");

describe("the form of a key", () => {
  test("asks for nothing that was left empty", () => {
    expect(wishesOf({ ...EMPTY, name: " app " }, NEW_KEY, "UTC")).toEqual({
      name: "app",
      budgets: [],
      rpm: null,
      tpm: null,
      concurrency: null,
      models: null,
      networks: null,
      hard: false,
      account_read: false,
      show_cost: true,
    });
  });

  test("of a new key leaves limits that nobody typed to the installation", () => {
    const values = { ...EMPTY, name: "app", tpm: "500" };
    const wishes = newKeyWishes(wishesOf(values, NEW_KEY, "UTC"));
    expect(wishes).toMatchObject({ name: "app", budgets: [], tpm: 500 });
    expect(wishes).not.toContainAnyKeys(["rpm", "concurrency"]);
  });

  test("keeps money as it was typed, never as a float", () => {
    const zone = "Asia/Shanghai";
    const values = { ...valuesOf(NEW_KEY, zone), name: "app", month: "$1,000.10", day: "2" };
    expect(wishesOf(values, NEW_KEY, zone).budgets).toEqual([
      { amount: "2", period: "day", time_zone: zone },
      { amount: "1000.1", period: "month", time_zone: zone },
    ]);
  });

  test("says what is wrong at its field", () => {
    const values = {
      ...EMPTY,
      day: "ten",
      rpm: "0",
      tpm: "1.5",
      concurrency: "8",
      models: [],
    };
    expect(checkKey(values, t)).toEqual({
      name: "errors.required",
      day: "keys.badBudget",
      rpm: "errors.wholeNumber",
      tpm: "errors.wholeNumber",
      models: "keys.modelsNone",
    });
  });

  test("finds the field of a refusal", () => {
    const sent = {
      budgets: [
        { amount: "1", period: "total" as const },
        { amount: "2", period: "week" as const },
      ],
    };
    expect(fieldOf("budgets.1.amount", sent)).toBe("week");
    expect(fieldOf("budgets.0", sent)).toBe("total");
    expect(fieldOf("models.2", sent)).toBe("models");
    expect(fieldOf("expires_at", sent)).toBe("expires_at");
    expect(fieldOf("name", sent)).toBe("name");
  });

  test("changes nothing of a key that is saved as it is shown", () => {
    const zone = "Europe/Berlin";
    const key = {
      name: "app",
      rpm: 60,
      tpm: null,
      concurrency: null,
      models: ["a", "b"],
      expires_at: "2026-12-31T22:15:00.000Z",
      networks: ["10.0.0.0/8"],
      hard: true,
      account_read: false,
      show_cost: false,
      budgets: [
        { amount: "5", period: "day", time_zone: zone },
        { amount: "7", period: "day", time_zone: "UTC" },
        { amount: "100", period: "total", time_zone: zone },
      ],
    } as unknown as Key;
    const wishes = wishesOf(valuesOf(key, zone), key, zone);
    const { expires_at: _untouched, budgets, ...rest } = key;
    expect(wishes).toMatchObject(rest);
    expect(wishes).not.toHaveProperty("expires_at");
    expect(wishes.budgets).toHaveLength(3);
    expect(wishes.budgets).toEqual(expect.arrayContaining([...budgets]));
  });
});
