import { expect, test } from "bun:test";
import { isOwnPrice, markedVersion, markupIn, planVersion } from "./price-version.ts";

test.each([
  ["2026-11-01", "plan/2026-11-01"],
  ["2026-11-01+20%", "plan/2026-11-01"],
  ["2026-11-01/peak+12.5%", "plan/2026-11-01/peak"],
  ["2026-11-01+12.5%/peak", "plan/2026-11-01/peak"],
  ["console/2026-12-01", "plan/2026-12-01"],
  ["console/2026-12-01T10:30:00.000Z", "plan/2026-12-01T10:30:00.000Z"],
  ["console/free", "plan/free"],
  ["faregate.yaml/2026-12-01", "plan/2026-12-01"],
  ["faregate.yaml", "plan"],
])("customers are told of %p as %p", (version, told) => {
  expect(planVersion(version)).toBe(told);
});

test("what was put on top can be read from the operator's own name of a price", () => {
  expect(markupIn(markedVersion("2026-11-01", "12.5"))).toBe("12.5");
  expect(markupIn(markedVersion("2026-11-01/peak", "20"))).toBe("20");
  expect(markupIn("2026-11-01")).toBeUndefined();
});

test("a price of the operator's own is told from one that ships", () => {
  expect(["faregate.yaml", "console/2026-12-01", "2026-11-01+20%"].map(isOwnPrice)).toEqual([
    true,
    true,
    false,
  ]);
});
