import { expect, test } from "bun:test";
import { refusalKind, remediesOf } from "./refusal.ts";

const EXCEEDED = { error_code: "budget_exceeded" };
const BALANCE = { scope: "balance", resets_at: null } as const;
const TOTAL = { scope: "budget", resets_at: null } as const;
const DAY = { scope: "budget", resets_at: "2026-11-16T00:00:00.000Z" } as const;

test("a refusal is told by its code and by whether something was needed", () => {
  expect(refusalKind(EXCEEDED, { needed: null })).toBe("used_up");
  expect(refusalKind(EXCEEDED, { needed: "0.1" })).toBe("short");
  expect(refusalKind({ error_code: "budget_busy" }, { needed: null })).toBe("busy");
});

test.each([
  ["used_up", BALANCE, ["top_up"]],
  ["used_up", TOTAL, ["raise"]],
  ["used_up", DAY, ["wait", "raise"]],
  ["short", BALANCE, ["cheaper", "top_up"]],
  ["short", DAY, ["cheaper", "wait", "raise"]],
  ["busy", TOTAL, ["later", "raise"]],
] as const)("what helps when it is %s: %p", (kind, facts, remedies) => {
  expect(remediesOf(kind, facts)).toEqual([...remedies]);
});
