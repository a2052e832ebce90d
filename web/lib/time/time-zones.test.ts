import { expect, test } from "bun:test";
import { isZone, zoneLabel, zoneMeant, zoneNames } from "./time-zones.ts";

test("the chosen zone can be chosen even where the browser does not know it", () => {
  expect(zoneNames(["Europe/Berlin"], "Asia/Kolkata")).toEqual([
    "Asia/Kolkata",
    "Europe/Berlin",
    "UTC",
  ]);
  expect(zoneNames(["Europe/Berlin", "UTC"], null)).toEqual(["Europe/Berlin", "UTC"]);
});

test("a zone is told as people read it", () => {
  expect(zoneLabel("America/Argentina/Buenos_Aires")).toBe("America / Argentina / Buenos Aires");
});

test.each([
  ["Asia/Shanghai", "Asia/Shanghai"],
  ["Asia / Shanghai", "Asia/Shanghai"],
  ["new york", "America/New_York"],
  [" utc ", "UTC"],
  ["asia", undefined],
  ["Beijing", undefined],
  ["", undefined],
])("%p means the zone %p", (typed, zone) => {
  const names = ["America/New_York", "Asia/Shanghai", "Asia/Tokyo", "UTC"];
  expect(zoneMeant(names, typed)).toBe(zone);
});

test("what no browser knows is no zone", () => {
  expect(["Europe/Berlin", "UTC", "Beijing", ""].map(isZone)).toEqual([true, true, false, false]);
});
