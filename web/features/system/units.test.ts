import { expect, test } from "bun:test";
import { formatBytes, formatUptime } from "./units.ts";

test("sizes are told in the largest unit that fits", () => {
  expect(formatBytes(0, "en-US")).toBe("0 byte");
  expect(formatBytes(1536, "en-US")).toBe("1.5 kB");
  expect(formatBytes(48 * 1024 * 1024, "en-US")).toBe("48 MB");
  expect(formatBytes(5000 * 1024 ** 4, "en-US")).toBe("5,000 TB");
});

test("uptime is told in its two largest units", () => {
  expect(formatUptime(45, "en-US")).toBe("45 sec");
  expect(formatUptime(125, "en-US")).toBe("2 min");
  expect(formatUptime(3_660, "en-US")).toBe("1 hr 1 min");
  expect(formatUptime(3 * 86_400 + 4 * 3_600 + 59, "en-US")).toBe("3 days 4 hr");
});
