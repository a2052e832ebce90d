import { describe, expect, test } from "bun:test";
import { ENGINES, type Site } from "../../test/store/engines.ts";
import {
  admitted,
  customer,
  failureOf,
  onlyBudget,
  post,
  raise,
  recovered,
  request,
  total,
  voidHold,
} from "../../test/store/samples.ts";
import { Parts, perSuite } from "../../test/support/houses/house.ts";
import { zoneAtNoon } from "../../test/support/samples/zones.ts";
import type { BudgetTerms, KeyBudget } from "../accounts/keys/budget.ts";

const DAY_MS = 86_400_000;

/** So far ahead was a clock. */
const YEARS_DAYS = 3_650;
/** Longer than any window. */
const MONTH_DAYS = 32;

const ZONE = zoneAtNoon();

function daily(amount: bigint, timeZone = ZONE): BudgetTerms {
  return { amount, period: "day", timeZone };
}

/** Days go by: all that is on record happened earlier by as much. Where they are below zero, the clock is set back. */
async function daysGoBy(site: Site, days: number): Promise<void> {
  const ms = days * DAY_MS;
  await site.damage(`update entries set created_at = created_at - ${ms}`);
  await site.run(`update keys set last_used_at = last_used_at - ${ms}`);
  await site.run(`update budgets set window_start = window_start - ${ms},
    resets_at = resets_at - ${ms} where period <> 'total'`);
}

