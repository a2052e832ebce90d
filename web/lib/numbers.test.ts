import { describe, expect, test } from "bun:test";
import { addDecimals, compareDecimals, percentOf } from "./decimal.ts";
import {
  dayIn,
  formatAxisMoney,
  formatClock,
  formatDate,
  formatDuration,
  formatExact,
  formatFirstDay,
  formatLeft,
  formatLogDay,
  formatMoney,
  formatPast,
  formatRelative,
  lastDays,
} from "./format.ts";
import { readAmount } from "./forms/amount.ts";

describe("decimals", () => {
  test("add without losing a digit", () => {
    expect(addDecimals("0.1", "0.2")).toBe("0.3");
    expect(addDecimals("9007199254740993", "0.000000001")).toBe("9007199254740993.000000001");
    expect(addDecimals("1", "-1.5")).toBe("-0.5");
    expect(addDecimals()).toBe("0");
  });

  test("compare by value", () => {
    expect(compareDecimals("10", "9.99")).toBe(1);
    expect(compareDecimals("1.50", "1.5")).toBe(0);
    expect(compareDecimals("-2", "1")).toBe(-1);
  });

  test("are a hundred percent only when all is used", () => {
    expect(percentOf("24.999", "25")).toBe(99.9);
    expect(percentOf("25", "25")).toBe(100);
    expect(percentOf("30", "25")).toBe(120);
    expect(percentOf("0", "0")).toBe(0);
    expect(percentOf("0.1", "0")).toBe(100);
  });

  test.each([
    ["25", "25"],
    [" $1,250.50 ", "1250.5"],
    [".5", "0.5"],
    ["", undefined],
    ["1e3", undefined],
    ["-5", undefined],
    ["1.0000000001", undefined],
    ["abc", undefined],
    ["1,000,000", "1000000"],
    ["12,50", undefined],
    ["0,5", undefined],
    ["0,500", undefined],
    ["1,2345", undefined],
    ["1234,500", undefined],
    ["1.5,000", undefined],
    ["1,000.5,000", undefined],
  ])("are read from what a person types: %p", (typed, amount) => {
    expect(readAmount(typed)).toBe(amount);
  });
});

describe("words for numbers", () => {
  test.each([
    ["12.5", "$12.50"],
    ["0", "$0.00"],
    ["0.000123", "$0.000123"],
    ["1234.567", "$1,234.57"],
    ["-3.2", "-$3.20"],
  ])("money %p", (decimal, words) => {
    expect(formatMoney(decimal, "en-US")).toBe(words);
  });

  test.each([
    ["4.997946", "$4.99"],
    ["5", "$5.00"],
    ["0.9999999", "$0.999999"],
    ["0.0000001", "$0.00"],
    ["1234.999999", "$1,234.99"],
    ["-0.0000001", "-$0.000001"],
    ["-3.201", "-$3.21"],
  ])("of what is left, %p, no more is told than there is", (decimal, words) => {
    expect(formatLeft(decimal, "en-US")).toBe(words);
  });

  test.each([
    [0, "$0"],
    [0.000005, "$0.000005"],
    [0.5, "$0.50"],
    [40, "$40"],
    [1_000, "$1,000"],
    [20_000, "$20K"],
  ])("the mark of an axis at %p", (value, words) => {
    expect(formatAxisMoney(value, "en-US")).toBe(words);
  });

  test("exact money keeps every digit, beyond what a float could", () => {
    expect(formatMoney("9007199254740993.123456789", "en-US", true)).toBe(
      "$9,007,199,254,740,993.123456789",
    );
  });

  test("durations", () => {
    expect(formatDuration(850, "en-US")).toBe("850 ms");
    expect(formatDuration(2_440, "en-US")).toBe("2.4 sec");
    expect(formatDuration(65_000, "en-US")).toBe("1 min 5 sec");
  });
});

describe("words for times", () => {
  const nowMs = Date.parse("2026-11-15T00:30:00Z");

  test("near and far", () => {
    expect(formatRelative("2026-11-15T00:27:00Z", nowMs, "en-US")).toBe("3 min. ago");
    expect(formatRelative("2026-12-01T00:30:00Z", nowMs, "en-US")).toBe("in 16 days");
    expect(formatRelative("2026-11-14T00:30:00Z", nowMs, "zh-CN")).toBe("昨天");
  });

  test("what has happened is never to come, however the clocks go", () => {
    expect(formatPast("2026-11-15T00:30:19Z", nowMs, "en-US")).toBe("now");
    expect(formatPast("2026-11-15T00:27:00Z", nowMs, "en-US")).toBe("3 min. ago");
    expect(formatPast("2026-11-15T01:30:00Z", nowMs, "zh-CN")).toBe("现在");
  });

  test("logs have the clock, and the day where it is another", () => {
    const at = (iso: string, zone: string) => formatClock(iso, nowMs, "en-US", zone);
    expect(at("2026-11-15T00:27:05Z", "UTC")).toBe("00:27:05");
    expect(at("2026-11-14T23:59:59Z", "UTC")).toBe("Nov 14, 23:59:59");
    expect(at("2026-11-14T23:59:59Z", "Asia/Shanghai")).toBe("07:59:59");
    expect(at("2025-12-31T10:00:00Z", "UTC")).toBe("Dec 31, 2025, 10:00:00");
    expect(formatClock("2026-11-14T23:59:59Z", nowMs, "zh-CN", "UTC")).toBe("11月14日 23:59:59");
  });

  test("a day in a log has its year where a time beside it has one", () => {
    expect(formatLogDay("2026-11-14", nowMs, "en-US", "UTC")).toBe("Nov 14");
    expect(formatLogDay("2025-12-31", nowMs, "en-US", "UTC")).toBe("Dec 31, 2025");
    expect(formatLogDay("2026-11-14", nowMs, "zh-CN", "UTC")).toBe("11月14日");
  });

  test("what begins with a day of UTC begins on that day everywhere", () => {
    const price = "2026-12-01T00:00:00.000Z";
    for (const zone of ["UTC", "America/Los_Angeles", "Asia/Shanghai"]) {
      expect(formatFirstDay(price, "en-US", zone)).toBe("Dec 1, 2026");
    }
    expect(formatDate(price, "en-US", "America/Los_Angeles")).toBe("Nov 30, 2026");
    expect(formatFirstDay("2026-12-01T03:00:00Z", "en-US", "America/Los_Angeles")).toBe(
      "Nov 30, 2026",
    );
  });

  test("exact ones name their zone", () => {
    const words = formatExact("2026-11-15T00:30:00Z", "en-US", "Asia/Shanghai");
    expect(words).toBe("Nov 15, 2026, 08:30:00 GMT+8");
  });

  test("days are those of the zone", () => {
    expect(dayIn(nowMs, "America/New_York")).toBe("2026-11-14");
    expect(lastDays(3, nowMs, "Asia/Shanghai")).toEqual(["2026-11-13", "2026-11-14", "2026-11-15"]);
  });
});
