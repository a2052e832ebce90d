import { expect, test } from "bun:test";
import { zoneLabel, zoneNames } from "./time-zones.ts";

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
