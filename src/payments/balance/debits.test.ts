// Two processes at one debit, of which one finds too little and the other dies before it says what it has taken.
import { describe, expect, spyOn, test } from "bun:test";
import { failureOf } from "../../../test/store/samples.ts";
import { perTest } from "../../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../../test/support/payments/house.ts";
import type { Order } from "../order.ts";

const house = perTest(paymentsHouse);

const ACCOUNT = "acct_a";
const DISPUTE = "dp_1";

async function notify(type: string, object: unknown, to = house.payments) {
  const { body, signature } = await house.stripe.event(type, object);
  return to.notices.stripe(body, signature);
}

async function paid(): Promise<Order> {
  const order = await house.payments.orders.create(ACCOUNT, { provider: "stripe", amount: "10" });
  await notify("checkout.session.completed", house.stripe.paidSession(order.reference));
  return house.payments.orders.find(ACCOUNT, order.id);
}

/** So much of the balance is not there while the work is done. */
async function without(amount: bigint, work: () => Promise<unknown>): Promise<void> {
  house.ledger.hold(ACCOUNT, amount);
  await work();
  house.ledger.hold(ACCOUNT, -amount);
}

/** The money is there again, and somebody else's debit is the last that they do. */
async function topUpAndDie(work: () => Promise<unknown>, held: bigint): Promise<void> {
  house.ledger.hold(ACCOUNT, -held);
  house.ledger.failNext("after");
  await work().catch(() => {});
}

async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await (await house.second()).reconcile();
}

describe("a refund", () => {
  /** Set aside by a process that died before its debit. */
  async function leftReserved(): Promise<void> {
    await paid();
    house.ledger.failNext("before");
    await failureOf(house.payments.refunds.request(ACCOUNT, undefined));
  }

  const made = async () => (await house.payments.refunds.list(ACCOUNT))[0];

  test("that one gives up is not, where another had debited it before", async () => {
    await leftReserved();
    const other = await house.second();
    house.ledger.meanwhile(async () => house.ledger.hold(ACCOUNT, 10n * USD));
    house.ledger.afterwards(() => topUpAndDie(() => other.reconcile(), 10n * USD));
    await house.payments.reconcile();
    await settle();
    expect(await made()).toMatchObject({ status: "done" });
    expect(house.stripe.refunds).toHaveLength(1);
    expect(house.ledger.left(ACCOUNT)).toBe(0n);
  });

  test("that was given up is debited by nobody, whoever was about to", async () => {
    const order = await paid();
    const other = await house.second();
    house.ledger.meanwhile(async () => {
      await without(10n * USD, () => other.reconcile());
      house.ledger.failNext("after");
    });
    await house.payments.refunds.request(ACCOUNT, undefined).catch(() => {});
    await settle();
    expect(await made()).toMatchObject({ status: "failed", failure: "The balance was used." });
    expect(house.stripe.refunds).toEqual([]);
    expect(house.ledger.left(ACCOUNT)).toBe(10n * USD);
    expect((await house.store.orders.find(order.id))?.refunded).toBe(0n);
  });

  test("that was given up by one who died before saying so is not sent without its debit", async () => {
    await leftReserved();
    await without(10n * USD, async () => {
      house.ledger.failNext("after");
      await house.payments.reconcile();
    });
    await settle();
    expect(await made()).toMatchObject({ status: "failed" });
    expect(house.stripe.refunds).toEqual([]);
    expect(house.ledger.left(ACCOUNT)).toBe(10n * USD);
  });
});

