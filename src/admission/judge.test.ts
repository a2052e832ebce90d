import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { judge, type Scope } from "./judge.ts";

function balance(max: bigint, used: bigint, held = 0n): Scope {
  return { id: "acct", kind: "balance", max, used, held };
}

function budget(max: bigint, used: bigint, held = 0n): Scope {
  return { id: "key", kind: "budget", max, used, held };
}

const RICH = balance(1_000_000n, 0n);

describe("what is used up", () => {
  test.each([
    ["a budget below its maximum", [RICH, budget(100n, 99n)], "admit"],
    ["a budget spent exactly", [RICH, budget(100n, 100n)], "admit"],
    ["a budget above its maximum", [RICH, budget(100n, 101n)], "exceeded"],
    ["a budget of zero that was never used", [RICH, budget(0n, 0n)], "admit"],
    ["a budget of zero that was used", [RICH, budget(0n, 1n)], "exceeded"],
    ["no budget at all", [RICH], "admit"],
    ["a balance with something left", [balance(100n, 99n)], "admit"],
    ["a balance spent exactly", [balance(100n, 100n)], "exceeded"],
    ["a balance overdrawn", [balance(100n, 150n)], "exceeded"],
    ["a balance that was never filled", [balance(0n, 0n)], "exceeded"],
  ] as const)("%s: %s", (_name, scopes, kind) => {
    expect(judge(scopes, 10n).kind).toBe(kind);
  });

  test("a model without a price asks nothing of a balance, but a budget above its maximum refuses", () => {
    expect(judge([balance(0n, 0n)], 0n)).toEqual({
      kind: "admit",
      hold: 0n,
      left: null,
    });
    expect(judge([RICH, budget(5n, 6n)], 0n).kind).toBe("exceeded");
  });

  test("refuses although others hold money there: what is spent stays spent", () => {
    expect(judge([RICH, budget(100n, 101n, 50n)], 1n).kind).toBe("exceeded");
  });

  test("names the scope", () => {
    const verdict = judge([RICH, budget(100n, 101n)], 1n);
    expect(verdict.kind === "exceeded" && verdict.scope).toMatchObject({ id: "key", max: 100n });
  });

  test("is each of several budgets, in the order in which they are given", () => {
    const [month, day] = [{ ...budget(900n, 901n), id: "month" }, budget(100n, 101n)];
    expect(judge([RICH, month, day], 1n)).toMatchObject({ scope: { id: "month" } });
    expect(judge([RICH, { ...month, used: 900n }, day], 1n)).toMatchObject({
      scope: { id: "key" },
    });
    expect(judge([RICH, { ...month, used: 900n }, budget(100n, 99n)], 5n)).toEqual({
      kind: "admit",
      hold: 1n,
      left: 0n,
    });
  });
});

describe("what is left", () => {
  test("enough everywhere admits with the whole hold", () => {
    expect(judge([balance(100n, 20n, 30n), budget(60n, 0n, 5n)], 50n)).toEqual({
      kind: "admit",
      hold: 50n,
      left: 50n,
    });
  });

  test("short of one nano while others hold makes it wait in that scope", () => {
    expect(judge([balance(100n, 20n, 30n)], 51n)).toMatchObject({
      kind: "wait",
      scope: { id: "acct" },
    });
    expect(judge([RICH, budget(100n, 50n, 1n)], 50n)).toMatchObject({
      kind: "wait",
      scope: { id: "key" },
    });
  });

  test("short where nobody holds admits with what is left", () => {
    expect(judge([RICH, budget(100n, 60n)], 500n)).toMatchObject({ kind: "admit", hold: 40n });
    expect(judge([RICH, budget(100n, 100n)], 500n)).toMatchObject({ kind: "admit", hold: 1n });
  });

  test("a lone request of a key waits for others of its account", () => {
    expect(judge([balance(100n, 0n, 90n), budget(50n, 50n)], 20n).kind).toBe("wait");
  });
});

describe("any state of the scopes", () => {
  const money = fc.bigInt({ min: 0n, max: 1_000n });
  const scope = fc.record({
    id: fc.constantFrom("a", "b"),
    kind: fc.constantFrom("balance" as const, "budget" as const),
    max: money,
    used: money,
    held: money,
  });

  test("never admits above what is left in a scope where others hold", () => {
    fc.assert(
      fc.property(fc.array(scope, { minLength: 1, maxLength: 3 }), money, (scopes, wanted) => {
        const verdict = judge(scopes, wanted);
        if (verdict.kind !== "admit") return;
        expect(verdict.hold).toBeLessThanOrEqual(wanted);
        if (wanted > 0n) expect(verdict.hold).toBeGreaterThan(0n);
        for (const { max, used, held } of scopes) {
          if (held === 0n) continue;
          expect(verdict.hold).toBeLessThanOrEqual(max - used - held > 0n ? max - used - held : 0n);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("nobody waits where nobody holds, so no request waits for ever", () => {
    fc.assert(
      fc.property(fc.array(scope, { maxLength: 3 }), money, (scopes, wanted) => {
        const idle = scopes.map((entry) => ({ ...entry, held: 0n }));
        expect(judge(idle, wanted).kind).not.toBe("wait");
      }),
    );
  });

  test("requests admitted at once pass a limit by no more than the last one's hold", () => {
    const wishes = fc.array(fc.bigInt({ min: 1n, max: 400n }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1_000n }), money, wishes, (max, used, wanted) => {
        let held = 0n;
        for (const wish of wanted) {
          const verdict = judge([{ id: "a", kind: "budget", max, used, held }], wish);
          if (verdict.kind === "admit") held += verdict.hold;
        }
        const left = max > used ? max - used : 1n;
        expect(held).toBeLessThanOrEqual(left);
      }),
    );
  });
});
