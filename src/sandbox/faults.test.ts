import { expect, test } from "bun:test";
import { readFaults, reportedCounts } from "./faults.ts";

const COUNTS = { input: 5, output: 7, reasoning: 2 };

test("faults are read from one header, separated by commas", () => {
  const faults = readFaults("cut_after=3, delay_ms=20,no_usage");
  expect(faults).toMatchObject({ cutAfter: 3, delayMs: 20, usage: "none", status: null });
  expect(readFaults("stall").stallAfter).toBe(0);
  expect(readFaults(null)).toMatchObject({ reset: false, usage: "true" });
});

test("an unknown fault or a bad count is refused", () => {
  for (const header of [
    "http_418",
    "cut_after",
    "cut_after=x",
    "stall=1",
    "usage=odd",
    "toString",
  ]) {
    expect(() => readFaults(header)).toThrow("Unknown fault");
  }
});

test("usage can be missing, negative or absurd", () => {
  expect(reportedCounts(COUNTS, readFaults(null))).toEqual(COUNTS);
  expect(reportedCounts(COUNTS, readFaults("no_usage"))).toBeNull();
  expect(reportedCounts(COUNTS, readFaults("usage=negative"))?.output).toBe(-7);
  expect(reportedCounts(COUNTS, readFaults("usage=absurd"))?.output).toBeGreaterThan(1e12);
});
