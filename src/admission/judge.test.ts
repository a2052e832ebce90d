import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Leeway } from "../accounts/account.ts";
import {
  type HoldTerms,
  judge,
  judgeRaise,
  leewayIn,
  mostCorrected,
  type RaiseTerms,
  type Scope,
} from "./judge.ts";

function balance(max: bigint, used: bigint, held = 0n, running = held > 0n ? 1n : 0n): Scope {
  return { id: "acct", kind: "balance", max, used, held, running };
}

function budget(max: bigint, used: bigint, held = 0n, running = held > 0n ? 1n : 0n): Scope {
  return { id: "key", kind: "budget", max, used, held, running };
}

/** For a request that may pass a soft budget by its amount, or by the amount given. */
function soft(over: Partial<Leeway> = {}): Leeway {
  return { overdraft: 0n, hard: false, loneMax: 10_000n, loneLeast: 1n, ...over };
}

/** A request that may cost so much and can begin with anything. */
function terms(worst: bigint, over: Partial<HoldTerms> = {}): HoldTerms {
  return { worst, floor: 1n, least: 1n, ...soft(), ...over };
}

/** A request that costs so much and no less. */
function whole(cost: bigint, over: Partial<HoldTerms> = {}): HoldTerms {
  return terms(cost, { floor: cost, ...over });
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
    expect(judge(scopes, whole(10n)).kind).toBe(kind);
  });

  test("a model without a price asks nothing of a balance, but a budget above its maximum refuses", () => {
    const free = {
      kind: "admit",
      allowance: 0n,
      left: null,
      lone: false,
      byBalance: false,
    } as const;
    expect(judge([balance(0n, 0n)], terms(0n))).toEqual(free);
    expect(judge([balance(10n, 0n, 50n), budget(5n, 5n, 50n)], terms(0n))).toEqual(free);
    expect(judge([RICH, budget(5n, 5n)], terms(0n, { hard: true }))).toEqual(free);
    expect(judge([RICH, budget(5n, 6n)], terms(0n)).kind).toBe("exceeded");
  });

  test("refuses although others hold money there: what is spent stays spent", () => {
    expect(judge([RICH, budget(100n, 101n, 50n)], whole(1n)).kind).toBe("exceeded");
  });

  test("names the scope", () => {
    const verdict = judge([RICH, budget(100n, 101n)], whole(1n));
    expect(verdict.kind === "exceeded" && verdict.scope).toMatchObject({ id: "key", max: 100n });
  });

  test("is each of several budgets, in the order in which they are given", () => {
    const [month, day] = [{ ...budget(900n, 901n), id: "month" }, budget(100n, 101n)];
    expect(judge([RICH, month, day], whole(1n))).toMatchObject({ scope: { id: "month" } });
    const spent = { ...month, used: 900n };
    expect(judge([RICH, spent, day], whole(1n))).toMatchObject({ scope: { id: "key" } });
    const alone = { kind: "admit", allowance: 5n, left: 0n, lone: true, byBalance: false } as const;
    expect(judge([RICH, spent, budget(100n, 99n)], whole(5n))).toEqual(alone);
  });
});

describe("the allowance of a request", () => {
  const allowanceIn = (scopes: readonly Scope[], asked: HoldTerms) => {
    const verdict = judge(scopes, asked);
    return verdict.kind === "admit" ? verdict.allowance : verdict.kind;
  };

  test("is all that it could cost where four times that is left in every scope", () => {
    const scopes = [balance(1_000n, 100n, 500n, 7n), budget(400n, 0n)];
    expect(judge(scopes, terms(100n))).toEqual({
      kind: "admit",
      allowance: 100n,
      left: 400n,
      lone: false,
      byBalance: false,
    });
  });

  test("is a share of what is left where that is tight, smaller the more run there", () => {
    expect(allowanceIn([balance(399n, 0n)], terms(100n))).toBe(99n);
    expect(allowanceIn([balance(1_000n, 0n, 200n, 1n)], terms(900n))).toBe(100n);
    expect(allowanceIn([balance(1_000n, 0n, 200n, 9n)], terms(900n))).toBe(20n);
  });

  test("is at least the floor, and at most all that the request could cost", () => {
    const scope = balance(1_000n, 0n, 200n, 9n);
    expect(allowanceIn([scope], terms(900n, { floor: 300n }))).toBe(300n);
    expect(allowanceIn([scope], terms(250n, { floor: 300n }))).toBe(250n);
    expect(allowanceIn([scope], whole(800n))).toBe(800n);
  });

  test("is the least that any scope gives", () => {
    const scopes = [balance(4_000n, 0n), budget(200n, 0n), { ...budget(100n, 0n), id: "day" }];
    expect(judge(scopes, terms(1_000n))).toEqual({
      kind: "admit",
      allowance: 25n,
      left: 100n,
      lone: false,
      byBalance: false,
    });
  });
});

