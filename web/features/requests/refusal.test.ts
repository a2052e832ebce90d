import { expect, test } from "bun:test";
import { refusalKind, remediesOf } from "./refusal.ts";

const EXCEEDED = { error_code: "budget_exceeded" };
const NEVER = { resets_at: null } as const;
const DAY = { resets_at: "2026-11-16T00:00:00.000Z" } as const;

test("a refusal is told by its scope, its code and by whether something was needed", () => {
  const scope = "budget";
  expect(refusalKind(EXCEEDED, { scope, needed: null })).toBe("used_up");
  expect(refusalKind(EXCEEDED, { scope, needed: "0.1" })).toBe("short");
  expect(refusalKind({ error_code: "budget_busy" }, { scope, needed: null })).toBe("busy");
  const limited = { error_code: "rate_limit_exceeded" };
  expect(refusalKind(limited, { scope: "tokens_per_minute", needed: null })).toBe("rate");
  expect(refusalKind(limited, { scope: "bytes_in_flight", needed: null })).toBe("rate");
});

test.each([
  ["used_up", NEVER, []],
  ["used_up", DAY, ["wait"]],
  ["short", NEVER, ["cheaper"]],
  ["short", DAY, ["cheaper", "wait"]],
  ["busy", NEVER, ["later"]],
  ["rate", NEVER, ["slower"]],
] as const)("what helps when it is %s: %p", (kind, facts, remedies) => {
  expect(remediesOf(kind, facts)).toEqual([...remedies]);
});
