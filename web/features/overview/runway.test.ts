import { describe, expect, test } from "bun:test";
import { runwayOf, warningOf } from "./runway.ts";

describe("the runway", () => {
  test("is unknown before anything was spent", () => {
    expect(runwayOf(null).kind).toBe("unknown");
  });

  test("is told in whole days, never more than there are", () => {
    expect(runwayOf(0.9).kind).toBe("hours");
    expect(runwayOf(1)).toEqual({ kind: "days", count: 1 });
    expect(runwayOf(12.9)).toEqual({ kind: "days", count: 12 });
    expect(runwayOf(365)).toEqual({ kind: "days", count: 365 });
    expect(runwayOf(4000).kind).toBe("year");
  });

  test("warns of an empty balance before a short one", () => {
    expect(warningOf({ balance: "0", runway_days: 0 })).toBe("empty");
    expect(warningOf({ balance: "-0.5", runway_days: null })).toBe("empty");
    expect(warningOf({ balance: "2", runway_days: 2.9 })).toBe("short");
    expect(warningOf({ balance: "2", runway_days: 3 })).toBeUndefined();
    expect(warningOf({ balance: "2", runway_days: null })).toBeUndefined();
  });
});
