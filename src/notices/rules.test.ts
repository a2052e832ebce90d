import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Calls } from "../telemetry/calls.ts";
import type { AccountFacts, BudgetFacts, ChannelFacts } from "./facts.ts";
import {
  type AlertMark,
  CallsSinceLook,
  judge,
  type Reading,
  readAccount,
  readChannels,
  readInputLosses,
} from "./rules.ts";
import { type AlertSettings, DEFAULT_SETTINGS } from "./settings.ts";

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const MINUTE_MS = 60_000;
const CENT = 10_000_000n;
const USD = 100n * CENT;
const FLOOR_CENTS = 100;

function facts(over: Partial<AccountFacts> = {}): AccountFacts {
  return {
    accountId: "acct_1",
    credited: 100n * USD,
    charged: 0n,
    lastCredit: 100n * USD,
    spentThisHour: 0n,
    models: [],
    budgets: [],
    ...over,
  };
}

function budget(over: Partial<BudgetFacts> = {}): BudgetFacts {
  const names = { id: "bud_1", keyId: "key_1", keyName: "laptop", period: "day" } as const;
  return { ...names, max: 10n * USD, used: 0n, resetsAtMs: NOW_MS + 1_000, ...over };
}

/** What was fired, look by look, with the memory that a store would have. */
class Looks {
  readonly marks = new Map<string, AlertMark>();
  nowMs = NOW_MS;

  #apply(readings: readonly Reading[]): string[] {
    const told: string[] = [];
    for (const reading of readings) {
      const { rule, subject, mark, silent } = reading;
      const name = `${rule} ${subject}`;
      const verdict = judge(reading, this.marks.get(name), this.nowMs);
      const next = { accountId: "acct_1", rule, subject, mark, seenAtMs: this.nowMs };
      if (verdict === "fire" || verdict === "see") this.marks.set(name, next);
      if (verdict === "arm") this.marks.delete(name);
      if (verdict === "fire" && !silent) told.push(rule);
    }
    this.nowMs += MINUTE_MS;
    return told;
  }

  account(seen: AccountFacts, settings: Partial<AlertSettings> = {}, over = {}): string[] {
    const view = {
      settings: { ...DEFAULT_SETTINGS, ...settings },
      usual: undefined,
      modelEnds: [],
      floorCents: FLOOR_CENTS,
      last: (rule: string) => this.marks.get(`${rule} `),
      ...over,
    };
    return this.#apply(readAccount(seen, view, this.nowMs));
  }

  losses(seen: Parameters<typeof readInputLosses>[0]): string[] {
    return this.#apply(readInputLosses(seen));
  }

  channel(
    state: ChannelFacts["state"],
    enabled = true,
    more: Partial<ChannelFacts> = {},
    calls: Calls = { attempts: 0, failures: 0 },
  ): string[] {
    const names = { id: "ch_1", name: "Main", vendor: "openai", message: undefined };
    return this.#apply(readChannels([{ ...names, enabled, state, ...more }], () => calls));
  }
}

test("an input loss is told once for each channel and account on a day", () => {
  const looks = new Looks();
  const loss = {
    of: "account",
    id: "acct_1",
    name: "Acme",
    day: "2026-11-15",
    amount: USD,
  } as const;
  expect(looks.losses([loss])).toEqual(["input_loss"]);
  expect(looks.losses([{ ...loss, amount: 2n * USD }])).toEqual([]);
  expect(looks.losses([])).toEqual([]);
  expect(looks.losses([loss, { ...loss, of: "channel", id: "acct_1" }])).toEqual(["input_loss"]);
  expect(looks.losses([{ ...loss, day: "2026-11-16" }])).toEqual(["input_loss"]);
});

test("what was seen by a clock that was ahead does not keep the next one quiet", () => {
  const looks = new Looks();
  expect(looks.channel("refused")).toEqual(["vendor_down"]);
  expect(looks.channel("refused")).toEqual([]);
  looks.nowMs -= 3 * 3_600_000;
  expect(looks.channel("refused")).toEqual(["vendor_down"]);
  expect(looks.channel("refused")).toEqual([]);
});