test("whether it is the balance that gives a request no more is told", () => {
  const byBalance = (...scopes: Scope[]) => judge(scopes, terms(100n, { hard: true }));
  expect(byBalance(balance(200n, 0n))).toMatchObject({ allowance: 50n, byBalance: true });
  expect(byBalance(balance(200n, 0n), budget(300n, 0n))).toMatchObject({ byBalance: true });
  // What the budget gives too tells nothing of the balance.
  expect(byBalance(balance(200n, 0n), budget(200n, 0n))).toMatchObject({ byBalance: false });
  expect(byBalance(balance(200n, 0n), budget(100n, 0n))).toMatchObject({ byBalance: false });
  expect(byBalance(RICH)).toMatchObject({ allowance: 100n, byBalance: false });
});

describe("less than the floor", () => {
  test("by one nano while others hold makes it wait for that scope", () => {
    expect(judge([balance(100n, 20n, 30n)], whole(51n))).toMatchObject({
      kind: "wait",
      scope: { id: "acct" },
    });
    expect(judge([RICH, budget(100n, 50n, 1n)], whole(50n))).toMatchObject({
      kind: "wait",
      scope: { id: "key" },
    });
  });

  test("of a soft budget where nobody holds lets it run alone, and pass it by its amount at most", () => {
    const asked = terms(500n, { floor: 41n });
    const alone = {
      kind: "admit",
      allowance: 140n,
      left: 40n,
      lone: true,
      byBalance: false,
    } as const;
    expect(judge([RICH, budget(100n, 60n)], asked)).toEqual(alone);
    expect(judge([RICH, budget(100n, 100n)], asked)).toEqual({
      ...alone,
      allowance: 100n,
      left: 0n,
    });
    expect(judge([RICH, budget(100n, 60n)], terms(90n, { floor: 41n }))).toMatchObject({
      allowance: 90n,
    });
  });

  test("of a soft budget is passed by no more than a lone request may, however large the budget", () => {
    const asked = terms(500n, { floor: 41n, loneMax: 30n });
    expect(judge([RICH, budget(100n, 60n)], asked)).toMatchObject({ allowance: 70n, lone: true });
    expect(judge([RICH, budget(9_000n, 9_000n)], asked)).toMatchObject({
      allowance: 30n,
      lone: true,
    });
  });

  test("of a budget that is smaller than a short answer is passed by that answer", () => {
    const asked = terms(500n, { floor: 80n, least: 20n, loneLeast: 80n });
    expect(judge([RICH, budget(3n, 3n)], asked)).toMatchObject({ allowance: 80n, lone: true });
    expect(judge([RICH, budget(0n, 0n)], asked)).toMatchObject({ allowance: 80n, lone: true });
    expect(judge([RICH, budget(3n, 4n)], asked).kind).toBe("exceeded");
  });

  test("in its budget leaves it a share of a tight balance, where others see what it holds", () => {
    const asked = terms(500n, { floor: 41n });
    const verdict = judge([balance(400n, 0n), budget(100n, 60n)], asked);
    expect(verdict).toEqual({
      kind: "admit",
      allowance: 100n,
      left: 40n,
      lone: true,
      byBalance: true,
    });
  });

  test("of a balance is never passed: the request has what is left, or is refused with what it needs", () => {
    const asked = terms(500n, { floor: 100n, least: 30n });
    const some = {
      kind: "admit",
      allowance: 60n,
      left: 60n,
      lone: false,
      byBalance: true,
    } as const;
    expect(judge([balance(100n, 40n)], asked)).toEqual(some);
    expect(judge([balance(100n, 71n), budget(90n, 90n)], asked)).toMatchObject({
      kind: "short",
      scope: { id: "acct" },
      left: 29n,
      needed: 30n,
    });
  });

  test("of a balance with an overdraft is what both together leave", () => {
    const asked = terms(500n, { floor: 100n, least: 30n, overdraft: 50n });
    expect(judge([balance(100n, 100n)], asked)).toMatchObject({
      kind: "admit",
      allowance: 50n,
      left: 50n,
    });
    expect(judge([balance(100n, 120n)], asked)).toMatchObject({ kind: "admit", allowance: 30n });
    expect(judge([balance(100n, 121n)], asked)).toMatchObject({ kind: "short", left: 29n });
    expect(judge([balance(100n, 150n)], asked).kind).toBe("exceeded");
    expect(judge([balance(100n, 150n)], terms(0n, { overdraft: 50n })).kind).toBe("admit");
  });

  test("in one scope makes it wait, although it would be alone in another", () => {
    expect(judge([balance(100n, 0n, 90n), budget(50n, 50n)], whole(20n)).kind).toBe("wait");
  });

  test("of a hard scope gives what is left, if that does for an answer at all", () => {
    const asked = terms(500n, { floor: 100n, least: 30n, hard: true });
    const some = {
      kind: "admit",
      allowance: 30n,
      left: 30n,
      lone: false,
      byBalance: false,
    } as const;
    expect(judge([RICH, budget(100n, 70n)], asked)).toEqual(some);
    expect(judge([RICH, budget(100n, 71n)], asked)).toMatchObject({
      kind: "short",
      scope: { id: "key" },
      left: 29n,
      needed: 30n,
    });
    expect(judge([RICH, budget(100n, 100n)], asked)).toMatchObject({ kind: "short", left: 0n });
  });

  test("of a hard scope makes it wait for others there, unless another scope is short for good", () => {
    const asked = terms(500n, { floor: 100n, least: 30n, hard: true });
    expect(judge([balance(100n, 0n, 60n), budget(1_000n, 0n)], asked).kind).toBe("wait");
    expect(judge([balance(100n, 0n, 60n), budget(20n, 0n)], asked)).toMatchObject({
      kind: "short",
      scope: { id: "key" },
    });
  });

  test("is never asked of a small request: all it costs is enough", () => {
    const small = terms(10n, { floor: 100n, least: 30n, hard: true });
    expect(judge([balance(10n, 0n)], small)).toMatchObject({ kind: "admit", allowance: 10n });
    expect(judge([balance(9n, 0n)], small)).toMatchObject({ kind: "short", needed: 10n });
  });
});