for (const engine of ENGINES) {
  describe(`budgets on ${engine.name}`, () => {
    const site = perSuite(engine.site);
    const store = perSuite(() => site.open());

    const admit = (...args: Parameters<typeof request>) => store.admission.admit(request(...args));

    async function budgetsOf(keyId: string): Promise<Record<string, KeyBudget>> {
      const { budgets } = (await store.ledger.spending(keyId)) ?? { budgets: [] };
      return Object.fromEntries(budgets.map((budget) => [budget.period, budget]));
    }

    async function expectSound(): Promise<void> {
      expect((await store.ledger.verify()).problems).toEqual([]);
    }

    test("each of several refuses with its own numbers, and says when it starts anew", async () => {
      const budgets = [...total(1_000n), daily(50n), { ...daily(500n), period: "month" } as const];
      const made = await customer(store, { credit: 10_000n, budgets });
      const asked = await admitted(store, made, 30n);
      expect(asked).toMatchObject({ held: 30n, left: 50n });
      await post(store, asked, 51n);
      const outcome = await admit(made, 1n);
      expect(outcome).toMatchObject({ kind: "exceeded", scope: "budget", used: 51n, max: 50n });
      const standing = await budgetsOf(made.id);
      expect(standing).toMatchObject({
        total: { amount: 1_000n, used: 51n, resetsAtMs: null },
        month: { amount: 500n, used: 51n, timeZone: ZONE },
        day: { amount: 50n, used: 51n, timeZone: ZONE },
      });
      const resetsAtMs = standing.day?.resetsAtMs ?? 0;
      expect(outcome).toMatchObject({ period: "day", resetsAtMs });
      expect(resetsAtMs).toBeGreaterThan(Date.now());
      expect(resetsAtMs).toBeLessThan(Date.now() + DAY_MS);
      await expectSound();
    });

    test("of a day starts anew on the next, while a total goes on", async () => {
      const made = await customer(store, { credit: 10_000n, budgets: [...total(90n), daily(50n)] });
      await post(store, await admitted(store, made, 30n), 60n);
      expect(await admit(made, 1n)).toMatchObject({ kind: "exceeded", period: "day" });
      await daysGoBy(site, 1);
      // It is shown as it stands, although nothing has been written since the day turned.
      expect(await budgetsOf(made.id)).toMatchObject({ total: { used: 60n }, day: { used: 0n } });
      await expectSound();
      const next = await admitted(store, made, 20n);
      expect(next).toMatchObject({ held: 20n, left: 30n });
      await post(store, next, 40n);
      expect(await budgetsOf(made.id)).toMatchObject({ total: { used: 100n }, day: { used: 40n } });
      expect(await admit(made, 1n)).toMatchObject({ kind: "exceeded", period: "total" });
      await expectSound();
      await daysGoBy(site, 3);
      expect((await budgetsOf(made.id)).day).toMatchObject({ used: 0n });
      await expectSound();
    });

    test("of a week and of a month start anew with theirs", async () => {
      const budgets = (["week", "month"] as const).map((period) => ({ ...daily(50n), period }));
      const made = await customer(store, { credit: 10_000n, budgets });
      await post(store, await admitted(store, made, 30n), 20n);
      await daysGoBy(site, 7);
      await post(store, await admitted(store, made, 1n), 3n);
      expect((await budgetsOf(made.id)).week).toMatchObject({ used: 3n });
      await daysGoBy(site, 31);
      await post(store, await admitted(store, made, 1n), 4n);
      expect(await budgetsOf(made.id)).toMatchObject({ week: { used: 4n }, month: { used: 4n } });
      await expectSound();
    });

    test("a request counts in the day in which it is settled, and is held until then", async () => {
      const made = await customer(store, { credit: 10_000n, budgets: [daily(100n)] });
      const [first, second, third] = [
        await admitted(store, made, 30n),
        await admitted(store, made, 30n),
        await admitted(store, made, 30n),
      ];
      await post(store, first, 25n);
      await daysGoBy(site, 1);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 0n, held: 60n });
      // Settled before anything else touches the key on the new day.
      await post(store, second, 35n);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 35n, held: 30n });
      await expectSound();
      expect(await admit(made, 36n)).toEqual({ kind: "wait", scopeId: made.id });
      await raise(store, third, 20n);
      expect(await admit(made, 16n)).toMatchObject({ kind: "wait" });
      await voidHold(store, third);
      expect(await admitted(store, made, 65n)).toMatchObject({ held: 65n, left: 65n });
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 35n, held: 65n });
      await expectSound();
    });

    test("what dies over night is given back on the day that follows", async () => {
      await using parts = new Parts();
      const other = await engine.site(parts);
      const first = await other.open();
      const made = await customer(first, { credit: 10_000n, budgets: [daily(100n)] });
      await admitted(first, made, 30n);
      await first.close();
      await daysGoBy(other, 1);
      const next = await other.open();
      expect(await onlyBudget(next, made.id)).toMatchObject({ used: 0n, held: 30n });
      expect(await recovered(next)).toBe(1);
      expect(await onlyBudget(next, made.id)).toMatchObject({ used: 0n, held: 0n });
      expect((await next.ledger.verify()).problems).toEqual([]);
    });

    test("keep what was used when their amount changes, and only then", async () => {
      const made = await customer(store, { credit: 10_000n, budgets: [daily(100n)] });
      await post(store, await admitted(store, made, 30n), 25n);
      const { id } = await onlyBudget(store, made.id);
      expect(id).toStartWith("bud_");
      await store.accounts.updateKey(made.id, { budgets: [daily(200n), ...total(9n)] });
      expect(await budgetsOf(made.id)).toMatchObject({
        day: { id, amount: 200n, used: 25n },
        total: { amount: 9n, used: 25n },
      });
      const week = { ...daily(200n), period: "week" } as const;
      await store.accounts.updateKey(made.id, { budgets: [week] });
      const other = await onlyBudget(store, made.id);
      expect(other).toMatchObject({ used: 25n, period: "week" });
      expect(other.id).not.toBe(id);
      await store.accounts.updateKey(made.id, { name: "another" });
      expect(await onlyBudget(store, made.id)).toEqual(other);
      await store.accounts.updateKey(made.id, { budgets: [] });
      expect(await store.accounts.describeKey(made.id)).toMatchObject({ used: 25n, budgets: [] });
      await expectSound();
    });

    test("of one period and zone are one: a second is refused and changes nothing", async () => {
      const made = await customer(store, { credit: 1n, budgets: [daily(100n)] });
      const twins = [daily(1n), daily(2n)];
      expect(await failureOf(store.accounts.updateKey(made.id, { budgets: twins }))).toBeDefined();
      expect(await onlyBudget(store, made.id)).toMatchObject({ amount: 100n });
    });

    test("turn once, however many ask from two processes at the first moment of the day", async () => {
      const other = await site.open({ serve: false });
      const made = await customer(store, { credit: 100_000n, budgets: [daily(2_000n)] });
      const straddling = await Promise.all(
        Array.from({ length: 20 }, () => admitted(store, made, 10n)),
      );
      await post(store, await admitted(store, made, 10n), 1_500n);
      await daysGoBy(site, 1);
      const work = straddling.map(async (held, i) => {
        const [one, two] = i % 2 ? [store, other] : [other, store];
        await post(one, held, 7n);
        await post(two, await admitted(two, made, 10n), 3n);
      });
      await Promise.all(work);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 200n, held: 0n });
      expect(await store.ledger.spending(made.id)).toMatchObject({ used: 1_700n });
      await expectSound();
      await other.close();
    });

    test("that are set later count what was settled since their window began", async () => {
      const made = await customer(store, { credit: 10_000n });
      await post(store, await admitted(store, made, 30n), 7n);
      await daysGoBy(site, 1);
      const straddling = await admitted(store, made, 30n);
      await post(store, await admitted(store, made, 30n), 20n);
      await store.accounts.updateKey(made.id, { budgets: [daily(50n), ...total(90n)] });
      expect(await budgetsOf(made.id)).toMatchObject({ day: { used: 20n }, total: { used: 27n } });
      await expectSound();
      await post(store, straddling, 5n);
      expect((await budgetsOf(made.id)).day).toMatchObject({ used: 25n });
      // Nobody gets a fresh day by taking a budget away and setting it again.
      await store.accounts.updateKey(made.id, { budgets: [] });
      await store.accounts.updateKey(made.id, { budgets: [daily(20n)] });
      expect(await admit(made, 1n)).toMatchObject({ kind: "exceeded", used: 25n, max: 20n });
      await expectSound();
      await daysGoBy(site, 1);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 0n });
      await expectSound();
    });

    test("are those of now when a clock that was years ahead is right again", async () => {
      const budgets = (["day", "week", "month"] as const).map((period) => {
        return { ...daily(100n), period };
      });
      const made = await customer(store, { credit: 10_000n, budgets });
      const usedInEach = async (used: bigint) => {
        const each = { used, amount: 100n };
        expect(await budgetsOf(made.id)).toMatchObject({ day: each, week: each, month: each });
      };
      await post(store, await admitted(store, made, 30n), 30n);
      await daysGoBy(site, YEARS_DAYS);
      const ahead = await admitted(store, made, 90n);
      await post(store, ahead, 90n);
      await usedInEach(90n);
      const straddling = await admitted(store, made, 5n);
      await expectSound();

      await daysGoBy(site, -YEARS_DAYS);
      await usedInEach(30n);
      await expectSound();
      await post(store, straddling, 5n);
      await usedInEach(35n);
      await post(store, await admitted(store, made, 60n), 60n);
      await usedInEach(95n);
      await expectSound();
      await post(store, await admitted(store, made, 5n), 6n);
      expect(await admit(made, 1n)).toMatchObject({ kind: "exceeded", used: 101n, max: 100n });
      // What was charged in those years is given back there.
      const whose = { accountId: made.accountId, amount: 90n, kind: "restore", note: "" } as const;
      const charge = { keyId: made.id, requestId: ahead.requestId };
      await store.ledger.credit({ ...whose, id: `back ${made.id}`, createdAtMs: 1, charge });
      await usedInEach(101n);
      await expectSound();

      await daysGoBy(site, MONTH_DAYS);
      await usedInEach(0n);
      await post(store, await admitted(store, made, 7n), 7n);
      await usedInEach(7n);
      await expectSound();
    });

    test("turn to a window that was used before by a clock that was ahead, and count that", async () => {
      const made = await customer(store, { credit: 10_000n, budgets: [daily(100n)] });
      await post(store, await admitted(store, made, 30n), 30n);
      await daysGoBy(site, 3);
      await post(store, await admitted(store, made, 90n), 90n);
      await daysGoBy(site, -3);
      await post(store, await admitted(store, made, 10n), 10n);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 40n });
      await daysGoBy(site, 3);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 90n });
      await post(store, await admitted(store, made, 10n), 11n);
      expect(await admit(made, 1n)).toMatchObject({ kind: "exceeded", used: 101n });
      await expectSound();
    });

    test("that are set after a clock was ahead begin in the window of now", async () => {
      const made = await customer(store, { credit: 10_000n });
      await post(store, await admitted(store, made, 30n), 30n);
      await daysGoBy(site, -YEARS_DAYS);
      await post(store, await admitted(store, made, 7n), 7n);
      await store.accounts.updateKey(made.id, { budgets: [daily(10n)] });
      const { used, resetsAtMs } = await onlyBudget(store, made.id);
      expect(used).toBe(7n);
      expect(resetsAtMs).toBeLessThanOrEqual(Date.now() + DAY_MS);
      await expectSound();
    });

    test("that are set as the first request of their key comes hold for the next ones", async () => {
      const made = await customer(store, { credit: 1_000_000n });
      const change = store.accounts.updateKey(made.id, { budgets: total(10n) });
      const first = store.admission.admit(request(made, 5n));
      expect(await change).toBe(true);
      expect((await first).kind).toBe("admitted");
      expect((await store.admission.admit(request(made, 100n))).kind).toBe("wait");
    });

    test("that are set while the key is used lose nothing of it", async () => {
      const other = await site.open({ serve: false });
      const made = await customer(store, { credit: 100_000n, budgets: [daily(50_000n)] });
      const periods = ["day", "week", "month"] as const;
      const work = Array.from({ length: 30 }, async (_, i) => {
        const from = i % 2 ? store : other;
        await post(from, await admitted(from, made, 10n), 3n);
        const period = periods[i % 3] ?? "day";
        await from.accounts.updateKey(made.id, { budgets: [{ ...daily(50_000n), period }] });
        await expectSound();
      });
      await Promise.all(work);
      expect(await onlyBudget(store, made.id)).toMatchObject({ used: 90n });
      expect(await store.ledger.spending(made.id)).toMatchObject({ used: 90n, held: 0n });
      await expectSound();
      await other.close();
    });
  });
}
