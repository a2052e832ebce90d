import { describe, expect, test } from "bun:test";
import { ENGINES, type Site } from "../../../test/store/engines.ts";
import { admitted, customer, post, request, SOFT, total } from "../../../test/store/samples.ts";
import { partsOfTest, perSuite } from "../../../test/support/houses/house.ts";
import { zoneAtNoon } from "../../../test/support/samples/zones.ts";
import type { NewKey } from "../../accounts/account.ts";
import type { BudgetTerms } from "../../accounts/keys/budget.ts";
import type { Store } from "../store.ts";

const DAY_MS = 86_400_000;
const DAILY: BudgetTerms = { amount: 50n, period: "day", timeZone: zoneAtNoon() };

/** As the ledger does where a charge came on disk after its client had been told that there is none. */
function giveBack({ ledger }: Store, made: NewKey, requestId: string, amount: bigint) {
  const { accountId, id: keyId } = made;
  const restore = { id: `late_${requestId}`, accountId, amount, kind: "restore" } as const;
  const createdAtMs = Date.now();
  return ledger.credit({ ...restore, note: "", createdAtMs, charge: { keyId, requestId } });
}

/** Until the next day: all that is on record happened a day earlier. */
async function dayGoesBy(site: Site): Promise<void> {
  await site.damage(`update entries set created_at = created_at - ${DAY_MS}`);
  await site.run(`update keys set last_used_at = last_used_at - ${DAY_MS}`);
  await site.run(`update budgets set window_start = window_start - ${DAY_MS},
    resets_at = resets_at - ${DAY_MS} where period <> 'total'`);
}

describe.each(ENGINES)("a charge that is given back, on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const parts = partsOfTest();

  const usedOf = async (made: NewKey) => {
    const { budgets } = (await store.ledger.spending(made.id)) ?? { budgets: [] };
    return Object.fromEntries(budgets.map(({ period, used }) => [period, used]));
  };
  const expectSound = async () => {
    expect((await store.ledger.verify()).problems).toEqual([]);
  };

  test.each([false, true])("leaves its budgets as it found them, once (hard: %p)", async (hard) => {
    const budgets = [...total(60n), DAILY];
    const made = await customer(store, { credit: 1_000n, budgets });
    await post(store, await admitted(store, made, 10n), 10n);
    const late = await admitted(store, made, 30n);
    await post(store, late, 70n);
    const asks = () => store.admission.admit(request(made, 20n, { hard }));
    expect(await asks()).toMatchObject({ kind: "exceeded", scope: "budget" });
    const tries = Array.from({ length: 3 }, () => giveBack(store, made, late.requestId, 70n));
    expect((await Promise.all(tries)).sort()).toEqual([false, false, true]);
    expect(await usedOf(made)).toEqual({ total: 10n, day: 10n });
    expect(await store.ledger.balance(made.accountId)).toMatchObject({
      credited: 1_070n,
      charged: 80n,
    });
    await expectSound();
    expect(await asks()).toMatchObject({ kind: "admitted", held: 20n, left: 40n });
    // As whoever starts next finds it.
    const other = parts.keep(await site.open({ serve: false }));
    expect((await other.ledger.verify()).problems).toEqual([]);
  });

  test("changes nothing in a window that began after it", async () => {
    const made = await customer(store, { credit: 1_000n, budgets: [...total(500n), DAILY] });
    const late = await admitted(store, made, 30n);
    await post(store, late, 40n);
    const unturned = await admitted(store, made, 5n);
    await post(store, unturned, 6n);
    await dayGoesBy(site);
    // The row of the budget is still of the day before.
    expect(await giveBack(store, made, unturned.requestId, 6n)).toBe(true);
    expect(await usedOf(made)).toEqual({ total: 40n, day: 0n });
    await post(store, await admitted(store, made, 5n), 7n);
    expect(await usedOf(made)).toEqual({ total: 47n, day: 7n });
    expect(await giveBack(store, made, late.requestId, 40n)).toBe(true);
    expect(await usedOf(made)).toEqual({ total: 7n, day: 7n });
    await expectSound();
    const outcome = await store.admission.admit(request(made, 44n, { hard: true }));
    expect(outcome).toMatchObject({ kind: "short", used: 7n, left: 43n });
  });

  test("does not count in a budget that is set later", async () => {
    const made = await customer(store, { credit: 1_000n });
    const late = await admitted(store, made, 30n);
    await post(store, late, 40n);
    await post(store, await admitted(store, made, 30n), 3n);
    await giveBack(store, made, late.requestId, 40n);
    await store.accounts.updateKey(made.id, { budgets: [...total(50n), DAILY] });
    expect(await usedOf(made)).toEqual({ total: 3n, day: 3n });
    await expectSound();
  });

  test("is what verification expects: another amount, and one that was not charged, are told", async () => {
    const made = await customer(store, { credit: 1_000n, budgets: total(100n) });
    const late = await admitted(store, made, 30n);
    await post(store, late, 40n);
    await giveBack(store, made, late.requestId, 40n);
    await expectSound();
    const where = `where ref = 'late_${late.requestId}'`;
    for (const [damage, undo, claim] of [
      ["amount = amount - 1", "amount = amount + 1", "a budget's used = "],
      ["amount = amount - 1", "amount = amount + 1", "what is given back was charged to its key"],
      ["key_id = 'key_x'", `key_id = '${made.id}'`, "what is given back was charged to its key"],
    ]) {
      await site.damage(`update entries set ${damage} ${where}`);
      const { problems } = await store.ledger.verify();
      expect(problems.filter((problem) => problem.includes(claim ?? ""))).toHaveLength(1);
      await site.damage(`update entries set ${undo} ${where}`);
    }
    await expectSound();
  });

  test("of a request that was taken for dead goes by when that was corrected", async () => {
    const own = await engine.site(parts);
    const first = await own.open();
    const made = await customer(first, { credit: 100n, budgets: [DAILY] });
    const late = await admitted(first, made, 30n);
    await first.close();
    const next = await own.open();
    await next.ledger.recover();
    await dayGoesBy(own);
    expect(await post(next, late, 60n, { leeway: SOFT })).toBe("done");
    expect(await giveBack(next, made, late.requestId, 60n)).toBe(true);
    expect((await next.ledger.spending(made.id))?.budgets).toMatchObject([{ used: 0n }]);
    expect((await next.ledger.verify()).problems).toEqual([]);
    expect(await next.admission.admit(request(made, 50n))).toMatchObject({ left: 50n });
  });
});
