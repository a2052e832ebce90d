import { describe, expect, test } from "bun:test";
import { failureOf } from "../../../test/store/samples.ts";
import { faultOf } from "../../../test/support/errors.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../../test/support/payments/house.ts";
import type { Order } from "../order.ts";

const house = perTest(paymentsHouse);

const COMPLETED = "checkout.session.completed";

function order(amount = "12.50", accountId = "acct_a"): Promise<Order> {
  return house.payments.orders.create(accountId, { provider: "stripe", amount });
}

async function deliver(type: string, object: unknown) {
  const { body, signature } = await house.stripe.event(type, object);
  return house.payments.notices.stripe(body, signature);
}

/** Refused with a 400, said in the log, and nothing changed. */
async function expectRefused(work: Promise<unknown>, ofOrder: Order): Promise<void> {
  const before = house.ledger.entries.length;
  const refusal = await faultOf(work);
  expect(refusal.status).toBe(400);
  expect(house.logged("payment_notice_refused")).toHaveLength(1);
  expect(house.ledger.entries).toHaveLength(before);
  expect((await house.store.orders.find(ofOrder.id))?.status).toBe(ofOrder.status);
}

describe("an order by Stripe", () => {
  test("leads to a checkout of its amount and is credited once it is paid", async () => {
    const made = await order();
    expect(made).toMatchObject({ status: "created", currency: "usd", minor: 1250n });
    expect(made.checkoutUrl).toStartWith("https://checkout.invalid/");
    expect(house.stripe.sessions[0]).toMatchObject({
      amount_total: 1250,
      client_reference_id: made.id,
      metadata: { order: made.id, account: "acct_a" },
    });
    expect(await deliver(COMPLETED, house.stripe.paidSession(made.reference))).toBe("credited");
    expect(house.ledger.left("acct_a")).toBe((125n * USD) / 10n);
    const paid = await house.payments.orders.find("acct_a", made.id);
    expect(paid).toMatchObject({ status: "paid", payment: `pi_of_${made.reference}` });
    expect(paid.paidAtMs).not.toBeNull();
  });

  test("is failed when Stripe does not take it", async () => {
    house.stripe.failNext("POST /v1/checkout/sessions", "down");
    expect((await faultOf(order())).status).toBe(503);
    const [failed] = await house.payments.orders.list("acct_a", undefined, 10);
    expect(failed?.status).toBe("failed");
  });

  test.each([
    ["0.99", "At least 1.00 USD."],
    ["10000.01", "At most 10000.00 USD."],
    ["5.001", "The amount must be in whole cents."],
    ["123456789.12", "At most 10000.00 USD."],
    ["-5", 'Write the amount in dollars, such as "12.50".'],
    ["1e3", 'Write the amount in dollars, such as "12.50".'],
  ])("of %p dollars is refused at the field", async (amount, message) => {
    expect(await faultOf(order(amount))).toMatchObject({ message, param: "amount", status: 400 });
    expect(await house.payments.orders.list("acct_a", undefined, 10)).toEqual([]);
  });

  test("is not there for another account", async () => {
    const made = await order();
    const refusal = await faultOf(house.payments.orders.find("acct_b", made.id));
    expect(refusal.status).toBe(404);
  });

  test("is paid by money that comes after it had expired", async () => {
    const made = await order();
    house.settings.clockMs = 8 * 24 * 3_600_000;
    await house.payments.reconcile();
    expect((await house.store.orders.find(made.id))?.status).toBe("expired");
    expect(await deliver(COMPLETED, house.stripe.paidSession(made.reference))).toBe("credited");
    expect((await house.store.orders.find(made.id))?.status).toBe("paid");
  });
});