describe("a low balance", () => {
  test("is told once below a fifth of the last credit, and again after a credit has lifted it", () => {
    const looks = new Looks();
    const seen = (charged: bigint, credited = 100n * USD) =>
      looks.account(facts({ charged, credited }));
    expect(seen(80n * USD)).toEqual([]);
    expect(seen(80n * USD + 1n)).toEqual(["low_balance"]);
    expect(seen(95n * USD)).toEqual([]);
    expect(seen(101n * USD)).toEqual([]);
    expect(seen(101n * USD, 200n * USD)).toEqual([]);
    expect(seen(190n * USD, 200n * USD)).toEqual(["low_balance"]);
  });

  test("is told again when the credit came and went between two looks, but not when it was too small", () => {
    const looks = new Looks();
    const seen = (charged: bigint, credited: bigint) =>
      looks.account(facts({ charged, credited }), { lowBalanceThreshold: 5n * USD });
    expect(seen(96n * USD, 100n * USD)).toEqual(["low_balance"]);
    expect(seen(99n * USD, 101n * USD)).toEqual([]);
    expect(seen(108n * USD, 110n * USD)).toEqual(["low_balance"]);
    expect(seen(109n * USD, 110n * USD)).toEqual([]);
  });

  test("is told at zero whatever the threshold, never to those without credit or wish", () => {
    const spent = facts({ charged: 100n * USD });
    expect(new Looks().account(spent, { lowBalanceThreshold: 0n })).toEqual(["low_balance"]);
    expect(new Looks().account(spent, { lowBalance: false })).toEqual([]);
    expect(new Looks().account(facts({ credited: 0n, lastCredit: 0n }))).toEqual([]);
  });

  test("is told exactly once for each time that spending crosses the threshold", () => {
    const threshold = 20n * USD;
    // A minute has a credit, spending, or first the one and then the other.
    const minute = fc.record({ credit: fc.constantFrom(0n, 0n, 60n), spend: fc.bigInt(0n, 90n) });
    fc.assert(
      fc.property(fc.array(minute, { maxLength: 60 }), (minutes) => {
        const looks = new Looks();
        let credited = 100n * USD;
        let charged = 0n;
        let low = false;
        for (const { credit, spend } of minutes) {
          credited += credit * USD;
          if (credited - charged >= threshold) low = false;
          const left = credited - charged;
          charged += spend * USD < left ? spend * USD : left;
          const crossed: boolean = !low && credited - charged < threshold;
          low ||= crossed;
          const told = looks.account(facts({ credited, charged }), {
            lowBalanceThreshold: threshold,
          });
          expect(told.length > 0).toBe(crossed);
        }
      }),
    );
  });
});