describe("a dispute", () => {
  const disputeOf = ({ payment, minor }: Order, status: string) => ({
    ...{ id: DISPUTE, object: "dispute", amount: Number(minor), currency: "usd", status },
    payment_intent: payment,
  });
  const begin = (order: Order, to = house.payments) =>
    notify("charge.dispute.created", disputeOf(order, "needs_response"), to);

  async function expectAllBack(order: Order): Promise<void> {
    await settle();
    await notify("charge.dispute.closed", disputeOf(order, "won"));
    expect(house.ledger.left(ACCOUNT)).toBe(10n * USD);
  }

  /** One is about to take all of it when another finds so much held; then that is over, and the first dies after its debit. */
  async function takeMeanwhile(order: Order, held: bigint): Promise<void> {
    house.ledger.meanwhile(async () => {
      await without(held, () => begin(order).catch(() => {}));
      house.ledger.failNext("after");
    });
    await begin(order, await house.second()).catch(() => {});
  }

  test("gives back what one took who died, though another had planned less and died too", async () => {
    const order = await paid();
    house.ledger.afterwards(async () => house.ledger.failNext("before"));
    await takeMeanwhile(order, 4n * USD);
    expect(house.ledger.left(ACCOUNT)).toBe(0n);
    await expectAllBack(order);
  });

  test("that found nothing takes nothing later", async () => {
    const order = await paid();
    await takeMeanwhile(order, 10n * USD);
    await expectAllBack(order);
    expect(house.ledger.kinds(ACCOUNT)).toEqual(["topup"]);
  });

  test("gives back what one took who died, where another finds nothing left at last", async () => {
    const order = await paid();
    const other = await house.second();
    house.ledger.hold(ACCOUNT, 10n * USD);
    house.ledger.afterwards(() => topUpAndDie(() => begin(order, other), 10n * USD));
    await begin(order);
    await expectAllBack(order);
  });

  test("gives back what was taken, though another plans less after that", async () => {
    const order = await paid();
    const other = await house.second();
    const plan = house.store.disputes.plan.bind(house.store.disputes);
    house.ledger.hold(ACCOUNT, 4n * USD);
    spyOn(house.store.disputes, "plan").mockImplementationOnce(async (...less) => {
      house.ledger.hold(ACCOUNT, -4n * USD);
      // Nobody is told before the plan is another one.
      house.lost.tell = 1;
      await failureOf(begin(order, other));
      return plan(...less);
    });
    await begin(order);
    await expectAllBack(order);
  });

  test("is not said to have taken less by one who says late what they took", async () => {
    const order = await paid();
    house.stripe.failNext("POST /v1/refunds", "pending");
    await house.payments.refunds.request(ACCOUNT, "4");
    const failed = { ...house.stripe.refunds[0], status: "failed" };
    const other = await house.second();
    // The first debit finds too little. After the second, another takes the dispute up and comes to its end.
    house.ledger.afterwards(async () =>
      house.ledger.afterwards(async () => {
        await begin(order, other);
        await notify("refund.failed", failed);
      }),
    );
    await begin(order);
    expect(await house.store.disputes.find(DISPUTE)).toMatchObject({ taken: 10n * USD });
    await expectAllBack(order);
  });
});

describe("a reversal of test credit", () => {
  const reverse = (payments = house.payments) => payments.testPayments.reverseTestCredit();

  /** Play money and as much that was paid, and no play money any more. */
  async function leftOver(): Promise<void> {
    await paid();
    const { orders, testPayments } = house.payments;
    const play = await orders.create(ACCOUNT, { provider: "test", amount: "10" });
    await testPayments.pay(ACCOUNT, play.id);
    house.settings.testAllowed = false;
  }

  async function expectOnlyPaid(): Promise<void> {
    await settle();
    for (let i = 0; i < 2; i++) await reverse();
    expect(house.ledger.left(ACCOUNT)).toBe(10n * USD);
    expect(await house.payments.testCredit(ACCOUNT)).toBe(0n);
  }

  test("counts once where one gives it up and another has debited it and died", async () => {
    await leftOver();
    const other = await house.second();
    house.ledger.failNext("before");
    await reverse();
    house.ledger.hold(ACCOUNT, 20n * USD);
    house.ledger.afterwards(() => topUpAndDie(() => reverse(other), 20n * USD));
    await reverse();
    await expectOnlyPaid();
  });

  test("that was given up is debited by nobody, whoever was about to", async () => {
    await leftOver();
    const other = await house.second();
    house.ledger.meanwhile(async () => {
      await without(20n * USD, () => reverse(other));
      house.ledger.failNext("after");
    });
    await reverse();
    await expectOnlyPaid();
  });
});
