import { describe, expect, test } from "bun:test";
import { runwayOf, warningOf } from "./runway.ts";

const lasting = (runway_days: number | null, balance = "5") => runwayOf({ balance, runway_days });

describe("the runway", () => {
  test("is not told where nothing can be said of it", () => {
    expect(lasting(null)).toBeUndefined();
    expect(lasting(0, "0")).toBeUndefined();
    expect(lasting(0, "-0.5")).toBeUndefined();
  });

  test("is told in whole days, never more than there are", () => {
    expect(lasting(0.9)?.kind).toBe("hours");
    expect(lasting(1)).toEqual({ kind: "days", count: 1 });
    expect(lasting(12.9)).toEqual({ kind: "days", count: 12 });
    expect(lasting(365)).toEqual({ kind: "days", count: 365 });
    expect(lasting(4000)?.kind).toBe("year");
  });

  test("warns of a debt and of an empty balance before a short one", () => {
    const warned = (balance: string, runway_days: number | null, credited = "9") =>
      warningOf({ balance, runway_days, credited });
    expect(warned("-0.5", null)).toBe("below");
    expect(warned("-0.000001", 0, "0")).toBe("below");
    expect(warned("0", 0)).toBe("empty");
    expect(warned("0.0", null, "0.0")).toBe("none");
    expect(warned("2", 2.9)).toBe("short");
    expect(warned("2", 3)).toBeUndefined();
    expect(warned("2", null)).toBeUndefined();
    expect(warningOf({ balance: "2", credited: "9" })).toBeUndefined();
  });
});