describe("more for a running request", () => {
  const more = (need: bigint, over: Partial<RaiseTerms> = {}): RaiseTerms => {
    return { need, floor: 40n, ...soft(), ...over };
  };

  test("is all that it could need where four times that is left", () => {
    const scopes = [balance(1_000n, 0n, 500n, 9n)];
    expect(judgeRaise(scopes, 20n, more(125n))).toEqual({
      kind: "granted",
      granted: 125n,
      lone: false,
    });
  });

  test("is a share where it is tight, in which the request itself is counted", () => {
    const share = (running: bigint, asked = more(900n)) =>
      judgeRaise([balance(1_000n, 0n, 200n, running)], 20n, asked);
    expect(share(1n)).toMatchObject({ granted: 200n });
    expect(share(2n)).toMatchObject({ granted: 100n });
    expect(share(20n)).toMatchObject({ granted: 40n });
    expect(share(20n, more(15n))).toMatchObject({ granted: 15n });
  });

  test("is all that is left where that is less than the floor", () => {
    const scopes = [RICH, budget(100n, 0n, 61n, 3n)];
    expect(judgeRaise(scopes, 20n, more(900n))).toMatchObject({ granted: 39n });
  });

  test("is waited for where nothing is left and others run", () => {
    const scopes = [RICH, budget(100n, 0n, 100n, 2n)];
    expect(judgeRaise(scopes, 20n, more(900n))).toMatchObject({
      kind: "wait",
      scope: { id: "key" },
    });
    expect(judgeRaise(scopes, 20n, more(900n, { hard: true })).kind).toBe("wait");
  });

  test("is up to the allowance where it is alone in every scope that has nothing left", () => {
    const alone = budget(100n, 80n, 20n);
    const free = { kind: "granted", granted: 100n, lone: true } as const;
    expect(judgeRaise([RICH, alone], 20n, more(900n))).toEqual(free);
    expect(judgeRaise([RICH, alone], 20n, more(60n))).toEqual({ ...free, granted: 60n });
    expect(judgeRaise([RICH, alone], 20n, more(900n, { loneMax: 7n }))).toMatchObject({
      granted: 7n,
    });
    expect(judgeRaise([balance(100n, 0n, 60n, 2n), alone], 20n, more(900n))).toEqual({
      kind: "granted",
      granted: 40n,
      lone: true,
    });
    expect(judgeRaise([balance(100n, 0n, 100n, 2n), alone], 20n, more(900n)).kind).toBe("wait");
  });

  test("comes to the allowance in all, however often it is asked for", () => {
    const passed = budget(100n, 80n, 115n);
    expect(judgeRaise([RICH, passed], 115n, more(900n))).toMatchObject({ granted: 5n });
    expect(judgeRaise([RICH, budget(100n, 80n, 120n)], 120n, more(900n)).kind).toBe("ended");
    const tiny = more(900n, { loneLeast: 300n });
    expect(judgeRaise([RICH, budget(100n, 80n, 120n)], 120n, tiny)).toMatchObject({
      granted: 200n,
    });
  });

  test("ends at the balance, with what may be overdrawn of it", () => {
    const spent = [balance(100n, 80n, 20n), budget(5_000n, 0n, 20n)];
    expect(judgeRaise(spent, 20n, more(900n)).kind).toBe("ended");
    expect(judgeRaise(spent, 20n, more(900n, { overdraft: 9n }))).toMatchObject({ granted: 9n });
  });

  test("is not to be had where a hard scope has nothing left and nobody else runs", () => {
    const scopes = [balance(100n, 0n, 100n, 2n), budget(100n, 80n, 20n)];
    expect(judgeRaise(scopes, 20n, more(900n, { hard: true })).kind).toBe("ended");
  });

  test("is not to be had where a scope was passed already: one request may pass it, not two", () => {
    expect(judgeRaise([RICH, budget(100n, 101n, 20n)], 20n, more(900n)).kind).toBe("ended");
    expect(judgeRaise([balance(100n, 100n, 20n)], 20n, more(900n)).kind).toBe("ended");
    expect(judgeRaise([RICH, budget(100n, 100n, 20n)], 20n, more(900n)).kind).toBe("granted");
  });
});

