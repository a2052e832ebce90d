import { expect, test } from "bun:test";
import { date, table } from "./print.ts";

test("a table has a heading, columns as wide as they need, and figures to the right", () => {
  const rows = [
    { name: "a", requests: 5 },
    { name: "longer", requests: 12_345_678 },
  ];
  expect(table(rows)).toBe(["name    requests", "a              5", "longer  12345678"].join("\n"));
  expect(table([])).toBe("none");
});

test("a date is short, and no date is never", () => {
  expect(date(Date.UTC(2026, 10, 15, 2, 3, 4))).toBe("2026-11-15 02:03");
  expect(date(null)).toBe("never");
});
