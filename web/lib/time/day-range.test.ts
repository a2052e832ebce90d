import { describe, expect, test } from "bun:test";
import { endOfDay, startOfDay } from "./day-range.ts";

/** Zones that change their clocks at midnight or about it, and others. */
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Asuncion",
  "America/Havana",
  "America/Nuuk",
  "America/Santiago",
  "America/Sao_Paulo",
  "America/St_Johns",
  "Asia/Beirut",
  "Asia/Kathmandu",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Atlantic/Azores",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
];

/** The days about each change of a zone's clocks, and the first of all. */
function daysOfChanges(zone: string, from: number, to: number): readonly Temporal.PlainDate[] {
  const first = Temporal.PlainDate.from({ year: from, month: 1, day: 1 });
  const days = [first];
  let at = first.toZonedDateTime(zone).getTimeZoneTransition("next");
  while (at && at.year < to) {
    const day = at.toPlainDate();
    days.push(day.subtract({ days: 1 }), day, day.add({ days: 1 }));
    at = at.getTimeZoneTransition("next");
  }
  return days;
}

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

  test.each([
    ["Atlantic/Azores", "2027-03-27", "2027-03-28T01:00:00.000Z"],
    ["America/Santiago", "2026-09-05", "2026-09-06T04:00:00.000Z"],
    ["America/Havana", "2027-03-13", "2027-03-14T05:00:00.000Z"],
    ["Africa/Cairo", "2027-04-29", "2027-04-29T22:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
  ])(
    "lasts as long as the clocks of %s show it, where the next has no midnight",
    (zone, day, end) => {
      expect(endOfDay(day, zone)).toBe(end);
    },
  );

  test("begins at the first midnight where clocks that are set back show it twice", () => {
    expect(startOfDay("2026-11-01", "America/Havana")).toBe("2026-11-01T04:00:00.000Z");
    expect(startOfDay("2026-10-25", "Atlantic/Azores")).toBe("2026-10-25T00:00:00.000Z");
  });

  test.each(ZONES)("begins where the calendar of %s says, whenever its clocks change", (zone) => {
    const days = daysOfChanges(zone, 2015, 2040);
    const begins = days.map((day) => day.toZonedDateTime(zone).epochMilliseconds);
    const told = days.map((day) => Date.parse(startOfDay(day.toString(), zone) ?? ""));
    expect(told).toEqual(begins);
  });

  test("what is no day is no instant", () => {
    expect(startOfDay("yesterday", "UTC")).toBeUndefined();
    expect(endOfDay("2026-13-40", "UTC")).toBeUndefined();
  });
});
