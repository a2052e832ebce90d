import { describe, expect, test } from "bun:test";
import { toldCode, vendorWords, wayOut, wentWrong } from "./fault.ts";

const RANKS = ["viewer", "member", "owner"];
const reader = (role: string, operator = false) => ({
  operator,
  may: (least: string) => operator || RANKS.indexOf(role) >= RANKS.indexOf(least),
});

const base = { error_code: null, key_id: "key_1", channel: null, refusal: null };

describe("the way out of a receipt", () => {
  test("leads to the wallet where the balance refused, for those who may pay", () => {
    const broke = { ...base, blame: "limit", refusal: { scope: "balance" } } as const;
    expect(wayOut(broke, reader("owner"))).toEqual({
      kind: "top_up",
      to: "/wallet",
      search: { dialog: "topup" },
    });
    expect(wayOut(broke, reader("member"))).toBe("ask_owner");
  });

  test("leads to the very limit of the key", () => {
    const at = (scope: "budget" | "tokens_per_minute") =>
      wayOut({ ...base, blame: "limit", refusal: { scope } }, reader("member"));
    expect(at("budget")).toMatchObject({ to: "/keys/key_1", search: { dialog: "edit" } });
    expect(at("tokens_per_minute")).toMatchObject({
      kind: "raise_rate",
      search: { dialog: "edit" },
    });
    const shared = { ...base, blame: "limit", refusal: { scope: "bytes_in_flight" } } as const;
    expect(wayOut(shared, reader("owner"))).toBeUndefined();
    // Receipts of before rates were kept have no more than the code.
    const old = { ...base, blame: "limit", error_code: "rate_limit_exceeded" } as const;
    expect(wayOut(old, reader("owner"))).toMatchObject({ kind: "raise_rate" });
    expect(wayOut(old, reader("viewer"))).toBe("ask_member");
  });

  test("leads to the models of the key, and operators to the channel", () => {
    expect(wayOut({ ...base, blame: "key" }, reader("member"))).toMatchObject({
      kind: "allow_model",
    });
    const down = { ...base, blame: "vendor", channel: "openai" } as const;
    expect(wayOut(down, reader("owner", true))).toMatchObject({ search: { channel: "openai" } });
    expect(wayOut(down, reader("owner"))).toBeUndefined();
    expect(wayOut({ ...base, blame: "operator" }, reader("owner"))).toBe("ask_operator");
    expect(wayOut({ ...base, blame: "client" }, reader("owner", true))).toBeUndefined();
  });
});

test("the vendor's words are those of the last attempt that failed", () => {
  const attempt = { channel: null, credential: null, model: null, status: 0 };
  const times = { started_ms: 0, duration_ms: 1 };
  const attempts = ["503 busy", "400 too long"].map((message) => ({
    ...{ ...attempt, ...times, code: "x", message },
  }));
  expect(vendorWords({ attempts })).toBe("400 too long");
  const served = { ...attempt, ...times, code: null, message: null };
  expect(vendorWords({ attempts: [...attempts, served] })).toBe("400 too long");
  expect(vendorWords({ attempts: [] })).toBeNull();
});

test("only what somebody waited for went wrong, and only known codes have a sentence", () => {
  expect(wentWrong({ blame: "client", status: 400 })).toBe(true);
  expect(wentWrong({ blame: "client", status: 499 })).toBe(false);
  expect(wentWrong({ blame: null, status: 200 })).toBe(false);
  expect(toldCode("model_not_found")).toBe("model_not_found");
  expect(toldCode("a_code_of_later")).toBeUndefined();
});
