import { describe, expect, test } from "bun:test";
import { endOfDay, startOfDay } from "./day-range.ts";

describe("a calendar day as instants", () => {
  test("begins at midnight of its zone", () => {
    expect(startOfDay("2026-11-15", "UTC")).toBe("2026-11-15T00:00:00.000Z");
    expect(startOfDay("2026-11-15", "Asia/Shanghai")).toBe("2026-11-14T16:00:00.000Z");
    expect(startOfDay("2026-11-15", "America/New_York")).toBe("2026-11-15T05:00:00.000Z");
    expect(startOfDay("2026-11-15", "Asia/Kolkata")).toBe("2026-11-14T18:30:00.000Z");
  });

  test("ends where the next begins, also on the days when clocks change", () => {
    expect(endOfDay("2026-12-31", "UTC")).toBe("2027-01-01T00:00:00.000Z");
    expect(startOfDay("2026-10-25", "Europe/Berlin")).toBe("2026-10-24T22:00:00.000Z");
    expect(endOfDay("2026-10-25", "Europe/Berlin")).toBe("2026-10-25T23:00:00.000Z");
    expect(startOfDay("2026-03-29", "Europe/Berlin")).toBe("2026-03-28T23:00:00.000Z");
    expect(endOfDay("2026-03-29", "Europe/Berlin")).toBe("2026-03-29T22:00:00.000Z");
  });

  test("what is no day is no instant", () => {
    expect(startOfDay("yesterday", "UTC")).toBeUndefined();
    expect(endOfDay("2026-13-40", "UTC")).toBeUndefined();
  });
});
