import { describe, expect, test } from "bun:test";
import { Fault } from "../lib/faults.ts";
import {
  MoneyFault,
  type MoneyRefusal,
  refusalOf,
  refusalToJson,
  withoutBalance,
} from "./refusal.ts";

const DAY: MoneyRefusal = {
  scope: "budget",
  period: "day",
  used: 900_000_000n,
  max: 1_000_000_000n,
  left: 100_000_000n,
  needed: 250_000_000n,
  fix: "Raise it.",
  resetsAtMs: Date.UTC(2027, 0, 1, 23),
};

const BUSY: MoneyRefusal = {
  scope: "balance",
  period: null,
  used: null,
  max: null,
  left: null,
  needed: null,
  fix: "Wait.",
  resetsAtMs: null,
};

describe("a refusal for money", () => {
  test("says in headers what its receipt shows, each fact under the same name", () => {
    const { headers } = new MoneyFault("budget_exceeded", "No.", DAY);
    expect(headers).toEqual({
      "x-faregate-scope": "budget",
      "x-faregate-period": "day",
      "x-faregate-used": "0.9",
      "x-faregate-max": "1.0",
      "x-faregate-left": "0.1",
      "x-faregate-needed": "0.25",
      "x-faregate-resets-at": "2027-01-01T23:00:00.000Z",
      "x-faregate-fix": "Raise it.",
    });
    const shown = Object.entries(refusalToJson(DAY)).map(([name, value]) => [
      `x-faregate-${name.replace("_", "-")}`,
      value,
    ]);
    expect(Object.fromEntries(shown)).toEqual(headers);
  });

  test("leaves out of the headers what is not known, and keeps those that it was given", () => {
    const { headers } = new MoneyFault("budget_busy", "Busy.", BUSY, {
      headers: { "retry-after": "2" },
    });
    expect(headers).toEqual({
      "retry-after": "2",
      "x-faregate-scope": "balance",
      "x-faregate-fix": "Wait.",
    });
    expect(refusalToJson(BUSY)).toMatchObject({ used: null, needed: null, resets_at: null });
  });

  test("says less in headers than the receipt keeps, where the client may not know all of it", () => {
    const refusal: MoneyRefusal = { ...DAY, scope: "balance", period: null, resetsAtMs: null };
    const told = withoutBalance(refusal);
    const fault = new MoneyFault("budget_exceeded", "No.", refusal, { told });
    expect(fault.headers).toEqual({
      "x-faregate-scope": "balance",
      "x-faregate-needed": "0.25",
      "x-faregate-fix": "Raise it.",
    });
    expect(refusalOf(fault)).toBe(refusal);
    expect(withoutBalance(DAY)).toBe(DAY);
  });

  test("is told from every other fault", () => {
    expect(refusalOf(new MoneyFault("budget_exceeded", "No.", DAY))).toBe(DAY);
    expect(refusalOf(new Fault("model_not_found", "No."))).toBeNull();
  });
});