describe("a charge for which nothing is held any more", () => {
  test("is what its scopes have left, and what a lone request may pass soft ones by", () => {
    expect(mostCorrected([RICH], 30n, soft())).toBe(30n);
    expect(mostCorrected([balance(100n, 80n)], 30n, soft())).toBe(20n);
    expect(mostCorrected([balance(100n, 80n, 15n)], 30n, soft())).toBe(5n);
    expect(mostCorrected([balance(100n, 80n, 20n)], 30n, soft())).toBe(0n);
    expect(mostCorrected([balance(100n, 80n, 25n)], 30n, soft({ overdraft: 9n }))).toBe(4n);
    expect(mostCorrected([balance(100n, 130n)], 30n, soft())).toBe(0n);
    expect(mostCorrected([RICH, budget(100n, 90n)], 30n, soft({ hard: true }))).toBe(10n);
    expect(mostCorrected([RICH, budget(100n, 190n)], 30n, soft())).toBe(10n);
    expect(leewayIn(RICH, soft())).toBe(0n);
  });
});

describe("in ordinary life", () => {
  const TOKEN = 15_000n;
  const INPUT = 500n * 2_500n;
  /** What a model at 15 dollars a million may cost that writes up to 128,000 tokens. */
  const asked = (floorTokens: bigint): HoldTerms => ({
    worst: INPUT + 128_000n * TOKEN,
    floor: INPUT + floorTokens * TOKEN,
    least: INPUT + 16n * TOKEN,
    ...soft(),
  });

  /** Lets in one after another until one would have to wait, and says how many were let in. */
  function atOnce(max: bigint, floorTokens: bigint): number {
    let scope = balance(max, 0n);
    for (;;) {
      const verdict = judge([scope], asked(floorTokens));
      if (verdict.kind !== "admit" || verdict.lone) return Number(scope.running);
      const { held, running } = scope;
      scope = { ...scope, held: held + verdict.allowance, running: running + 1n };
    }
  }

  test("five dollars do for many streams at once, and for two dozen whole answers", () => {
    expect(atOnce(5_000_000_000n, 1_024n)).toBe(134);
    expect(atOnce(5_000_000_000n, 8_192n)).toBe(26);
  });

  test("a caller who is alone with a dollar and a half may have a long answer", () => {
    const verdict = judge([balance(1_500_000_000n, 0n)], asked(8_192n));
    if (verdict.kind !== "admit") throw new Error(verdict.kind);
    expect((verdict.allowance - INPUT) / TOKEN).toBe(24_916n);
    expect(verdict.lone).toBe(false);
  });
});

