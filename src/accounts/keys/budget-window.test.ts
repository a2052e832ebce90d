import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { windowOf, zoneName } from "./budget-window.ts";

const HOUR_MS = 3_600_000;

/** Zones with whole hours, halves and quarters, with and without summer time, on both halves. */
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "America/Havana",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Shanghai",
  "Asia/Beirut",
  "Africa/Cairo",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Niue",
];

/** The wall clock of a zone, by another way than the code under test goes. */
function wall(zone: string, ms: number): { date: string; time: string; weekday: string } {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    weekday: "short",
  }).formatToParts(ms);
  const of = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  return {
    date: `${of("year")}-${of("month")}-${of("day")}`,
    time: `${of("hour")}:${of("minute")}:${of("second")}`,
    weekday: of("weekday"),
  };
}

function utc(text: string): number {
  return Date.parse(`${text}Z`);
}

describe("the window of a moment", () => {
  test.each([
    ["day", "UTC", "2027-01-15T13:00", "2027-01-15T00:00", "2027-01-16T00:00"],
    ["week", "UTC", "2027-01-17T23:59", "2027-01-11T00:00", "2027-01-18T00:00"],
    ["week", "UTC", "2027-01-18T00:00", "2027-01-18T00:00", "2027-01-25T00:00"],
    ["month", "UTC", "2028-02-29T12:00", "2028-02-01T00:00", "2028-03-01T00:00"],
    ["month", "UTC", "2027-12-31T23:59", "2027-12-01T00:00", "2028-01-01T00:00"],
    ["day", "Asia/Shanghai", "2027-01-15T16:00", "2027-01-15T16:00", "2027-01-16T16:00"],
    ["day", "Asia/Kathmandu", "2027-01-15T18:14", "2027-01-14T18:15", "2027-01-15T18:15"],
    // Clocks go forward: 23 hours. Clocks go back: 25 hours.
    ["day", "Europe/Berlin", "2027-03-28T10:00", "2027-03-27T23:00", "2027-03-28T22:00"],
    ["day", "Europe/Berlin", "2027-10-31T10:00", "2027-10-30T22:00", "2027-10-31T23:00"],
    ["week", "Europe/Berlin", "2027-03-24T10:00", "2027-03-21T23:00", "2027-03-28T22:00"],
    ["month", "Europe/Berlin", "2027-03-10T10:00", "2027-02-28T23:00", "2027-03-31T22:00"],
    // Summer time begins at midnight, so the day begins at one o'clock.
    ["day", "America/Sao_Paulo", "2018-11-04T12:00", "2018-11-04T03:00", "2018-11-05T02:00"],
    // The day on the other side of the date line that never was.
    ["day", "Pacific/Apia", "2011-12-30T05:00", "2011-12-29T10:00", "2011-12-30T10:00"],
    ["day", "Pacific/Apia", "2011-12-30T10:00", "2011-12-30T10:00", "2011-12-31T10:00"],
    // Clocks went back over midnight; the day that had begun goes on.
    ["day", "America/St_Johns", "2010-11-07T02:45", "2010-11-07T02:30", "2010-11-08T03:30"],
  ] as const)("%s in %s at %s", (period, zone, at, start, end) => {
    expect(windowOf(period, zone, utc(at))).toEqual({ startMs: utc(start), endMs: utc(end) });
  });

  const period = fc.constantFrom("day" as const, "week" as const, "month" as const);
  const zone = fc.constantFrom(...ZONES);

  test("has it inside, and joins the one before and the one after", () => {
    const moment = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2090, 0) });
    fc.assert(
      fc.property(period, zone, moment, (each, where, atMs) => {
        const { startMs, endMs } = windowOf(each, where, atMs);
        expect(startMs).toBeLessThanOrEqual(atMs);
        expect(endMs).toBeGreaterThan(atMs);
        expect(windowOf(each, where, startMs)).toEqual({ startMs, endMs });
        expect(windowOf(each, where, endMs - 1)).toEqual({ startMs, endMs });
        expect(windowOf(each, where, endMs).startMs).toBe(endMs);
        expect(windowOf(each, where, startMs - 1).endMs).toBe(startMs);
      }),
      { numRuns: 1_000 },
    );
  });

  test("begins where the calendar on the wall says", () => {
    const moment = fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(period, zone, moment, (each, where, atMs) => {
        const { startMs, endMs } = windowOf(each, where, atMs);
        const first = wall(where, startMs);
        expect(wall(where, startMs - 1).date < first.date).toBe(true);
        // Midnight, or the first moment there is where clocks are put forward over it.
        expect(first.time <= "01:00:00").toBe(true);
        if (each === "day") expect(first.date).toBe(wall(where, atMs).date);
        if (each === "week") expect(first.weekday).toBe("Mon");
        if (each === "month") expect(first.date).toEndWith("-01");
        const days = (endMs - startMs) / (24 * HOUR_MS);
        const [least, most] = { day: [1, 1], week: [7, 7], month: [28, 31] }[each] as [
          number,
          number,
        ];
        expect(days).toBeGreaterThan(least - 1 / 12);
        expect(days).toBeLessThan(most + 1 / 12);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("the name of a zone", () => {
  test.each(ZONES)("%s is one", (name) => {
    expect(zoneName(name)).toBe(name);
  });

  test("is spelled as it is kept", () => {
    expect(zoneName("europe/BERLIN")).toBe("Europe/Berlin");
    expect(zoneName("utc")).toBe("UTC");
  });

  test.each(["", "Mars/Base", "+02:00", "-05", "Europe/Berlin ", "[UTC]", "Z".repeat(500), "\0"])(
    "%j is none",
    (name) => {
      expect(zoneName(name)).toBeUndefined();
    },
  );

  test("is whatever the runtime lists", () => {
    const listed = Intl.supportedValuesOf("timeZone");
    expect(listed.length).toBeGreaterThan(300);
    expect(listed.filter((name) => zoneName(name) !== name)).toEqual([]);
  });
});
