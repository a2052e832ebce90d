import { describe, expect, test } from "bun:test";
import { ENGINES, tablesOn } from "../../../test/store/engines.ts";
import { failureOf } from "../../../test/store/samples.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import type { Order, Refund } from "../order.ts";
import { newOrder } from "../orders.ts";
import type { PaymentsStore } from "./open.ts";
import { openPaymentsStore } from "./open.ts";
import { PAYMENTS_TABLES } from "./versions.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** More than a JavaScript number can tell from its neighbours. */
const HUGE = 2n ** 53n + 1n;

describe.each(ENGINES)("the tables of payments on $name", (engine) => {
  const tables = perSuite((parts) => tablesOn(parts, engine, PAYMENTS_TABLES));
  const store = perSuite(() => openPaymentsStore(tables.sql));
  const other = perSuite(async () => openPaymentsStore(await tables.again()));

  let accounts = 0;
  const account = () => `acct_${++accounts}`;

  function order(accountId: string, changes: Partial<Order> = {}): Order {
    const asked = { accountId, provider: "stripe", amount: 100n, automatic: false } as const;
    return { ...newOrder(asked, { currency: "usd", minor: 10n }, NOW), ...changes };
  }

  async function added(accountId: string, changes: Partial<Order> = {}): Promise<Order> {
    const made = order(accountId, changes);
    await store.orders.add(made);
    return made;
  }

  let payments = 0;
  async function paid(accountId: string, changes: Partial<Order> = {}): Promise<Order> {
    const made = await added(accountId, changes);
    const payment = `pi_${++payments}`;
    expect(await store.orders.confirm(made.id, { payment, notice: null }, NOW)).toBe(true);
    await store.orders.markPaid(made.id, NOW + 1);
    return { ...made, payment };
  }

  test("an order comes back as it was, amounts whole", async () => {
    const made = await added(account(), { amount: HUGE, minor: HUGE, method: "alipay" });
    expect(await store.orders.find(made.id)).toEqual(made);
    expect(await store.orders.find("ord_none")).toBeUndefined();
  });

  test("orders are listed by account, newest first, page by page", async () => {
    const mine = account();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await added(mine, { id: `${mine}_ord_${i}` })).id);
    await added(account());
    const first = await store.orders.list(mine, undefined, 2);
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const rest = await store.orders.list(mine, first[1]?.id, 2);
    expect(rest.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test("a payment confirms one order, and an order has one payment", async () => {
    const mine = account();
    const [first, second] = [await added(mine), await added(mine)];
    const evidence = { payment: `pay ${mine}`, notice: "n1", charged: 7n };
    expect(await store.orders.confirm(first.id, evidence, NOW)).toBe(true);
    expect(await store.orders.confirm(second.id, evidence, NOW)).toBe(false);
    const again = { payment: evidence.payment, notice: "n2" };
    expect(await store.orders.confirm(first.id, again, NOW + 5)).toBe(true);
    const another = { payment: "another", notice: null };
    expect(await store.orders.confirm(first.id, another, NOW)).toBe(false);
    expect(await store.orders.find(first.id)).toMatchObject({
      status: "created",
      notice: "n1",
      charged: 7n,
      confirmedAtMs: NOW,
    });
    await store.orders.markPaid(first.id, NOW + 9);
    expect(await store.orders.confirm(first.id, again, NOW)).toBe(false);
    await store.orders.markPaid(first.id, NOW + 20);
    expect(await store.orders.find(first.id)).toMatchObject({ status: "paid", paidAtMs: NOW + 9 });
  });

  test("one payment for two orders at the same instant confirms one of them", async () => {
    const mine = account();
    const [first, second] = [await added(mine), await added(mine)];
    const evidence = { payment: `pay ${mine}`, notice: null };
    const outcomes = await Promise.allSettled([
      store.orders.confirm(first.id, evidence, NOW),
      other.orders.confirm(second.id, evidence, NOW),
    ]);
    const confirmed = outcomes.filter(
      (outcome) => outcome.status === "fulfilled" && outcome.value === true,
    );
    expect(confirmed).toHaveLength(1);
  });

  test("what was not confirmed is never marked as paid", async () => {
    const made = await added(account());
    await store.orders.markPaid(made.id, NOW);
    expect((await store.orders.find(made.id))?.status).toBe("created");
  });

  test("an order is closed only while nothing is known of a payment", async () => {
    const mine = account();
    const [open, confirmed] = [await added(mine), await added(mine)];
    await store.orders.confirm(confirmed.id, { payment: `pay ${mine}`, notice: null }, NOW);
    expect(await store.orders.close(confirmed.id, "expired", null)).toBe(false);
    expect(await store.orders.close(open.id, "failed", "why")).toBe(true);
    expect(await store.orders.close(open.id, "expired", null)).toBe(false);
    expect(await store.orders.find(open.id)).toMatchObject({ status: "failed", failure: "why" });
    const owed = (await store.orders.listOwed()).map(({ id }) => id);
    expect([owed.includes(confirmed.id), owed.includes(open.id)]).toEqual([true, false]);
  });

  test("old orders that nobody paid expire, automatic ones do not", async () => {
    const mine = account();
    const old = await added(mine, { createdAtMs: NOW - DAY_MS });
    const fresh = await added(mine);
    const automatic = order(mine, { automatic: true, createdAtMs: NOW - DAY_MS });
    await store.orders.addAutomatic(automatic, 1_000n, 0);
    await store.orders.closeOlder(NOW - 1, NOW - 2 * DAY_MS);
    const statuses = [old, fresh, automatic].map(
      async ({ id }) => (await store.orders.find(id))?.status,
    );
    expect(await Promise.all(statuses)).toEqual(["expired", "created", "created"]);
  });

  test("a checkout that can be asked after is not closed by its age so soon", async () => {
    const mine = account();
    const stripe = await added(mine, { provider: "stripe", createdAtMs: NOW - DAY_MS });
    await store.orders.refer(stripe.id, `cs ${mine}`, null);
    const status = async () => (await store.orders.find(stripe.id))?.status;
    await store.orders.closeOlder(NOW - 1, NOW - 2 * DAY_MS);
    expect(await status()).toBe("created");
    await store.orders.closeOlder(NOW - 1, NOW - 1);
    expect(await status()).toBe("expired");
  });

  test("silent checkouts are given out oldest first, and rest once they were asked after", async () => {
    const mine = account();
    const made: string[] = [];
    for (const ageMs of [3_000, 2_000, 1_000, 0]) {
      const each = await added(mine, { provider: "stripe", createdAtMs: NOW - DAY_MS - ageMs });
      await store.orders.refer(each.id, `cs ${each.id}`, null);
      made.push(each.id);
    }
    // One that was never begun at Stripe cannot be asked after.
    await added(mine, { provider: "stripe", createdAtMs: NOW - 2 * DAY_MS });
    const silent = async (limit: number) =>
      (await store.orders.listSilent(NOW, DAY_MS, limit)).map(({ id }) => id);
    expect(await silent(2)).toEqual(made.slice(0, 2));
    const [first = ""] = made;
    const look = (through: PaymentsStore) => through.orders.takeLook(first, NOW, DAY_MS);
    expect((await Promise.all([store, other].map(look))).sort()).toEqual([false, true]);
    expect(await silent(10)).toEqual(made.slice(1, 3));
    expect((await store.orders.find(made[0] ?? ""))?.lookedAtMs).toBe(NOW);
  });

  test("silent checkouts of one moment are given out in the order of making", async () => {
    const mine = account();
    const made = Array.from({ length: 8 }, () => order(mine, { createdAtMs: 1 }));
    for (const each of made.toReversed()) {
      await store.orders.add(each);
      await store.orders.refer(each.id, `cs ${each.id}`, null);
    }
    const silent = await store.orders.listSilent(DAY_MS, DAY_MS - 2, 3);
    expect(silent.map(({ id }) => id)).toEqual(made.slice(0, 3).map(({ id }) => id));
  });

  test("a dispute is added once, and its steps are taken once", async () => {
    const mine = account();
    const { id: orderId } = await added(mine);
    const dispute = {
      id: `dp ${mine}`,
      accountId: mine,
      orderId,
      amount: 100n,
      taken: 60n,
      status: "taking",
      createdAtMs: NOW,
    } as const;
    const adds = [store, other, store].map(({ disputes }) => disputes.add(dispute));
    expect((await Promise.all(adds)).filter(Boolean)).toHaveLength(1);
    expect(await store.disputes.plan(dispute.id, 50n, 40n)).toBe(false);
    expect(await store.disputes.plan(dispute.id, 60n, 40n)).toBe(true);
    const moves = [store, other].map(({ disputes }) =>
      disputes.move(dispute.id, "taking", "taken"),
    );
    expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1);
    expect(await store.disputes.plan(dispute.id, 40n, 10n)).toBe(false);
    expect(await store.disputes.find(dispute.id)).toEqual({
      ...dispute,
      taken: 40n,
      status: "taken",
    });
    expect((await store.disputes.listOpen()).map(({ id }) => id)).not.toContain(dispute.id);
  });

  test("an account has one open automatic order, whoever asks", async () => {
    const mine = account();
    const asks = Array.from({ length: 6 }, (_, i) =>
      (i % 2 ? store : other).orders.addAutomatic(order(mine, { automatic: true }), 1_000n, 0),
    );
    expect((await Promise.all(asks)).filter(Boolean)).toHaveLength(1);
    const open = await store.orders.listOpenAutomatic();
    expect(open.filter(({ accountId }) => accountId === mine)).toHaveLength(1);
  });

  test("automatic orders stay below the most of their day; failed ones do not count", async () => {
    const mine = account();
    const add = () => store.orders.addAutomatic(order(mine, { automatic: true }), 250n, NOW - 1);
    expect(await store.orders.spentAutomatically(mine, NOW - 1)).toBe(0n);
    for (const end of ["paid", "failed", "paid"] as const) {
      expect(await add()).toBe(true);
      const open = await store.orders.listOpenAutomatic();
      const { id = "" } = open.find(({ accountId }) => accountId === mine) ?? {};
      if (end === "failed") await store.orders.close(id, "failed", null);
      else {
        await store.orders.confirm(id, { payment: `pay ${id}`, notice: null }, NOW);
        await store.orders.markPaid(id, NOW);
      }
    }
    expect(await add()).toBe(false);
    expect(await store.orders.spentAutomatically(mine, NOW - 1)).toBe(200n);
    expect(await store.orders.spentAutomatically(mine, NOW)).toBe(0n);
    const later = order(mine, { automatic: true, createdAtMs: NOW + DAY_MS });
    expect(await store.orders.addAutomatic(later, 250n, NOW + 1)).toBe(true);
  });

  function refund(of: Order, amount: bigint): Refund {
    return {
      id: `ref_${crypto.randomUUID()}`,
      accountId: of.accountId,
      orderId: of.id,
      payment: of.payment ?? "",
      amount,
      minor: 1n,
      kept: 0n,
      status: "reserved",
      reference: null,
      failure: null,
      askedBy: { line: "aud_1", userId: "user_1", name: "ann@example.org" },
      createdAtMs: NOW,
    };
  }

  test("a refund is kept with who asked for it, or with nobody", async () => {
    for (const askedBy of [{ line: "aud_2", name: "token of ci" }, null]) {
      const made = await paid(account());
      const kept = { ...refund(made, 30n), askedBy };
      await store.refunds.reserve(kept, 0n);
      expect(await other.refunds.find(kept.id)).toEqual(kept);
    }
  });

  test("refunds of an order never exceed it, at the same instant neither", async () => {
    const made = await paid(account());
    const asks = Array.from({ length: 8 }, (_, i) =>
      (i % 2 ? store : other).refunds.reserve(refund(made, 30n), 0n),
    );
    // The others have reckoned with an order of which nothing was gone.
    expect((await Promise.all(asks)).filter(Boolean)).toHaveLength(1);
    for (const [before, isTaken] of [
      [30n, true],
      [60n, true],
      [90n, false],
    ] as const) {
      expect(await store.refunds.reserve(refund(made, 30n), before)).toBe(isTaken);
    }
    expect((await store.orders.find(made.id))?.refunded).toBe(90n);
    expect(await store.refunds.reserve(refund(await added(account()), 1n), 0n)).toBe(false);
  });

  test("a refund is of one order, at the same instant too, and of none that has too little left", async () => {
    const mine = account();
    const orders = [await paid(mine), await paid(mine)];
    const asks = [...orders, ...orders].map((of, i) =>
      (i % 2 ? store : other).refunds.reserve({ ...refund(of, 60n), id: `ref_of_${mine}` }, 0n),
    );
    expect((await Promise.all(asks)).filter(Boolean)).toHaveLength(1);
    const now = await Promise.all(orders.map(({ id }) => store.orders.find(id)));
    expect(now.map((each) => each?.refunded).toSorted()).toEqual([0n, 60n]);
    const [much] = orders;
    if (!much) throw new Error("no order was paid");
    const over = refund(much, 101n);
    const before = (await store.orders.find(much.id))?.refunded ?? 0n;
    expect(await store.refunds.reserve(over, before)).toBe(false);
    expect(await store.refunds.find(over.id)).toBeUndefined();
  });

  test("a refund moves from the state it is in, and a failure frees its part of the order", async () => {
    const made = await paid(account());
    const whole = refund(made, 100n);
    await store.refunds.reserve(whole, 0n);
    expect(await store.refunds.move(whole.id, "debited", "done")).toBe(false);
    expect(await store.refunds.move(whole.id, "reserved", "debited")).toBe(true);
    expect((await store.orders.find(made.id))?.status).toBe("paid");
    expect(await store.refunds.move(whole.id, "debited", "done", { reference: "re_1" })).toBe(true);
    expect((await store.orders.find(made.id))?.status).toBe("refunded");
    expect(await store.orders.listRefundable([made.id])).toEqual([]);
    await store.refunds.move(whole.id, "done", "returning", { failure: "bank" });
    expect(await store.refunds.move(whole.id, "returning", "failed")).toBe(true);
    expect(await store.refunds.move(whole.id, "returning", "failed")).toBe(false);
    expect(await store.refunds.find(whole.id)).toEqual({
      ...whole,
      status: "failed",
      reference: "re_1",
      failure: "bank",
    });
    expect(await store.orders.find(made.id)).toMatchObject({ status: "paid", refunded: 0n });
    expect((await store.orders.listRefundable([made.id])).map(({ id }) => id)).toEqual([made.id]);
  });

  test("refunds that are on their way are found again", async () => {
    const made = await paid(account());
    const [open, over] = [refund(made, 10n), refund(made, 10n)];
    expect(await store.refunds.reserve(open, 0n)).toBe(true);
    expect(await store.refunds.reserve(over, 10n)).toBe(true);
    await store.refunds.move(over.id, "reserved", "failed");
    const ids = (await store.refunds.listOpen()).map(({ id }) => id);
    expect([ids.includes(open.id), ids.includes(over.id)]).toEqual([true, false]);
    expect(await store.refunds.list(made.accountId, 10)).toHaveLength(2);
  });

  test("an account has one open reversal, and none is added on old knowledge", async () => {
    const accountId = account();
    const reversal = () => ({
      id: `rev_${crypto.randomUUID()}`,
      accountId,
      amount: HUGE,
      charged: 0n,
      createdAtMs: NOW,
    });
    const first = reversal();
    const asks = [store.reversals.add(first, 0), other.reversals.add(reversal(), 0)];
    expect((await Promise.all(asks)).filter(Boolean)).toHaveLength(1);
    const [open] = (await store.reversals.listOpen()).filter((row) => row.accountId === accountId);
    await store.reversals.finish(open?.id ?? "", "done");
    expect(await store.reversals.add(reversal(), 0)).toBe(false);
    const second = reversal();
    expect(await store.reversals.add(second, 1)).toBe(true);
    await store.reversals.finish(second.id, "failed");
    const counted = await store.reversals.listCounted(accountId);
    expect(counted.map(({ amount }) => amount)).toEqual([HUGE]);
  });

  test("paid test orders are found by account", async () => {
    const mine = account();
    const made = await paid(mine, { provider: "test" });
    await added(mine, { provider: "test" });
    expect((await store.orders.listTest(mine)).map(({ id }) => id)).toEqual([made.id]);
    expect(await store.orders.listTestAccounts()).toContainEqual({ id: mine, orders: 1 });
  });

  test("codes and reversals that are owed are found in the order of making", async () => {
    const ids = Array.from({ length: 6 }, (_, i) => `${i}`);
    const batch = {
      id: "batch_owed",
      amount: 1n,
      note: "",
      expiresAtMs: null,
      redeemed: 0,
      revoked: 0,
    };
    const codes = ids.map((id) => ({ id: `code_owed_${id}`, hash: `owed ${id}`, lastFour: "0" }));
    await store.codes.addBatch({ ...batch, createdAtMs: NOW, codes: 6 }, codes);
    for (const { hash } of codes.toReversed()) await store.codes.take(hash, "acct_owed", NOW);
    const owed = (await store.codes.listOwed(NOW + MINUTE_MS, MINUTE_MS)).map(({ id }) => id);
    expect(owed).toEqual(codes.map(({ id }) => id));
    expect(await store.codes.listOwed(NOW + MINUTE_MS - 1, MINUTE_MS)).toEqual([]);
    for (const { id } of codes) await store.codes.markCredited(id);
    const reversals = ids.map((id) => ({
      ...{ id: `rev_${id}`, accountId: account(), amount: 1n, charged: 0n, createdAtMs: NOW },
    }));
    for (const each of reversals.toReversed()) await store.reversals.add(each, 0);
    const open = (await store.reversals.listOpen()).map(({ id }) => id);
    expect(open).toEqual(reversals.map(({ id }) => id));
  });

  test("a code of the same hash is refused as a whole batch", async () => {
    const batch = {
      id: "batch_1",
      amount: HUGE,
      note: "",
      expiresAtMs: null,
      createdAtMs: NOW,
      codes: 2,
      redeemed: 0,
      revoked: 0,
    };
    const code = (id: string) => ({ id, hash: "same", lastFour: "0000" });
    const failed = store.codes.addBatch(batch, [code("code_1"), code("code_2")]);
    expect((await failureOf(failed)).name).toBe("StorageError");
    expect(await store.codes.findBatch("batch_1")).toBeUndefined();
    await store.codes.addBatch(batch, [code("code_1")]);
    expect((await store.codes.take("same", "acct_x", NOW))?.amount).toBe(HUGE);
    expect(await store.codes.take("same", "acct_x", NOW)).toBeUndefined();
    expect((await store.codes.listOwed(NOW + MINUTE_MS, MINUTE_MS)).map(({ id }) => id)).toEqual([
      "code_1",
    ]);
    await store.codes.markCredited("code_1");
    expect(await store.codes.listOwed(NOW + MINUTE_MS, MINUTE_MS)).toEqual([]);
  });
});
