import { expect, test } from "bun:test";
import { spanDays } from "./statement-span.ts";

const NEW_YEAR = Date.parse("2027-01-01T00:30:00Z");

test("a statement of a month or a year has its first and its last day", () => {
  expect(spanDays("last_month", NEW_YEAR)).toEqual({ from: "2026-12-01", to: "2026-12-31" });
  expect(spanDays("last_year", NEW_YEAR)).toEqual({ from: "2026-01-01", to: "2026-12-31" });
  const march = Date.parse("2028-03-31T23:00:00Z");
  expect(spanDays("last_month", march)).toEqual({ from: "2028-02-01", to: "2028-02-29" });
});

test("one that has not ended begins with its first day, and all of it begins nowhere", () => {
  expect(spanDays("month", NEW_YEAR)).toEqual({ from: "2027-01-01" });
  expect(spanDays("year", NEW_YEAR)).toEqual({ from: "2027-01-01" });
  expect(spanDays("all", NEW_YEAR)).toEqual({});
});