describe("a budget", () => {
  const seen = (looks: Looks, used: bigint, over: Partial<BudgetFacts> = {}) =>
    looks.account(facts({ budgets: [budget({ used, ...over })] }));

  test("is told at 80 and at 100 percent, once each, and anew in the next window", () => {
    const looks = new Looks();
    expect(seen(looks, 8n * USD - 1n)).toEqual([]);
    expect(seen(looks, 8n * USD)).toEqual(["budget_80"]);
    expect(seen(looks, 9n * USD)).toEqual([]);
    expect(seen(looks, 10n * USD)).toEqual(["budget_100"]);
    expect(seen(looks, 11n * USD)).toEqual([]);
    const next = { resetsAtMs: NOW_MS + 86_400_000 };
    expect(seen(looks, 9n * USD, next)).toEqual(["budget_80"]);
    expect(seen(looks, 10n * USD, next)).toEqual(["budget_100"]);
  });

  test("that passes both at once is told with the greater alone", () => {
    const looks = new Looks();
    expect(seen(looks, 12n * USD)).toEqual(["budget_100"]);
    expect(seen(looks, 12n * USD)).toEqual([]);
  });

  test("that is raised is told when it is reached again", () => {
    const looks = new Looks();
    expect(seen(looks, 10n * USD)).toEqual(["budget_100"]);
    expect(seen(looks, 10n * USD, { max: 12n * USD })).toEqual([]);
    expect(seen(looks, 12n * USD, { max: 12n * USD })).toEqual(["budget_100"]);
  });

  test("that nothing was spent of is not told, even when it is zero", () => {
    expect(seen(new Looks(), 0n, { max: 0n })).toEqual([]);
    expect(seen(new Looks(), 1n, { max: 0n })).toEqual(["budget_100"]);
  });

  test("is told at most once for each stage of a window, however it is spent", () => {
    const spending = fc.array(fc.bigInt({ min: 0n, max: 3n * USD }), { maxLength: 40 });
    fc.assert(
      fc.property(spending, (steps) => {
        const looks = new Looks();
        let used = 0n;
        const told = steps.flatMap((step) => {
          used += step;
          return seen(looks, used);
        });
        expect(new Set(told).size).toBe(told.length);
        expect(told.includes("budget_100")).toBe(used >= 10n * USD);
        if (used < 8n * USD) expect(told).toEqual([]);
      }),
    );
  });
});

describe("spend", () => {
  const seen = (looks: Looks, spent: bigint, total: bigint, hours: number) =>
    looks.account(facts({ spentThisHour: spent }), {}, { usual: { total, hours } });

  test("of five times the usual hour is told, once, until it has been quiet", () => {
    const looks = new Looks();
    expect(seen(looks, 5n * USD - 1n, 3n * USD, 3)).toEqual([]);
    expect(seen(looks, 5n * USD, 3n * USD, 3)).toEqual(["spend_spike"]);
    expect(seen(looks, 9n * USD, 3n * USD, 3)).toEqual([]);
    // The next hour begins at nothing and becomes as dear.
    looks.nowMs += 60 * MINUTE_MS;
    expect(seen(looks, 0n, 3n * USD, 3)).toEqual([]);
    expect(seen(looks, 9n * USD, 3n * USD, 3)).toEqual([]);
    looks.nowMs += 120 * MINUTE_MS;
    expect(seen(looks, 0n, 3n * USD, 3)).toEqual([]);
    expect(seen(looks, 9n * USD, 3n * USD, 3)).toEqual(["spend_spike"]);
  });

  test("is told again days later, though nobody looked while it was quiet", () => {
    const looks = new Looks();
    expect(seen(looks, 9n * USD, 3n * USD, 3)).toEqual(["spend_spike"]);
    looks.nowMs += 3 * 24 * 60 * MINUTE_MS;
    expect(seen(looks, 9n * USD, 3n * USD, 3)).toEqual(["spend_spike"]);
    expect(seen(looks, 9n * USD, 3n * USD, 3)).toEqual([]);
  });

  test("below the floor, or with nothing to compare it to, is not", () => {
    expect(seen(new Looks(), USD - 1n, 10n * CENT, 10)).toEqual([]);
    expect(seen(new Looks(), USD, 10n * CENT, 10)).toEqual(["spend_spike"]);
    expect(seen(new Looks(), 50n * USD, 0n, 0)).toEqual([]);
  });

  test("is compared exactly, without a fraction being lost", () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 168 }), (spent, total, hours) => {
        const told = seen(new Looks(), spent, total, hours).length > 0;
        expect(told).toBe(spent >= USD && spent * BigInt(hours) >= 5n * total);
      }),
    );
  });
});

