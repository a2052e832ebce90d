import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { zoneParameter } from "../contract/days.ts";
import { byDay, Calendar, dayAfter, isDay, rangeOf } from "./calendar.ts";

const HOUR_MS = 3_600_000;
const hourOf = (text: string) => Date.parse(text) / HOUR_MS;

function only(zone: string, day: string) {
  const [found] = new Calendar(zone).days(day, day);
  if (!found) throw new Error("no day");
  return {
    from: new Date(found.fromHour * HOUR_MS).toISOString(),
    hours: found.toHour - found.fromHour,
  };
}

describe("a calendar", () => {
  test("has days of the zone, with 23 and 25 hours where clocks change", () => {
    expect(only("UTC", "2026-03-29")).toEqual({ from: "2026-03-29T00:00:00.000Z", hours: 24 });
    expect(only("Europe/Berlin", "2026-03-29")).toEqual({
      from: "2026-03-28T23:00:00.000Z",
      hours: 23,
    });
    expect(only("Europe/Berlin", "2026-10-25")).toEqual({
      from: "2026-10-24T22:00:00.000Z",
      hours: 25,
    });
    expect(only("Asia/Shanghai", "2026-11-15")).toEqual({
      from: "2026-11-14T16:00:00.000Z",
      hours: 24,
    });
  });

  test.each([
    // Midnight is at 18:30 UTC: both hours are as near, and the earlier one is taken.
    ["Asia/Kolkata", "2026-11-14T18:00:00.000Z"],
    // At 18:15 UTC.
    ["Asia/Kathmandu", "2026-11-14T18:00:00.000Z"],
    // At 10:15 UTC, and at 15:15 UTC.
    ["Pacific/Chatham", "2026-11-14T10:00:00.000Z"],
    ["Australia/Eucla", "2026-11-14T15:00:00.000Z"],
    // At 02:30 UTC... of the same day, since the zone is behind.
    ["America/St_Johns", "2026-11-15T03:00:00.000Z"],
  ])("begins days of %s at the full hour nearest to midnight", (zone, from) => {
    expect(only(zone, "2026-11-15").from).toBe(from);
  });

  test("puts a moment into the day that has its hour, in any zone", () => {
    const zones = ["UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Europe/Berlin"];
    const moments = fc.integer({
      min: hourOf("2025-01-01T00:00Z"),
      max: hourOf("2027-01-01T00:00Z"),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones, "Pacific/Apia", "America/Havana"),
        moments,
        (zone, hour) => {
          const calendar = new Calendar(zone);
          const [day] = calendar.days(
            calendar.dayOf(hour * HOUR_MS),
            calendar.dayOf(hour * HOUR_MS),
          );
          expect(day && day.fromHour <= hour && hour < day.toHour).toBe(true);
        },
      ),
    );
  });

  test("has no gap and no overlap between its days", () => {
    const days = new Calendar("America/New_York").days("2026-01-01", "2026-12-31");
    expect(days).toHaveLength(365);
    for (const [i, day] of days.entries()) {
      if (i > 0) expect(day.fromHour).toBe(days[i - 1]?.toHour ?? 0);
    }
  });
});

test("byDay puts every hour of the range to its day and keeps days without any", () => {
  const days = new Calendar("UTC").days("2026-11-01", "2026-11-03");
  const { fromHour, toHour } = rangeOf(days);
  const rows = [fromHour - 1, fromHour, fromHour + 23, toHour - 1, toHour].map((hour) => ({
    hour,
  }));
  expect(byDay(days, rows).map(({ day, rows: of }) => [day, of.map(({ hour }) => hour)])).toEqual([
    ["2026-11-01", [fromHour, fromHour + 23]],
    ["2026-11-02", []],
    ["2026-11-03", [toHour - 1]],
  ]);
});

test("days can be counted on and told from what is none", () => {
  expect(dayAfter("2026-02-28", 1)).toBe("2026-03-01");
  expect(["2026-02-28", "2026-02-29", "2026-2-1", "x"].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test("a zone that is none is said to be at fault", () => {
  expect(zoneParameter.parse(undefined)).toBe("UTC");
  expect(() => zoneParameter.parse("Mars/Base")).toThrow(/Mars\/Base/);
});
