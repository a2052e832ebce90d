import { describe, expect, test } from "bun:test";
import type { HoldTerms } from "../../admission/judge.ts";
import type { BudgetRow } from "./budget-rows.ts";
import { ScopeBook, type ScopeRow } from "./scope-book.ts";

const NOON_MS = Date.UTC(2027, 0, 31, 12);
const MIDNIGHT_MS = Date.UTC(2027, 1, 1);

type Sums = Partial<Pick<ScopeRow, "used" | "held" | "running">>;

function balance(max: bigint): ScopeRow {
  return { id: "acct", kind: "balance", max, used: 0n, held: 0n, running: 0n };
}

function sumsOf(id: string, sums: Sums = {}): ScopeRow {
  return { id, kind: "key", max: null, used: 0n, held: 0n, running: 0n, ...sums };
}

/** Of requests that may pass a soft budget by as much as it has. */
const SOFT = { overdraft: 0n, hard: false, loneMax: 1_000_000n, loneLeast: 0n };

/** A request that costs so much and no less. */
function cost(worst: bigint): HoldTerms {
  return { worst, floor: worst, least: worst, ...SOFT };
}

function budget(max: bigint, over: Partial<BudgetRow> = {}): BudgetRow {
  const whole = { period: "total", timeZone: "UTC", windowStartMs: 0, resetsAtMs: null } as const;
  return { id: "bud_total", ...whole, max, base: 0n, ...over };
}

function daily(max: bigint, over: Partial<BudgetRow> = {}): BudgetRow {
  const window = { windowStartMs: MIDNIGHT_MS - 86_400_000, resetsAtMs: MIDNIGHT_MS };
  return budget(max, { id: "bud_day", period: "day", ...window, ...over });
}

interface LoadedKey {
  readonly id: string;
  readonly sums?: Sums;
  readonly budgets?: readonly BudgetRow[];
}

function bookOf(max: bigint, keys: readonly LoadedKey[], nowMs = NOON_MS): ScopeBook {
  const book = new ScopeBook(nowMs);
  for (const { id, sums, budgets = [] } of keys) {
    book.load(id, [balance(max), sumsOf(id, sums)], budgets, () => 0n);
  }
  return book;
}

