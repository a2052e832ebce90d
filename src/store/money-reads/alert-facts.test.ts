import { beforeAll, describe, expect, test } from "bun:test";
import { ENGINES } from "../../../test/store/engines.ts";
import { credit, customer, key as newKey } from "../../../test/store/samples.ts";
import { happened } from "../../../test/store/traffic.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { zoneAtNoon } from "../../../test/support/samples/zones.ts";
import type { NewKey } from "../../accounts/account.ts";
import { alertFacts } from "./alert-facts.ts";

const HOUR_MS = 3_600_000;

describe.each(ENGINES)("the facts of alerts on $name", (engine) => {
  const site = perSuite(engine.site);
  const store = perSuite(() => site.open());
  const facts = perSuite(async () => alertFacts((await site.reads()).reader));
  const nowMs = Date.now();
  const sinceMs = nowMs - HOUR_MS;
  let busy: NewKey;

  beforeAll(async () => {
    busy = await customer(store, { credit: 10_000n, budget: 4_000n });
    const second = newKey(busy.accountId, {
      name: "second",
      budgets: [{ amount: 300n, period: "day", timeZone: zoneAtNoon() }],
    });
    await store.accounts.createKey(second);
    await credit(store, busy.accountId, 250n);
    await customer(store, { credit: 5_000n, budget: 10n });
    const day = 24 * HOUR_MS;
    for (const [ageMs, cost] of [
      [8 * day, 900n],
      [2 * day, 20n],
      [2 * day, 30n],
      [day, 100n],
      [0, 7n],
    ] as const) {
      await happened(store, { key: busy, atMs: nowMs - ageMs, cost });
    }
    await happened(store, { key: second, atMs: nowMs, cost: 11n, model: "model-2.0" });
    await happened(store, { key: second, atMs: nowMs - day, outcome: "error" });
  });

  test("are those of accounts that were active, and agree with the books", async () => {
    const found = await facts.active(sinceMs, nowMs);
    expect(found).toHaveLength(1);
    const [account] = found;
    const books = await store.ledger.balance(busy.accountId);
    expect(account).toMatchObject({
      accountId: busy.accountId,
      credited: books?.credited,
      charged: books?.charged,
      lastCredit: 250n,
      spentThisHour: 18n,
    });
    expect(account?.models.toSorted()).toEqual(["model-1.0", "model-2.0"]);
    const spending = await store.ledger.spending(busy.id);
    const budgets = account?.budgets.toSorted((a, b) => Number(b.max - a.max));
    expect(budgets).toMatchObject([
      { keyId: busy.id, keyName: "laptop", period: "total", max: 4_000n, resetsAtMs: null },
      { keyName: "second", period: "day", max: 300n, used: 11n },
    ]);
    expect(budgets?.[0]?.used).toBe(spending?.used);
  });

  test("have a budget's next window once it has begun, with nothing used of it", async () => {
    const tomorrowMs = nowMs + 24 * HOUR_MS;
    const [account] = await facts.active(sinceMs, tomorrowMs);
    const daily = account?.budgets.find(({ period }) => period === "day");
    expect(daily?.used).toBe(0n);
    expect(daily?.resetsAtMs).toBeGreaterThan(tomorrowMs);
    expect(account?.spentThisHour).toBe(0n);
  });

  test("leave out those who were quiet", async () => {
    expect(await facts.active(nowMs + HOUR_MS, nowMs)).toEqual([]);
  });

  test("know the usual hours: those of the last week with spend, this one left out", async () => {
    expect(await facts.usualHours(busy.accountId, nowMs)).toEqual({ total: 150n, hours: 2 });
    expect(await facts.usualHours("acct_nobody", nowMs)).toEqual({ total: 0n, hours: 0 });
  });

  test("have the channels and accounts whose input lost more than a limit today", async () => {
    const name = (await store.accounts.findAccount(busy.accountId))?.name;
    for (const [channel, inputLoss, atMs] of [
      ["one", 60n, nowMs],
      ["two", 50n, nowMs],
      ["three", 900n, nowMs - 24 * HOUR_MS],
    ] as const) {
      const over = { channel, inputLoss, loss: inputLoss };
      await happened(store, { key: busy, atMs, cost: 1n, over });
    }
    const day = new Date(nowMs).toISOString().slice(0, 10);
    expect(await facts.inputLosses(nowMs, 50n)).toEqual([
      { of: "channel", id: "one", name: "one", day, amount: 60n },
      { of: "account", id: busy.accountId, name: String(name), day, amount: 110n },
    ]);
    expect(await facts.inputLosses(nowMs, 110n)).toEqual([]);
  });
});