describe("any state of the scopes", () => {
  const money = fc.bigInt({ min: 0n, max: 1_000n });
  const scope = fc
    .record({
      id: fc.constantFrom("a", "b"),
      kind: fc.constantFrom("balance" as const, "budget" as const),
      max: money,
      used: money,
      held: money,
      running: fc.bigInt({ min: 1n, max: 9n }),
    })
    .map((drawn) => ({ ...drawn, running: drawn.held > 0n ? drawn.running : 0n }));
  const scopes = fc.array(scope, { minLength: 1, maxLength: 3 });
  const allTerms = fc.record({
    ...{ worst: money, floor: money, least: money, hard: fc.boolean() },
    ...{ overdraft: money, loneMax: money, loneLeast: money },
  });
  const leftFor = ({ overdraft }: Leeway, { kind, max, used, held }: Scope) =>
    max + (kind === "balance" ? overdraft : 0n) - used - held;

  test("gives more than is left only in a soft budget where nobody holds anything, by the allowance", () => {
    fc.assert(
      fc.property(scopes, allTerms, (drawn, asked) => {
        const verdict = judge(drawn, asked);
        if (verdict.kind !== "admit" || asked.worst === 0n) return;
        expect(verdict.allowance).toBeGreaterThan(0n);
        expect(verdict.allowance).toBeLessThanOrEqual(asked.worst);
        const passed = drawn.filter((each) => verdict.allowance > leftFor(asked, each));
        expect(verdict.lone).toBe(passed.length > 0);
        if (asked.hard) expect(passed).toEqual([]);
        for (const each of passed) {
          const { held, kind, max } = each;
          expect({ held, kind }).toEqual({ held: 0n, kind: "budget" });
          const beyond = verdict.allowance - leftFor(asked, each);
          const most = asked.loneMax < max ? asked.loneMax : max;
          expect(beyond <= most || beyond <= asked.loneLeast).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("nobody waits where nobody holds, so no request waits for ever", () => {
    fc.assert(
      fc.property(scopes, allTerms, (drawn, asked) => {
        const idle = drawn.map((each) => ({ ...each, held: 0n, running: 0n }));
        expect(judge(idle, asked).kind).not.toBe("wait");
      }),
    );
  });
});