describe("a webhook is refused", () => {
  test("when another secret signed it", async () => {
    const made = await order();
    const object = house.stripe.paidSession(made.reference);
    const { body, signature } = await house.stripe.event(COMPLETED, object, { secret: "whsec_x" });
    await expectRefused(house.payments.notices.stripe(body, signature), made);
  });

  test("when its body was changed", async () => {
    const made = await order();
    const { body, signature } = await house.stripe.event(COMPLETED, {
      ...house.stripe.paidSession(made.reference),
      amount_total: 1,
    });
    const changed = body.replace('"amount_total":1,', '"amount_total":1250,');
    expect(changed).not.toBe(body);
    await expectRefused(house.payments.notices.stripe(changed, signature), made);
  });

  test("when it is not signed at all", async () => {
    const made = await order();
    const { body } = await house.stripe.event(COMPLETED, house.stripe.paidSession(made.reference));
    await expectRefused(house.payments.notices.stripe(body, null), made);
  });

  test("when it was signed too long ago", async () => {
    const made = await order();
    const object = house.stripe.paidSession(made.reference);
    const { body, signature } = await house.stripe.event(COMPLETED, object, { ageS: 3600 });
    await expectRefused(house.payments.notices.stripe(body, signature), made);
  });

  test("when it is a replay of the one that was credited", async () => {
    const made = await order();
    const object = house.stripe.paidSession(made.reference);
    const { body, signature } = await house.stripe.event(COMPLETED, object);
    expect(await house.payments.notices.stripe(body, signature)).toBe("credited");
    await expectRefused(house.payments.notices.stripe(body, signature), {
      ...made,
      status: "paid",
    });
  });

  test.each([
    ["a lower amount", { amount_total: 100 }],
    ["a higher amount", { amount_total: 125_000 }],
    ["another currency", { currency: "jpy" }],
    ["nothing to pay", { payment_status: "no_payment_required" }],
    ["another session", { id: "cs_of_somebody" }],
    ["another reference", { client_reference_id: "ord_else" }],
    ["no payment", { payment_intent: null }],
    ["another account", { metadata: { order: "", account: "acct_b" } }],
  ])("when it has %s", async (_what, wrong) => {
    const made = await order();
    const session = house.stripe.paidSession(made.reference);
    const metadata = {
      order: made.id,
      account: "acct_a",
      ...("metadata" in wrong ? { account: "acct_b" } : {}),
    };
    await expectRefused(deliver(COMPLETED, { ...session, ...wrong, metadata }), made);
  });

  test("when it names the order of somebody else", async () => {
    const mine = await order("1.00");
    const theirs = await order("100.00", "acct_b");
    const session = house.stripe.paidSession(mine.reference);
    const metadata = { order: theirs.id, account: "acct_b" };
    await expectRefused(
      deliver(COMPLETED, { ...session, metadata, client_reference_id: theirs.id }),
      theirs,
    );
  });

  test("when it names an order of another provider", async () => {
    const epay = await house.payments.orders.create("acct_a", { provider: "epay", amount: "5" });
    const stripe = await order("5");
    const session = house.stripe.paidSession(stripe.reference);
    const metadata = { order: epay.id, account: "acct_a" };
    await expectRefused(
      deliver(COMPLETED, { ...session, metadata, client_reference_id: epay.id }),
      epay,
    );
  });

  test("when one payment is said to pay a second order", async () => {
    const first = await order("5");
    const second = await order("5");
    const paid = house.stripe.paidSession(first.reference);
    await deliver(COMPLETED, paid);
    const again = house.stripe.paidSession(second.reference);
    await expectRefused(
      deliver(COMPLETED, { ...again, payment_intent: paid.payment_intent }),
      second,
    );
  });

  test("when a paid order is said to be paid by another payment", async () => {
    const made = await order("5");
    const paid = house.stripe.paidSession(made.reference);
    await deliver(COMPLETED, paid);
    const again = deliver(COMPLETED, { ...paid, payment_intent: "pi_other" });
    await expectRefused(again, { ...made, status: "paid" });
  });
});

