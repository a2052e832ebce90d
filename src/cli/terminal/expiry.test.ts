import { describe, expect, test } from "bun:test";
import { UsageError } from "./arguments.ts";
import { expiry } from "./expiry.ts";

const NOW = { nowMs: Date.parse("2027-01-31T12:00:00Z"), timeZone: "UTC" };
const read = (expires: string, timeZone = "UTC") =>
  expiry({ expires }, "expires", { ...NOW, timeZone });

describe("the end of a key", () => {
  test.each([
    ["2027-01-31", "UTC", "2027-02-01T00:00:00Z"],
    ["2027-12-31", "Asia/Shanghai", "2027-12-31T16:00:00Z"],
    // Clocks are set forward on that day, and over that midnight.
    ["2027-03-28", "Europe/Berlin", "2027-03-28T22:00:00Z"],
    ["2027-04-29", "Africa/Cairo", "2027-04-29T22:00:00Z"],
  ])("that is the day %s in %s is %s, when the day is over", (day, timeZone, instant) => {
    expect(read(day, timeZone)).toBe(Date.parse(instant));
  });

  test("that is a time is the same in every time zone", () => {
    expect(read("2027-01-31T20:00:01+08:00", "America/New_York")).toBe(NOW.nowMs + 1000);
  });

  test("may be never, or not said", () => {
    expect(read("never")).toBeNull();
    expect(expiry({}, "expires", NOW)).toBeUndefined();
  });

  test.each([
    ["tomorrow", /--expires must be a day/],
    ["2027-01-31T12:00", /--expires must be a day/],
    ["2027-02-30", /--expires must be a day/],
    ["2020-01-01", /--expires: this time has passed/],
    ["2027-01-30", /--expires: this time has passed/],
    ["2027-01-31T12:00:00Z", /--expires: this time has passed/],
    ["9999-12-31", /--expires: choose a year before 2100/],
  ])("is not %s", (text, message) => {
    expect(() => read(text)).toThrow(UsageError);
    expect(() => read(text)).toThrow(message);
  });

  test("that is past here may still be ahead elsewhere", () => {
    expect(() => read("2027-01-31", "Pacific/Kiritimati")).toThrow("has passed");
    expect(read("2027-01-31", "Pacific/Honolulu")).toBe(Date.parse("2027-02-01T10:00:00Z"));
  });
});
