import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { AutoTopUp } from "../auto-topup.ts";
import { newOrder } from "../orders.ts";
import { openPaymentsStore } from "./open.ts";
import { PAYMENTS_TABLES } from "./versions.ts";

const REST_MS = 3_600_000;
const NOW = 1_800_000_000_000;
/** More than a JavaScript number can tell from its neighbours. */
const HUGE = 2n ** 53n + 1n;

const SETTINGS: AutoTopUp = {
  accountId: "acct",
  enabled: true,
  threshold: 1n,
  amount: HUGE,
  dailyMax: HUGE,
  customer: "cus",
  method: null,
  setup: "cs",
  refusals: 0,
  restsUntilMs: 0,
  failure: null,
};

describe.each(ENGINES)("automatic top-ups on $name", (engine) => {
  const all = perSuite(async (parts) => {
    const { sql } = await tablesOn(parts, engine, PAYMENTS_TABLES);
    return openPaymentsStore(sql);
  });
  const store = perSuite(() => all.autoTopUps);

  /** An order that is to be charged to the card. */
  async function charging(accountId = "acct") {
    const asked = { accountId, provider: "stripe", amount: 1n, automatic: true } as const;
    const order = newOrder(asked, { currency: "usd", minor: 1n }, NOW);
    await all.orders.addAutomatic(order, HUGE, NOW);
    return order;
  }

  const saved = (changes: Partial<AutoTopUp> = {}) =>
    store.change("acct", () => ({ ...SETTINGS, ...changes }));

  test("are changed by what they are at that moment, or left as they are", async () => {
    const changed = (choose: Parameters<typeof store.change>[1]) => store.change("other", choose);
    const other = { ...SETTINGS, accountId: "other" };
    expect(await changed(() => undefined)).toEqual({ before: undefined, settings: undefined });
    expect(await changed(() => other)).toEqual({ before: undefined, settings: other });
    const more = { ...other, threshold: 2n };
    const added = await changed((before) => before && { ...before, threshold: 2n });
    expect(added).toEqual({ before: other, settings: more });
    expect(await changed(() => undefined)).toEqual({ before: more, settings: undefined });
    const thrown = new Error("not so");
    const refused = changed(() => {
      throw thrown;
    });
    expect(await refused.catch((error: unknown) => error)).toBe(thrown);
    expect(await store.find("other")).toEqual(more);
  });

  test("stay off where they are switched off while somebody changes something else", async () => {
    await saved();
    let suspended: Promise<void> | undefined;
    await store.change("acct", (before) => {
      suspended = store.suspend("acct", "disputed");
      return before && { ...before, threshold: 2n };
    });
    await suspended;
    const off = { enabled: false, threshold: 2n, failure: "disputed" };
    expect(await store.find("acct")).toMatchObject(off);
  });

  test("are due when they are on, have a card and do not rest", async () => {
    const due = async (changes: Partial<AutoTopUp>) => {
      await saved(changes);
      return (await store.listDue(NOW, REST_MS)).length === 1;
    };
    expect(await due({})).toBe(false);
    expect(await due({ method: "pm" })).toBe(true);
    expect(await due({ method: "pm", enabled: false })).toBe(false);
    expect(await due({ method: "pm", restsUntilMs: NOW + 1 })).toBe(false);
    const kept = { ...SETTINGS, method: "pm", restsUntilMs: NOW + 1 };
    expect(await store.find("acct")).toEqual(kept);
    // Further ahead than any rest: since before a clock was set back.
    expect(await due({ method: "pm", restsUntilMs: NOW + 2 * REST_MS + 1 })).toBe(true);
  });

  test("forget a rest that is over, and no other", async () => {
    for (const [restsUntilMs, left] of [
      [NOW, 0],
      [NOW + 1, NOW + 1],
    ] as const) {
      await saved({ restsUntilMs });
      await store.forgetRests(NOW, REST_MS);
      expect((await store.find("acct"))?.restsUntilMs).toBe(left);
    }
  });

  test("rest by themselves unless something else was chosen or happened meanwhile", async () => {
    const rest = async () => (await store.find("acct"))?.restsUntilMs;
    await saved();
    await store.restUntil({ ...SETTINGS, dailyMax: 1n }, NOW);
    await store.restUntil({ ...SETTINGS, restsUntilMs: 5 }, NOW);
    expect(await rest()).toBe(0);
    await store.restUntil(SETTINGS, NOW);
    expect(await rest()).toBe(NOW);
    await store.restUntil({ ...SETTINGS, restsUntilMs: NOW }, 0);
    expect(await rest()).toBe(0);
  });

  test("count what was paid for in a day, and since when", async () => {
    const paid = (sinceMs: number) => all.orders.paidAutomatically("busy", sinceMs);
    expect(await paid(0)).toEqual({ spent: 0n, oldestMs: null });
    for (const _ of [1, 2]) {
      const order = await charging("busy");
      expect((await paid(0)).spent).toBe(_ === 1 ? 0n : 1n);
      await all.orders.confirm(order.id, { payment: order.id, notice: null }, NOW);
      await all.orders.markPaid(order.id, NOW);
    }
    expect(await paid(NOW - 1)).toEqual({ spent: 2n, oldestMs: NOW });
    expect(await paid(NOW)).toEqual({ spent: 0n, oldestMs: null });
  });

  test("keep the first card that comes, and then only one of the session that was begun last", async () => {
    await saved({ enabled: false });
    const keep = (setup: string, method: string, customer = "cus") =>
      store.keepCard("acct", { setup, method, customer });
    expect(await keep("cs_before", "pm_old", "cus_other")).toBe(false);
    expect(await keep("cs_before", "pm_old")).toBe(true);
    expect(await keep("cs_before", "pm_old")).toBe(true);
    expect(await keep("cs", "pm")).toBe(true);
    expect(await keep("cs_before", "pm_old")).toBe(false);
    await store.endSetup("acct", "cs_before");
    expect(await store.find("acct")).toEqual({ ...SETTINGS, enabled: false, method: "pm" });
    await store.endSetup("acct", "cs");
    expect((await store.find("acct"))?.setup).toBeNull();
  });

  const refusal = { reason: "no", restsUntilMs: NOW, max: 3 };

  test("count a refusal once for its order, and the last of so many switches off", async () => {
    await saved();
    const refused = async () => {
      const order = await charging();
      const both = await Promise.all([store.refuse(order, refusal), store.refuse(order, refusal)]);
      expect(both.filter(Boolean)).toEqual([true]);
      expect(await all.orders.find(order.id)).toMatchObject({ status: "failed", failure: "no" });
      return store.find("acct");
    };
    expect(await refused()).toMatchObject({ enabled: true, refusals: 1 });
    expect(await refused()).toMatchObject({ enabled: true, refusals: 2 });
    expect(await refused()).toMatchObject({ enabled: false, refusals: 3, failure: "no" });
    expect(await store.refuse(await charging("nobody"), refusal)).toBe(true);
  });

  test("forget refusals with the order that is paid, and with no other", async () => {
    await saved({ refusals: 2, restsUntilMs: NOW, failure: "no" });
    const pay = async (id: string) => {
      await all.orders.confirm(id, { payment: id, notice: null }, NOW);
      await all.orders.markPaid(id, NOW);
    };
    const asked = { accountId: "acct", provider: "stripe", amount: 1n, automatic: false } as const;
    const byHand = newOrder(asked, { currency: "usd", minor: 1n }, NOW);
    await all.orders.add(byHand);
    await pay(byHand.id);
    await all.orders.markPaid((await charging("else")).id, NOW);
    expect(await store.find("acct")).toMatchObject({ refusals: 2, failure: "no" });
    const order = await charging();
    await all.orders.markPaid(order.id, NOW);
    expect(await store.find("acct")).toMatchObject({ refusals: 2 });
    await pay(order.id);
    const forgiven = { enabled: true, refusals: 0, restsUntilMs: 0, failure: null };
    expect(await store.find("acct")).toMatchObject(forgiven);
    // What is refused after that counts, though the order is told as paid once more.
    await saved({ refusals: 1 });
    await pay(order.id);
    expect(await store.find("acct")).toMatchObject({ refusals: 1 });
  });

  test("leave an order open whose refusal could not be counted", async () => {
    await saved();
    const order = await charging();
    const broken = { ...refusal, restsUntilMs: null as never };
    const failed = await store.refuse(order, broken).catch((thrown) => thrown);
    expect(failed).toBeInstanceOf(Error);
    expect(await all.orders.find(order.id)).toMatchObject({ status: "created" });
    expect(await store.refuse(order, refusal)).toBe(true);
  });

  test("are switched off by what happened, and not on by it", async () => {
    await saved();
    await store.suspend("acct", "disputed");
    await store.suspend("acct", "again");
    const order = await charging();
    await store.bar(order, "not ours", NOW);
    expect(await all.orders.find(order.id)).toMatchObject({ status: "failed" });
    const off = { enabled: false, failure: "disputed", restsUntilMs: NOW };
    expect(await store.find("acct")).toMatchObject(off);
  });

  describe("that are off for a refund", () => {
    const [one, two] = [
      { id: "ref_1", accountId: "acct" },
      { id: "ref_2", accountId: "acct" },
    ];
    const off = (failure: string | null) => ({ enabled: false, failure });

    test("are on again by that one only", async () => {
      await saved();
      await store.giveWay(one);
      await store.giveWay(one);
      await store.takeBack(two);
      expect(await store.find("acct")).toMatchObject(off("A refund was asked for: ref_1."));
      await store.takeBack(one);
      expect(await store.find("acct")).toEqual(SETTINGS);
    });

    test("stay off where another one is asked for", async () => {
      await saved();
      for (const refund of [one, two, one]) await store.giveWay(refund);
      await store.takeBack(one);
      await store.takeBack(two);
      expect(await store.find("acct")).toMatchObject(off("Refunds were asked for."));
    });

    test("stay off for what else has happened", async () => {
      await saved();
      await store.giveWay(one);
      await store.suspend("acct", "disputed");
      await store.giveWay(two);
      await store.takeBack(one);
      expect(await store.find("acct")).toMatchObject(off("disputed"));
    });

    test("stay off where somebody has switched them off", async () => {
      await saved({ enabled: false });
      await store.giveWay(one);
      await store.takeBack(one);
      expect(await store.find("acct")).toMatchObject(off(null));
    });
  });
});