describe("a webhook that only reports", () => {
  test("is taken when Stripe sends it again, and credits nothing", async () => {
    const made = await order();
    const object = house.stripe.paidSession(made.reference);
    const { body, signature } = await house.stripe.event(COMPLETED, object);
    expect(await house.payments.notices.stripe(body, signature)).toBe("credited");
    const resigned = await house.stripe.sign(body, { ageS: 30 });
    expect(resigned).not.toBe(signature);
    expect(await house.payments.notices.stripe(body, resigned)).toBe("already");
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
  });

  test("waits for the money of a slow means of payment", async () => {
    const made = await order();
    const paid = house.stripe.paidSession(made.reference);
    expect(await deliver(COMPLETED, { ...paid, payment_status: "unpaid" })).toBe("noted");
    expect(house.ledger.entries).toEqual([]);
    const later = "checkout.session.async_payment_succeeded";
    expect(await deliver(later, paid)).toBe("credited");
  });

  test.each([
    ["checkout.session.expired", "expired"],
    ["checkout.session.async_payment_failed", "failed"],
  ] as const)("%s closes the order as %s", async (type, status) => {
    const made = await order();
    const session = { ...house.stripe.paidSession(made.reference), payment_status: "unpaid" };
    expect(await deliver(type, session)).toBe("noted");
    expect((await house.store.orders.find(made.id))?.status).toBe(status);
  });

  test("is ignored when it belongs to another use of the Stripe account", async () => {
    expect(await deliver("invoice.paid", { id: "in_1" })).toBe("ignored");
    const stranger = { id: "cs_x", mode: "payment", metadata: {}, payment_status: "paid" };
    expect(await deliver(COMPLETED, stranger)).toBe("ignored");
  });
});

describe("a crash", () => {
  const crashes = [
    ["before the credit", "before"],
    ["between the credit and the order", "after"],
  ] as const;

  test.each(crashes)("%s is healed by the next delivery, once", async (_where, when) => {
    const made = await order();
    const object = house.stripe.paidSession(made.reference);
    house.ledger.failNext(when);
    expect((await failureOf(deliver(COMPLETED, object))).message).toBe(`lost ${when}`);
    expect((await house.store.orders.find(made.id))?.status).toBe("created");
    const outcome = await deliver(COMPLETED, object);
    expect(outcome).toBe(when === "before" ? "credited" : "already");
    expect(house.ledger.left("acct_a")).toBe((125n * USD) / 10n);
    expect((await house.store.orders.find(made.id))?.status).toBe("paid");
  });

  test.each(crashes)("%s is healed at the next start, once", async (_where, when) => {
    const made = await order();
    house.ledger.failNext(when);
    await failureOf(deliver(COMPLETED, house.stripe.paidSession(made.reference)));
    const restarted = await house.second();
    await restarted.reconcile();
    await restarted.reconcile();
    expect(house.ledger.left("acct_a")).toBe((125n * USD) / 10n);
    expect((await house.store.orders.find(made.id))?.status).toBe("paid");
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
  });

  test("leaves no order behind because another one cannot be credited", async () => {
    const [lost, good] = [await order(), await order()];
    for (const made of [lost, good]) {
      house.ledger.failNext("before");
      await failureOf(deliver(COMPLETED, house.stripe.paidSession(made.reference)));
    }
    house.ledger.failNext("before");
    await house.payments.reconcile();
    const statuses = [lost, good].map(
      async ({ id }) => (await house.store.orders.find(id))?.status,
    );
    expect((await Promise.all(statuses)).sort()).toEqual(["created", "paid"]);
    expect(house.logged("payment_not_taken_up")).toHaveLength(1);
  });

  test("of nothing: deliveries at the same instant to two instances credit once", async () => {
    const made = await order();
    const object = house.stripe.paidSession(made.reference);
    const other = await house.second();
    const events = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((ageS) => house.stripe.event(COMPLETED, object, { ageS })),
    );
    const outcomes = await Promise.all(
      events.map(({ body, signature }, index) =>
        (index % 2 === 0 ? house.payments : other).notices.stripe(body, signature),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "credited")).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe((125n * USD) / 10n);
  });
});
