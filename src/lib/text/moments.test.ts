import { expect, test } from "bun:test";
import { readMoment } from "./moments.ts";

test.each([
  ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ["2027-01-31T12:00Z", "2027-01-31T12:00:00.000Z"],
  ["2027-01-31T12:00:00.5+08:00", "2027-01-31T04:00:00.500Z"],
])("the moment %p is the same wherever it is read", (text, instant) => {
  expect(readMoment(text)).toBe(Date.parse(instant));
});

test.each([
  "2027-01-31T12:00:00",
  "2027-01-31 12:00",
  "2027-01-31 12:00Z",
  "2027",
  "31 Jan 2027",
  "2027-13-01",
  "2027-02-29",
  "2027-04-31T12:00:00Z",
  "tomorrow",
  "",
])("%p is no moment", (text) => {
  expect(readMoment(text)).toBeUndefined();
});
