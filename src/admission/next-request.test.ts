import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Leeway } from "../accounts/account.ts";
import { judge, judgeRaise, type Scope } from "./judge.ts";
import { nextRequestMax } from "./next-request.ts";

function scope(kind: Scope["kind"], max: bigint, used: bigint, held = 0n): Scope {
  return { id: kind, kind, max, used, held, running: held > 0n ? 1n : 0n };
}

const balance = (max: bigint, used: bigint, held = 0n) => scope("balance", max, used, held);
const budget = (max: bigint, used: bigint, held = 0n) => scope("budget", max, used, held);
const RICH = balance(1_000_000n, 0n);
/** For requests that may pass a soft budget by thirty. */
const SOFT: Leeway = { overdraft: 0n, hard: false, loneMax: 30n, loneLeast: 0n };

describe("the most that the next request may cost", () => {
  test.each([
    ["nothing, once the balance is spent", [balance(100n, 100n), budget(50n, 0n)], 0n],
    ["nothing, once a budget is passed", [RICH, budget(50n, 51n)], 0n],
    ["nothing, though others hold money there", [RICH, budget(50n, 51n, 20n)], 0n],
    ["no more than the balance has", [balance(90n, 10n), budget(500n, 490n)], 40n],
    ["what may be passed on top, where nobody runs", [RICH, budget(50n, 49n)], 31n],
    ["what may be passed, where a budget is exactly spent", [RICH, budget(50n, 50n)], 30n],
    ["the amount of a small budget on top", [RICH, budget(20n, 5n)], 35n],
    ["what is left where others run", [RICH, budget(50n, 10n, 15n)], 25n],
    [
      "what is left of the balance where others run",
      [balance(90n, 10n, 50n), budget(50n, 0n)],
      30n,
    ],
    ["the least that is left where others run", [balance(90n, 0n, 50n), budget(50n, 0n, 20n)], 30n],
    ["nothing, while others hold all of it", [RICH, budget(50n, 10n, 40n)], 0n],
    ["nothing, while one that is alone holds more", [RICH, budget(50n, 10n, 400n)], 0n],
  ] as const)("is %s", (_name, scopes, most) => {
    expect(nextRequestMax(scopes, SOFT)).toBe(most);
  });

  test.each([
    ["what is left of the tightest", [balance(90n, 10n), budget(50n, 20n)], 30n],
    ["what is left beside others", [balance(90n, 10n, 60n), budget(50n, 20n, 5n)], 20n],
    ["nothing, where a budget is exactly spent", [RICH, budget(50n, 50n)], 0n],
    ["nothing, once a budget is passed", [RICH, budget(50n, 51n)], 0n],
  ] as const)("is for a hard key %s", (_name, scopes, most) => {
    expect(nextRequestMax(scopes, { ...SOFT, hard: true })).toBe(most);
  });

  test("is what an overdraft adds to the balance", () => {
    const scopes = [balance(100n, 110n, 20n), budget(500n, 0n)];
    expect(nextRequestMax(scopes, { ...SOFT, overdraft: 45n })).toBe(15n);
    expect(nextRequestMax([], SOFT)).toBeNull();
  });
});

/** More than any of these scopes has. */
const ENDLESS = 10n ** 9n;

/** Runs a request that could use any amount, until it waits, is at its end or has it. */
function givenInAll(scopes: readonly Scope[], leeway: Leeway): bigint | null {
  const verdict = judge(scopes, { worst: ENDLESS, floor: 1n, least: 1n, ...leeway });
  if (verdict.kind !== "admit") return 0n;
  let held = verdict.allowance;
  while (held < ENDLESS) {
    const beside = scopes.map((each) => ({
      ...each,
      held: each.held + held,
      running: each.running + 1n,
    }));
    const raised = judgeRaise(beside, held, { need: ENDLESS, floor: 1n, ...leeway });
    if (raised.kind !== "granted") return held;
    held += raised.granted;
  }
  return null;
}

test("is what admission and its raises give to a request that could use any amount", () => {
  const amount = fc.bigInt(0n, 200n);
  const held = fc.oneof(fc.constant(0n), fc.bigInt(1n, 120n));
  const any = fc.tuple(amount, amount, held);
  const property = fc.property(
    any,
    fc.array(any, { maxLength: 3 }),
    fc.record({ overdraft: amount, hard: fc.boolean(), loneMax: amount }),
    (first, rest, drawn) => {
      const leeway = { ...drawn, loneLeast: 0n };
      const scopes = [balance(...first), ...rest.map((terms) => budget(...terms))];
      expect(nextRequestMax(scopes, leeway)).toBe(givenInAll(scopes, leeway));
    },
  );
  fc.assert(property, { numRuns: 2_000 });
});
