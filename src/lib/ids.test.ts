import { afterEach, describe, expect, setSystemTime, test } from "bun:test";
import { idFloor, idTime, newId } from "./ids.ts";

afterEach(() => {
  setSystemTime();
});

describe("newId", () => {
  test("has the prefix, ten characters of time and sixteen of chance", () => {
    expect(newId("req_")).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
  });

  test("is unique among many made in the same millisecond", () => {
    setSystemTime(new Date("2026-11-15T00:00:00Z"));
    const ids = new Set(Array.from({ length: 20_000 }, () => newId("x_")));
    expect(ids.size).toBe(20_000);
  });

  test("sorts by its time of birth, also across a carry of the highest digits", () => {
    const moments = [0, 1, 31, 32, 1_023, 1_024, 2 ** 35 - 1, 2 ** 35, 1_794_700_800_000, 2 ** 45];
    const ids = moments.map((ms) => {
      setSystemTime(ms === 0 ? new Date(0) : ms);
      return newId("");
    });
    expect(ids.toSorted()).toEqual(ids);
  });
});

describe("the time of an id", () => {
  test("is found again in it", () => {
    setSystemTime(new Date("2026-11-15T01:02:03.456Z"));
    expect(idTime(newId("req_"))).toBe(Date.parse("2026-11-15T01:02:03.456Z"));
    expect(idTime(idFloor("req_", 1_700_000_000_001))).toBe(1_700_000_000_001);
  });

  test("bounds the ids of a span", () => {
    const ms = Date.parse("2026-11-15T00:00:00Z");
    setSystemTime(new Date(ms));
    const id = newId("req_");
    expect(idFloor("req_", ms) <= id && id < idFloor("req_", ms + 1)).toBe(true);
    expect(idFloor("req_", -5)).toBe(idFloor("req_", 0));
  });

  test.each(["", "req_", "req_short", "resp-01k3", "req_01k3il0000", "key"])(
    "is not told of %j",
    (text) => {
      expect(idTime(text)).toBeUndefined();
    },
  );
});
