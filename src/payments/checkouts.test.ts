// Stripe orders whose notice never comes: asked after when the payer is back, and by the sweep.
import { describe, expect, test } from "bun:test";
import { perTest } from "../../test/support/houses/house.ts";
import { LOOK_REST_MS, LOOKS_MAX, paymentsHouse, USD } from "../../test/support/payments/house.ts";
import type { Order } from "./order.ts";

const house = perTest(paymentsHouse);

const order = (amount = "12.50") =>
  house.payments.orders.create("acct_a", { provider: "stripe", amount });
const status = async ({ id }: Order) => (await house.store.orders.find(id))?.status;
const looks = () => house.stripe.calls.filter((call) => /^GET .*sessions/.test(call)).length;
const SET_BACK_MS = 3 * 3_600_000;
const later = (ms: number) => {
  house.settings.clockMs += ms;
};

async function glance({ id }: Order): Promise<Order> {
  const { orders, checkouts } = house.payments;
  return checkouts.glance(await orders.find("acct_a", id));
}

describe("a payer who comes back before any notice", () => {
  test("finds the order paid and credited, once", async () => {
    const made = await order();
    house.stripe.end(made.reference, "paid");
    expect(await glance(made)).toMatchObject({ status: "paid", notice: null });
    const event = await house.stripe.event(
      "checkout.session.completed",
      house.stripe.paidSession(made.reference),
    );
    expect(await house.payments.notices.stripe(event.body, event.signature)).toBe("already");
    later(LOOK_REST_MS * 2);
    await house.payments.reconcile();
    expect(house.ledger.left("acct_a")).toBe((125n * USD) / 10n);
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
  });

  test("finds it open while it is not paid, and Stripe is not asked at every call", async () => {
    const made = await order();
    for (let i = 0; i < 5; i++) expect((await glance(made)).status).toBe("created");
    expect(looks()).toBe(1);
    later(3_000);
    await glance(made);
    expect(looks()).toBe(2);
  });

  test("has Stripe asked although it was last asked by a clock that was ahead", async () => {
    const made = await order();
    await glance(made);
    later(-SET_BACK_MS);
    await glance(made);
    await glance(made);
    expect(looks()).toBe(2);
  });

  test("has Stripe asked once, however often they ask at once", async () => {
    const made = await order();
    await Promise.all(Array.from({ length: 20 }, () => house.payments.checkouts.glance(made)));
    expect(looks()).toBe(1);
  });

  test("has Stripe asked so often a minute, however many orders are open", async () => {
    const open = [await order(), await order()];
    for (let round = 0; round < 19; round++) {
      for (const each of open) await glance(each);
      later(3_000);
    }
    expect(looks()).toBe(30);
    later(60_000);
    for (const each of open) await glance(each);
    expect(looks()).toBe(32);
  });

  test("finds it expired when Stripe says so", async () => {
    const made = await order();
    house.stripe.end(made.reference, "expired");
    expect((await glance(made)).status).toBe("expired");
  });

  test("gets the order as it is while Stripe does not answer", async () => {
    const made = await order();
    house.stripe.failNext(`GET /v1/checkout/sessions/${made.reference}`, "down");
    expect((await glance(made)).status).toBe("created");
    expect(house.logged("checkout_unknown")).toHaveLength(1);
  });

  test.each([
    ["another amount", { amount_total: 1 }],
    ["another currency", { currency: "jpy" }],
    ["another account", { metadata: { order: "x", account: "acct_b" } }],
    ["another order", { client_reference_id: "ord_else" }],
  ])("is credited nothing by a session of %s", async (_what, wrong) => {
    const made = await order();
    house.stripe.end(made.reference, "paid");
    Object.assign(house.stripe.sessions[0] ?? {}, wrong);
    expect((await glance(made)).status).toBe("created");
    expect(house.ledger.entries).toEqual([]);
    expect(house.logged("checkout_refused")).toHaveLength(1);
  });

  test("asks nothing of orders that are not Stripe's or not open", async () => {
    const test = await house.payments.orders.create("acct_a", { provider: "test", amount: "5" });
    await glance(test);
    const closed = await order();
    await house.store.orders.close(closed.id, "failed", null);
    await glance(closed);
    expect(looks()).toBe(0);
  });
});

describe("the sweep", () => {
  test("credits what was paid and closes what expired, without any notice", async () => {
    const [paid, expired] = [await order("5"), await order("7")];
    house.stripe.end(paid.reference, "paid");
    house.stripe.end(expired.reference, "expired");
    await house.payments.reconcile();
    expect(looks()).toBe(0);
    later(LOOK_REST_MS + 1);
    await house.payments.reconcile();
    expect([await status(paid), await status(expired)]).toEqual(["paid", "expired"]);
    expect(house.ledger.left("acct_a")).toBe(5n * USD);
    expect(house.logged("checkout_without_notice")).toHaveLength(1);
  });

  test("asks after so many in a round, and in the next after those that waited", async () => {
    const made = [];
    for (let i = 0; i < LOOKS_MAX + 1; i++) made.push(await order());
    later(LOOK_REST_MS + 1);
    await house.payments.reconcile();
    expect(looks()).toBe(LOOKS_MAX);
    await house.payments.reconcile();
    expect(looks()).toBe(LOOKS_MAX + 1);
    await house.payments.reconcile();
    expect(looks()).toBe(LOOKS_MAX + 1);
    expect(new Set(house.stripe.calls.filter((call) => call.startsWith("GET"))).size).toBe(
      made.length,
    );
  });

  test("asks after what was begun or asked after by a clock that was ahead", async () => {
    await order();
    later(-SET_BACK_MS);
    for (let i = 0; i < 2; i++) await house.payments.reconcile();
    expect(looks()).toBe(1);
    later(-SET_BACK_MS);
    for (let i = 0; i < 2; i++) await house.payments.reconcile();
    expect(looks()).toBe(2);
  });

  test("credits once with a process beside it", async () => {
    const made = await order();
    house.stripe.end(made.reference, "paid");
    later(LOOK_REST_MS + 1);
    const other = await house.second();
    await Promise.all([house.payments.reconcile(), other.reconcile(), glance(made)]);
    expect(house.ledger.left("acct_a")).toBe((125n * USD) / 10n);
  });
});
