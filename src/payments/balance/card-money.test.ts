// What of a balance was paid by card, where other credit has come beside it.
import { describe, expect, test } from "bun:test";
import { failureOf } from "../../../test/store/samples.ts";
import { faultOf } from "../../../test/support/errors.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../../test/support/payments/house.ts";
import type { Order } from "../order.ts";

const house = perTest(paymentsHouse);

async function notify(type: string, object: unknown) {
  const { body, signature } = await house.stripe.event(type, object);
  return house.payments.notices.stripe(body, signature);
}

async function paid(amount: string): Promise<Order> {
  const order = await house.payments.orders.create("acct_a", { provider: "stripe", amount });
  await notify("checkout.session.completed", house.stripe.paidSession(order.reference));
  return house.payments.orders.find("acct_a", order.id);
}

const ANN = { userId: "usr_ann", name: "ann@example.org", operator: false };

async function redeem(amount: string): Promise<void> {
  const form = { count: 1, amount, expiresAtMs: null, note: "" };
  const { codes } = await house.payments.codes.createBatch(form);
  await house.payments.codes.redeem("acct_a", codes[0] ?? "", "1.2.3.4", ANN);
}

const use = (usd: bigint) => house.ledger.charge("acct_a", usd * USD);
const refund = (amount?: string) => house.payments.refunds.request("acct_a", amount);
const refundable = async () => (await house.payments.refunds.refundable("acct_a")) / USD;
const byHand = (usd: bigint) =>
  house.ledger.debit("deb_1", "acct_a", usd * USD, "refund", "by hand");