describe("a model that ends", () => {
  const seen = (looks: Looks, on: string, models = ["old"]) =>
    looks.account(facts({ models }), {}, { modelEnds: [{ model: "old", on }] });

  test("is told to those who use it, a month and a week before", () => {
    const looks = new Looks();
    expect(seen(looks, "2026-12-31")).toEqual([]);
    expect(seen(looks, "2026-12-10", ["new"])).toEqual([]);
    expect(seen(looks, "2026-12-10")).toEqual(["model_deprecation"]);
    expect(seen(looks, "2026-12-10")).toEqual([]);
    looks.nowMs = Date.UTC(2026, 11, 4);
    expect(seen(looks, "2026-12-10")).toEqual(["model_deprecation"]);
    expect(seen(looks, "2026-12-10")).toEqual([]);
  });
});

describe("a channel", () => {
  test("that is cooled or refused is told once, until it has been well for a while", () => {
    const looks = new Looks();
    expect(looks.channel("ok")).toEqual([]);
    expect(looks.channel("cooled")).toEqual(["vendor_down"]);
    expect(looks.channel("trial")).toEqual([]);
    expect(looks.channel("ok")).toEqual([]);
    expect(looks.channel("refused")).toEqual([]);
    looks.nowMs += 15 * MINUTE_MS;
    expect(looks.channel("ok")).toEqual([]);
    expect(looks.channel("refused")).toEqual(["vendor_down"]);
  });

  test("that is refused is told again, though nobody looked while it was well", () => {
    const looks = new Looks();
    expect(looks.channel("refused")).toEqual(["vendor_down"]);
    looks.nowMs += 3 * 24 * 60 * MINUTE_MS;
    expect(looks.channel("refused")).toEqual(["vendor_down"]);
    expect(looks.channel("refused")).toEqual([]);
  });

  test("whose calls failed between two looks is told, though it is well by now", () => {
    const burst = { attempts: 9, failures: 5 };
    for (const state of ["ok", "trial", "untried"] as const) {
      const looks = new Looks();
      expect(looks.channel(state, true, {}, burst)).toEqual(["vendor_down"]);
      expect(looks.channel(state, true, {}, burst)).toEqual([]);
    }
    expect(new Looks().channel("ok", false, {}, burst)).toEqual([]);
    expect(new Looks().channel("ok", true, {}, { attempts: 10, failures: 5 })).toEqual([]);
    expect(new Looks().channel("failing", true, {}, { attempts: 4, failures: 4 })).toEqual([]);
  });

  test("whose keys have no quota left is told, one whose rate is limited is not", () => {
    expect(new Looks().channel("cooled", true, { reason: "quota" })).toEqual(["vendor_down"]);
    expect(new Looks().channel("cooled", true, { reason: "rate" })).toEqual([]);
    const limited = { attempts: 20, failures: 15 };
    expect(new Looks().channel("cooled", true, { reason: "rate" }, limited)).toEqual([
      "vendor_down",
    ]);
  });

  test("that is on trial or switched off is nothing to tell", () => {
    expect(new Looks().channel("trial")).toEqual([]);
    expect(new Looks().channel("refused", false)).toEqual([]);
  });
});

describe("the calls since the last look", () => {
  const seen = (attempts: number, failures: number, recent?: Calls): ChannelFacts => ({
    ...{ id: "ch_1", name: "Main", vendor: "openai", enabled: true, state: "ok" },
    ...{ message: undefined, totals: { attempts, failures }, recent },
  });

  test("are the difference of two totals, and at first those of the last minutes", () => {
    const calls = new CallsSinceLook();
    const recent = { attempts: 7, failures: 6 };
    expect(calls.take(seen(1_000, 500, recent))).toEqual(recent);
    expect(calls.take(seen(1_010, 509, recent))).toEqual({ attempts: 10, failures: 9 });
    expect(calls.take(seen(1_010, 509, recent))).toEqual({ attempts: 0, failures: 0 });
  });

  test("are those of the last minutes after the gate was started again", () => {
    const calls = new CallsSinceLook();
    calls.take(seen(1_000, 0));
    expect(calls.take(seen(5, 5, { attempts: 5, failures: 5 }))).toEqual({
      attempts: 5,
      failures: 5,
    });
  });
});
