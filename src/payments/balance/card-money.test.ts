// What of a balance was paid by card, where other credit has come beside it.
import { describe, expect, test } from "bun:test";
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
  const wish = { count: 1, amount, expiresAtMs: null, note: "" };
  const { codes } = await house.payments.codes.createBatch(wish);
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
