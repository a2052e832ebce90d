import { describe, expect, test } from "bun:test";
import type { Translate } from "../../i18n/language.tsx";
import { bodyOf, checkBatch, csvOf, EMPTY_BATCH, totalOf } from "./code-form.ts";

const t = ((key: string) => key) as Translate;
const good = { ...EMPTY_BATCH, amount: "12.50" };

describe("a batch of codes", () => {
  test("is refused at the field where a value is out of range", () => {
    expect(checkBatch(good, "2026-11-15", t)).toEqual({});
    expect(
      checkBatch(
        { count: "0", amount: "10000.01", expires_at: "2026-11-14", note: "" },
        "2026-11-15",
        t,
      ),
    ).toEqual({
      count: "codes.countError",
      amount: "codes.amountError",
      expires_at: "codes.expiresError",
    });
    expect(checkBatch({ ...good, count: "10001" }, "2026-11-15", t).count).toBeDefined();
    expect(checkBatch({ ...good, amount: "0.009" }, "2026-11-15", t).amount).toBeDefined();
    expect(checkBatch({ ...good, expires_at: "2026-11-15" }, "2026-11-15", t)).toEqual({});
  });

  test("asks for what was typed", () => {
    const values = { count: " 25 ", amount: "$5", expires_at: "2026-12-31", note: " fair " };
    expect(bodyOf(values, "Asia/Shanghai")).toEqual({
      count: 25,
      amount: "5",
      expires_at: "2026-12-31T16:00:00.000Z",
      note: "fair",
    });
    expect(bodyOf(good, "UTC").expires_at).toBeNull();
  });

  test("says what it is worth without floats", () => {
    expect(totalOf({ ...good, count: "3", amount: "0.1" })).toBe("0.3");
    expect(totalOf({ ...good, count: "10000", amount: "19.99" })).toBe("199900.00");
    expect(totalOf({ ...good, count: "7", amount: "5" })).toBe("35");
    expect(totalOf(EMPTY_BATCH)).toBeUndefined();
  });

  test("is saved as a file of one code per line", () => {
    const batch = {
      id: "batch_1",
      amount: "5",
      note: "",
      count: 2,
      redeemed: 0,
      revoked: 0,
      outstanding: "10",
      expires_at: null,
      created_at: "2026-11-15T00:00:00.000Z",
      codes: ["FG-AAAA", "FG-BBBB"],
    };
    expect(csvOf(batch)).toBe("code,amount_usd,expires_at\r\nFG-AAAA,5,\r\nFG-BBBB,5,\r\n");
  });
});
