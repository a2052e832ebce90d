import { describe, expect, test } from "bun:test";
import type { Key } from "../../../src/console/contract/keys.ts";
import { bodyOf, checkKey, fieldOf, NEW_KEY, valuesOf } from "./key-form.ts";

const t = ((key: string) => key) as never;
const EMPTY = valuesOf(NEW_KEY, "UTC");

describe("the form of a key", () => {
  test("of a new key leaves what nobody said to the installation, limits above all", () => {
    const values = { ...EMPTY, name: " app ", tpm: "500" };
    expect(bodyOf(values, NEW_KEY, "UTC")).toEqual({ name: "app", tpm: 500 });
  });

  test("keeps money as it was typed, never as a float", () => {
    const zone = "Asia/Shanghai";
    const values = { ...valuesOf(NEW_KEY, zone), name: "app", month: "$1,000.10", day: "2" };
    expect(bodyOf(values, NEW_KEY, zone).budgets).toEqual([
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

  test("says only what is changed, so that nothing is taken back that others set meanwhile", () => {
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
    const values = valuesOf(key, zone);
    const form = (said: object) => bodyOf({ ...values, ...said }, key, zone);
    expect(form({})).toEqual({});
    expect(form({ name: "other" })).toEqual({ name: "other" });
    expect(form({ rpm: "", models: null, networks: "", hard: false, expires_at: "" })).toEqual({
      rpm: null,
      models: null,
      networks: null,
      hard: false,
      expires_at: null,
    });
    const { budgets } = form({ total: "$120" });
    expect(budgets).toHaveLength(3);
    expect(budgets).toContainEqual({ amount: "120", period: "total", time_zone: zone });
    expect(budgets).toEqual(expect.arrayContaining(key.budgets.slice(0, 2)));
  });
});
