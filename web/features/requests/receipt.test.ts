import { describe, expect, test } from "bun:test";
import type { ReceiptLine } from "../../../src/console/contract/receipt.ts";
import { listedPrice, releasedOf, roundingOf, shiftPoint, shownReason } from "./receipt.ts";

const line = (amount: string, change: Partial<ReceiptLine> = {}): ReceiptLine => ({
  item: "input",
  quantity: 1,
  unit_price: amount,
  amount,
  ...change,
});

describe("the arithmetic of a receipt", () => {
  test("moves the point without touching a digit", () => {
    expect(shiftPoint("0.00000125", 6)).toBe("1.25");
    expect(shiftPoint("0.000000000001", 6)).toBe("0.000001");
    expect(shiftPoint("3", 3)).toBe("3000");
    expect(shiftPoint("12.5", 6)).toBe("12500000");
    expect(shiftPoint("-0.5", 1)).toBe("-5");
    expect(shiftPoint("0", 6)).toBe("0");
  });

  test("tells tokens by the million and searches by the thousand", () => {
    expect(listedPrice(line("0", { unit_price: "0.000015" }))).toBe("15");
    expect(listedPrice(line("0", { item: "web_search", unit_price: "0.01" }))).toBe("10");
  });

  test("names what rounding up added, and nothing where the lines sum exactly", () => {
    const lines = [line("0.0000000004"), line("0.0000000003")];
    expect(roundingOf(lines, "0.000000001")).toBe("0.0000000003");
    expect(roundingOf([line("0.5"), line("0.25")], "0.75")).toBe("0");
  });

  test("a line below zero takes back what is beyond the hold, and leaves no rounding", () => {
    const beyond = line("-0.25", { item: "beyond_hold" });
    expect(roundingOf([line("0.5"), line("0.25"), beyond], "0.5")).toBe("0");
  });

  test("a request that is not charged for what it used has no rounding", () => {
    expect(roundingOf([line("0.5")], "0")).toBe("0");
    expect(roundingOf([], "0")).toBe("0");
  });

  test("a hold gives back what it held beyond the charge, never less than nothing", () => {
    expect(releasedOf("0.5", "0.125")).toBe("0.375");
    expect(releasedOf("0.1", "0.125")).toBe("0");
  });

  test("knows the reasons that have words", () => {
    const shown = (billing_reason: string, blame: "client" | "vendor" | null = null) =>
      shownReason({ billing_reason, blame });
    expect(shown("client_closed")).toBe("client_closed");
    expect(shown("a reason of a newer server")).toBeUndefined();
    expect(shown("upstream_failed", "vendor")).toBe("upstream_failed");
    expect(shown("upstream_failed", "client")).toBe("upstream_refused");
    const uncalled = { billing_reason: "upstream_failed", vendor_called: false } as const;
    expect(shownReason({ ...uncalled, blame: "vendor" })).toBe("no_vendor");
    expect(shownReason({ ...uncalled, blame: "operator" })).toBe("no_vendor");
  });
});