describe("the scopes of a batch", () => {
  test("are judged as earlier operations of the batch have left them", () => {
    const book = bookOf(100n, [{ id: "k1" }, { id: "k2" }]);
    expect(book.admit("k1", cost(60n), null)).toMatchObject({
      kind: "admit",
      allowance: 60n,
      left: 100n,
    });
    expect(book.admit("k2", cost(50n), null)).toEqual({ kind: "wait", scopeId: "acct" });
    book.settle("k1", 20n, 60n);
    expect(book.moves()).toEqual([
      { id: "acct", used: 20n, held: 0n, running: 0n },
      { id: "k1", used: 20n, held: 0n, running: 0n },
    ]);
  });

  test("are written in id order, and only those that moved", () => {
    const book = bookOf(100n, [{ id: "z" }, { id: "a" }, { id: "m" }]);
    book.admit("z", cost(1n), null);
    book.admit("a", cost(2n), null);
    expect(book.moves()).toEqual([
      { id: "a", used: 0n, held: 2n, running: 1n },
      { id: "acct", used: 0n, held: 3n, running: 2n },
      { id: "z", used: 0n, held: 1n, running: 1n },
    ]);
  });

  test("count who runs in them, but not what is free", () => {
    const book = bookOf(100n, [{ id: "k1" }, { id: "k2" }]);
    for (const worst of [5n, 0n, 5n]) book.admit("k1", cost(worst), null);
    book.admit("k2", cost(5n), null);
    const running = () => book.moves().map((move) => [move.id, move.running]);
    expect(running()).toEqual([
      ["acct", 3n],
      ["k1", 2n],
      ["k2", 1n],
    ]);
    book.settle("k1", 1n, 5n);
    book.settle("k1", 0n, 0n);
    expect(running()).toEqual([
      ["acct", 2n],
      ["k1", 1n],
      ["k2", 1n],
    ]);
  });

  test("are tight for a key by how many run in them, whichever keys those are of", () => {
    const book = bookOf(1_000n, [{ id: "k1", budgets: [budget(900n)] }, { id: "k2" }]);
    const stream: HoldTerms = { worst: 800n, floor: 10n, least: 10n, ...SOFT };
    expect(book.admit("k1", stream, null)).toMatchObject({ allowance: 225n });
    expect(book.admit("k2", stream, null)).toMatchObject({ allowance: 96n });
    expect(book.admit("k1", stream, null)).toMatchObject({ allowance: 56n });
  });

  test("begin to count anew where nothing is held, whatever an older program has left", () => {
    const book = bookOf(100n, [{ id: "k", sums: { running: 3n } }]);
    book.admit("k", cost(5n), null);
    expect(book.moves()).toEqual([
      { id: "acct", used: 0n, held: 5n, running: 1n },
      { id: "k", used: 0n, held: 5n, running: -2n },
    ]);
  });

  test("give a running request more, and keep those out who have not begun", () => {
    const keys = [{ id: "k", budgets: [budget(100n)] }, { id: "k2" }];
    const book = bookOf(1_000n, keys);
    const more = { need: 500n, floor: 30n, ...SOFT };
    book.admit("k", cost(40n), null);
    expect(book.raise("k", 40n, more)).toEqual({ kind: "granted", granted: 30n, lone: false });
    book.admit("k", cost(30n), null);
    expect(book.raise("k", 70n, more)).toEqual({ kind: "wait", scopeId: "k" });
    book.settle("k", 20n, 30n);
    expect(book.admit("k", cost(1n), null)).toEqual({ kind: "wait", scopeId: "k" });
    expect(book.admit("k2", cost(1n), null)).toMatchObject({ kind: "admit" });
    expect(book.raise("k", 70n, more)).toEqual({ kind: "granted", granted: 10n, lone: false });
    expect(book.raise("k", 80n, { ...more, hard: true })).toEqual({ kind: "ended" });
    // Alone in the budget, one of two in the balance.
    expect(book.raise("k", 80n, more)).toEqual({ kind: "granted", granted: 100n, lone: true });
    expect(book.moves()).toEqual([
      { id: "acct", used: 20n, held: 181n, running: 2n },
      { id: "k", used: 20n, held: 180n, running: 1n },
      { id: "k2", used: 0n, held: 1n, running: 1n },
    ]);
  });

  test("tell what is left of one that must not be passed", () => {
    const book = bookOf(1_000n, [{ id: "k", sums: { used: 80n }, budgets: [daily(100n)] }]);
    const hard: HoldTerms = { worst: 300n, floor: 50n, least: 21n, ...SOFT, hard: true };
    expect(book.admit("k", hard, "acct")).toEqual({
      kind: "short",
      scope: "budget",
      used: 80n,
      max: 100n,
      period: "day",
      resetsAtMs: MIDNIGHT_MS,
      left: 20n,
      needed: 21n,
    });
    expect(book.admit("k", { ...hard, least: 20n }, null)).toMatchObject({ allowance: 20n });
  });

  test("let nobody overtake where somebody waits, except what is free", () => {
    const short = { id: "k1", sums: { held: 40n }, budgets: [budget(50n)] };
    const book = bookOf(100n, [short, { id: "k2" }]);
    expect(book.admit("k1", cost(20n), null)).toEqual({ kind: "wait", scopeId: "k1" });
    expect(book.admit("k1", cost(1n), null)).toEqual({ kind: "wait", scopeId: "k1" });
    expect(book.admit("k1", cost(0n), null)).toMatchObject({ kind: "admit" });
    expect(book.admit("k2", cost(1n), null)).toMatchObject({ kind: "admit" });
  });

  test("keep a request behind those it is told of, and still refuse it", () => {
    const passed = { id: "k2", sums: { used: 11n }, budgets: [budget(10n)] };
    const book = bookOf(100n, [{ id: "k1", budgets: [budget(10n)] }, passed]);
    expect(book.admit("k1", cost(5n), "acct")).toEqual({ kind: "wait", scopeId: "acct" });
    expect(book.admit("k2", cost(5n), "acct")).toMatchObject({ kind: "exceeded" });
    expect(book.moves()).toEqual([]);
  });

  test("are never half of them", () => {
    const book = new ScopeBook(NOON_MS);
    expect(() => book.load("k", [], [], () => 0n)).toThrow("k has no balance");
    expect(() => book.load("k", [sumsOf("k")], [], () => 0n)).toThrow("k has no balance");
    expect(() => book.load("k", [balance(1n)], [], () => 0n)).toThrow("k has no sums");
    expect(() => book.admit("k", cost(1n), null)).toThrow("not loaded");
  });
});