describe("what goes back to a card", () => {
  test("is not what came by a code after all that was paid is used", async () => {
    await paid("10");
    use(10n);
    await redeem("10");
    expect(await refundable()).toBe(0n);
    expect((await faultOf(refund())).status).toBe(400);
    expect(house.stripe.refunds).toEqual([]);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test("is what was paid last where what came before it is used first", async () => {
    await redeem("10");
    await paid("10");
    use(10n);
    expect(await refundable()).toBe(10n);
    use(3n);
    expect(await refundable()).toBe(7n);
  });

  test("is all that was paid where test credit covers what running requests hold", async () => {
    await paid("10");
    const { orders, testPayments } = house.payments;
    const play = await orders.create("acct_a", { provider: "test", amount: "10" });
    await testPayments.pay("acct_a", play.id);
    house.ledger.hold("acct_a", 5n * USD);
    expect(await refundable()).toBe(10n);
    house.ledger.hold("acct_a", 8n * USD);
    expect(await refundable()).toBe(7n);
    house.ledger.hold("acct_a", -8n * USD);
    expect((await refund()).refunds).toMatchObject([{ amount: 10n * USD, status: "done" }]);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    expect(await refundable()).toBe(0n);
  });

  test("is no play money, though a request is settled between any two looks at the balance", async () => {
    await paid("10");
    use(4n);
    const { orders, testPayments } = house.payments;
    const play = await orders.create("acct_a", { provider: "test", amount: "10" });
    await testPayments.pay("acct_a", play.id);
    house.ledger.hold("acct_a", 6n * USD);
    house.ledger.settleAfterLooks(USD);
    expect(await refundable()).toBe(6n);
    expect((await refund()).refunds).toMatchObject([{ amount: 6n * USD, status: "done" }]);
  });

  test("comes from the orders that are not used, each to its own card", async () => {
    await paid("10");
    await redeem("10");
    const last = await paid("10");
    use(12n);
    const { refunds } = await refund();
    expect(refunds.map(({ orderId, amount }) => [orderId, amount])).toEqual([[last.id, 10n * USD]]);
    expect(await refundable()).toBe(0n);
    expect(house.ledger.left("acct_a")).toBe(8n * USD);
  });

  test("does not grow by refunds that were made of it", async () => {
    await paid("10");
    await redeem("10");
    use(4n);
    await refund("5");
    expect(await refundable()).toBe(1n);
    await refund();
    expect(await refundable()).toBe(0n);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["that stands before it", async () => [await paid("10"), await redeem("10"), await paid("10")]],
    ["that came after it", async () => [await paid("20"), await redeem("10")]],
  ])("is not paid out of a code %s by two requests at once", async (_where, come) => {
    await come();
    use(10n);
    const other = await house.second();
    // The first has set the amount aside in its order; the balance still has it.
    let atOnce: Promise<unknown> | undefined;
    house.ledger.meanwhile(async () => {
      atOnce = faultOf(other.refunds.request("acct_a", undefined));
      await atOnce;
    });
    await refund();
    expect(await atOnce).toMatchObject({ status: 400 });
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test("stays though a credit by hand that was too much is taken back", async () => {
    await paid("10");
    await redeem("50");
    await byHand(50n);
    expect(await refundable()).toBe(10n);
  });

  test("is less where more went back by hand than came so", async () => {
    await paid("10");
    await redeem("5");
    await byHand(9n);
    expect(await refundable()).toBe(6n);
  });

  test("comes back with a refund that did not happen", async () => {
    await paid("10");
    await redeem("10");
    await refund();
    expect(await refundable()).toBe(0n);
    await notify("refund.failed", { ...house.stripe.refunds[0], status: "failed" });
    expect(await refundable()).toBe(10n);
  });

  test("comes back with a dispute that is won", async () => {
    const { payment } = await paid("10");
    await redeem("10");
    const dispute = { id: "dp_1", amount: 1000, currency: "usd", payment_intent: payment };
    await notify("charge.dispute.created", { ...dispute, status: "needs_response" });
    expect(await refundable()).toBe(0n);
    await notify("charge.dispute.closed", { ...dispute, status: "won" });
    expect(await refundable()).toBe(10n);
  });

  test("includes use that was given back", async () => {
    await paid("10");
    await redeem("10");
    use(4n);
    const credit = { id: "late_req_1", accountId: "acct_a", note: "", createdAtMs: 0 };
    await house.ledger.credit({ ...credit, amount: 4n * USD, kind: "restore" });
    expect(await refundable()).toBe(10n);
  });

  test("is found behind a long history", async () => {
    await paid("10");
    for (let i = 0; i < 1_100; i++) {
      const credit = { id: `gift_${i}`, accountId: "acct_a", note: "", createdAtMs: 0 };
      await house.ledger.credit({ ...credit, amount: 1n * USD, kind: "topup" });
    }
    expect(await refundable()).toBe(10n);
    use(4n);
    expect(await refundable()).toBe(6n);
  });
});

describe("a refund that is on its way", () => {
  const statuses = async () =>
    (await house.payments.refunds.list("acct_a")).map(({ status, failure }) => [status, failure]);
  const USED = ["failed", "The balance was used."];

  /** All that was paid by card is used, and a code came in its place. */
  async function useAndRedeem(usd: bigint): Promise<void> {
    use(usd);
    await redeem(`${usd}`);
  }

  /** Set aside by a process that ended before its debit. */
  async function leftReserved(): Promise<Order> {
    const order = await paid("50");
    house.ledger.failNext("before");
    await failureOf(refund());
    return order;
  }

  async function expectNothingPaid(): Promise<void> {
    expect(await statuses()).toEqual([USED]);
    expect(house.stripe.refunds).toEqual([]);
    expect(house.ledger.left("acct_a")).toBe(50n * USD);
  }

  test("takes no code that came in place of an older order while Stripe paid the newer one", async () => {
    await paid("50");
    await paid("50");
    house.stripe.meanwhile("POST /v1/refunds", () => useAndRedeem(50n));
    const { refunds } = await refund();
    expect(refunds.map(({ status }) => status)).toEqual(["done", "failed"]);
    expect(await statuses()).toContainEqual(USED);
    expect(house.stripe.refunds.map(({ amount }) => amount)).toEqual([5_000]);
    expect(house.ledger.left("acct_a")).toBe(50n * USD);
  });

  test("takes no code that came before it was taken up again", async () => {
    const order = await leftReserved();
    await useAndRedeem(50n);
    expect(await refundable()).toBe(0n);
    await house.payments.reconcile();
    await expectNothingPaid();
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "topup"]);
    expect((await house.store.orders.find(order.id))?.refunded).toBe(0n);
  });

  test("goes on where a code came and what was paid by card is still there", async () => {
    await leftReserved();
    await redeem("50");
    await house.payments.reconcile();
    expect(await statuses()).toEqual([["done", null]]);
    expect(house.stripe.refunds).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe(50n * USD);
  });

  test("gives a code back that came at the moment of its debit", async () => {
    const order = await paid("50");
    house.ledger.meanwhile(() => useAndRedeem(50n));
    await refund();
    await expectNothingPaid();
    expect((await house.store.orders.find(order.id))?.refunded).toBe(0n);
  });

  test.each(["before", "after"] as const)(
    "gives a code back though the process ends %s the entry by which it does",
    async (when) => {
      await paid("50");
      house.ledger.meanwhile(() => useAndRedeem(50n));
      house.ledger.afterwards(async () => house.ledger.failNext(when));
      await failureOf(refund());
      await (await house.second()).reconcile();
      await expectNothingPaid();
    },
  );

  test("is paid where its process ended after the debit, and nothing was used since", async () => {
    await paid("50");
    await redeem("50");
    house.ledger.failNext("after");
    await failureOf(refund());
    await house.payments.reconcile();
    expect(await statuses()).toEqual([["done", null]]);
    expect(house.ledger.left("acct_a")).toBe(50n * USD);
  });

  test("is not paid beside a dispute that took the same payment", async () => {
    const { payment } = await leftReserved();
    const dispute = { id: "dp_1", amount: 5000, currency: "usd", payment_intent: payment };
    await notify("charge.dispute.created", { ...dispute, status: "needs_response" });
    await redeem("50");
    await house.payments.reconcile();
    await expectNothingPaid();
  });
});
