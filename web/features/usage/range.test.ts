import { describe, expect, test } from "bun:test";
import { daysOf, rangeOf } from "./range.ts";

const NOW = Date.parse("2026-11-15T23:30:00Z");
const none = { range: undefined, from: undefined, to: undefined };

describe("the days of a usage page", () => {
  test("are the last thirty when nothing is chosen, or nonsense", () => {
    expect(rangeOf({ range: "a lot" })).toBe("30");
    expect(daysOf(none, NOW, "UTC")).toEqual({ from: "2026-10-17", to: "2026-11-15" });
  });

  test("end today, where the visitor is", () => {
    expect(daysOf({ ...none, range: "7" }, NOW, "Asia/Shanghai")).toEqual({
      from: "2026-11-10",
      to: "2026-11-16",
    });
  });

  test("begin with the month", () => {
    const month = { ...none, range: "month" };
    expect(daysOf(month, NOW, "UTC")).toEqual({ from: "2026-11-01", to: "2026-11-15" });
  });

  test("are those that were typed; an end that is open is today", () => {
    const custom = { range: "custom", from: "2026-02-01", to: undefined };
    expect(daysOf(custom, NOW, "UTC")).toEqual({ from: "2026-02-01", to: "2026-11-15" });
    expect(daysOf({ ...custom, to: "2026-02-28" }, NOW, "UTC")).toEqual({
      from: "2026-02-01",
      to: "2026-02-28",
    });
  });

  test("do not keep typed days where another range is chosen", () => {
    const stale = { range: "7", from: "2020-01-01", to: "2020-02-01" };
    expect(daysOf(stale, NOW, "UTC")).toEqual({ from: "2026-11-09", to: "2026-11-15" });
  });
});