describe("the budgets of a key", () => {
  const sums = { used: 70n, held: 10n };

  test("each limit it by what was used since its window began and by all that is held", () => {
    const budgets = [daily(40n, { base: 45n }), budget(1_000n)];
    const book = bookOf(10_000n, [{ id: "k", sums, budgets }]);
    expect(book.admit("k", cost(5n), null)).toMatchObject({
      kind: "admit",
      allowance: 5n,
      left: 5n,
    });
    expect(book.admit("k", cost(1n), null)).toEqual({ kind: "wait", scopeId: "k" });
    book.settle("k", 16n, 15n);
    expect(book.admit("k", cost(1n), null)).toEqual({
      kind: "exceeded",
      scope: "budget",
      used: 41n,
      max: 40n,
      period: "day",
      resetsAtMs: MIDNIGHT_MS,
    });
    expect(book.resets()).toEqual([]);
    expect(book.moves().map(({ id }) => id)).toEqual(["acct", "k"]);
  });

  test("are named by the one that starts anew last where several are passed", () => {
    const budgets = [daily(1n), budget(1n), daily(1n, { id: "b", resetsAtMs: MIDNIGHT_MS + 1 })];
    for (const order of [budgets, budgets.toReversed()]) {
      const book = bookOf(10_000n, [{ id: "k", sums, budgets: order }]);
      expect(book.admit("k", cost(1n), null)).toMatchObject({ period: "total", resetsAtMs: null });
    }
  });

  test("are named by the one that was set first where several start anew together", () => {
    const budgets = ["bud_1", "bud_2", "bud_3"].map((id, i) => daily(BigInt(i) + 1n, { id }));
    for (const order of [budgets, budgets.toReversed()]) {
      const book = bookOf(10_000n, [{ id: "k", sums, budgets: order }]);
      expect(book.admit("k", cost(1n), null)).toMatchObject({ kind: "exceeded", max: 1n });
    }
  });

  test("start anew at the very millisecond, with what is held still held", () => {
    const budgets = [daily(40n, { base: 20n })];
    const before = bookOf(10_000n, [{ id: "k", sums, budgets }], MIDNIGHT_MS - 1);
    expect(before.admit("k", cost(1n), null)).toMatchObject({ kind: "exceeded", used: 50n });
    expect(before.resets()).toEqual([]);

    const after = bookOf(10_000n, [{ id: "k", sums, budgets }], MIDNIGHT_MS);
    expect(after.admit("k", cost(30n), null)).toMatchObject({
      kind: "admit",
      allowance: 30n,
      left: 30n,
    });
    expect(after.admit("k", cost(1n), null)).toEqual({ kind: "wait", scopeId: "k" });
    const row = daily(40n, {
      base: 70n,
      windowStartMs: MIDNIGHT_MS,
      resetsAtMs: MIDNIGHT_MS + 86_400_000,
    });
    expect(after.resets()).toEqual([{ keyId: "k", row }]);
  });

  test("skip the days on which nothing happened", () => {
    const nowMs = MIDNIGHT_MS + 10 * 86_400_000 + 5;
    const [reset] = bookOf(1n, [{ id: "k", sums, budgets: [daily(1n)] }], nowMs).resets();
    expect(reset?.row).toMatchObject({ windowStartMs: nowMs - 5, base: 70n });
  });

  test("go on in their window when the clock is set back, and date posts into it", () => {
    const turned = daily(40n, { base: 60n, windowStartMs: NOON_MS + 5_000 });
    const book = bookOf(10_000n, [{ id: "k", sums, budgets: [turned] }, { id: "k2" }]);
    expect(book.timeOf("k")).toBe(NOON_MS + 5_000);
    expect(book.timeOf("k2")).toBe(NOON_MS);
    expect(book.resets()).toEqual([]);
  });
});
