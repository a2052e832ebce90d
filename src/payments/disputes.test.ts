// Payments that a payer's bank asks back.
import { describe, expect, spyOn, test } from "bun:test";
import { failureOf } from "../../test/store/samples.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perTest } from "../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../test/support/payments/house.ts";
import type { Order } from "./order.ts";

const house = perTest(paymentsHouse);

async function notify(type: string, object: unknown, to = house.payments) {
  const { body, signature } = await house.stripe.event(type, object);
  return to.notices.stripe(body, signature);
}

async function paidOrder(amount = "10"): Promise<Order> {
  const made = await house.payments.orders.create("acct_a", { provider: "stripe", amount });
  await notify("checkout.session.completed", house.stripe.paidSession(made.reference));
  return house.payments.orders.find("acct_a", made.id);
}

/** As Stripe tells of it, of the whole payment unless something else is said. */
function disputeOf({ payment, minor }: Order, changes: Record<string, unknown> = {}) {
  return {
    id: "dp_1",
    object: "dispute",
    amount: Number(minor),
    currency: "usd",
    payment_intent: payment,
    charge: "ch_1",
    reason: "fraudulent",
    status: "needs_response",
    ...changes,
  };
}

const created = "charge.dispute.created";
const withdrawn = "charge.dispute.funds_withdrawn";
const reinstated = "charge.dispute.funds_reinstated";
const closed = "charge.dispute.closed";

describe("a disputed payment", () => {
  test("is taken out of the balance once, written down and told", async () => {
    const order = await paidOrder();
    for (const type of [created, withdrawn, "charge.dispute.updated"]) {
      expect(await notify(type, disputeOf(order))).toBe("noted");
    }
    expect(await notify(closed, disputeOf(order, { status: "lost" }))).toBe("noted");
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund"]);
    expect(house.ledger.entries.at(-1)).toMatchObject({ id: "dp_1", amount: -10n * USD });
    expect(house.ledger.left("acct_a")).toBe(0n);
    expect(house.audited).toMatchObject([
      {
        principal: { name: "Stripe" },
        accountId: "acct_a",
        action: "dispute.open",
        target: "dp_1",
        detail: { order: order.id, amount: "10.0", taken: "10.0" },
      },
    ]);
    expect(house.told).toMatchObject([{ kind: "payment_disputed", account: "acct_a" }]);
  });

  test("takes what is left where a part was used or is held, and never more", async () => {
    const order = await paidOrder();
    house.ledger.charge("acct_a", 3n * USD);
    house.ledger.hold("acct_a", 2n * USD);
    await notify(created, disputeOf(order));
    expect(house.ledger.entries.at(-1)).toMatchObject({ amount: -5n * USD });
    expect(house.audited[0]?.detail).toMatchObject({ amount: "10.0", taken: "5.0" });
  });

  test("takes nothing where nothing is left, and says so", async () => {
    const order = await paidOrder();
    house.ledger.charge("acct_a", 12n * USD);
    await notify(created, disputeOf(order));
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
    expect(house.audited[0]?.detail).toMatchObject({ taken: "0.0" });
    expect(await notify(closed, disputeOf(order, { status: "won" }))).toBe("noted");
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
  });

  test("takes no more than the disputed part, nor more than the order", async () => {
    const order = await paidOrder();
    await paidOrder("50");
    await notify(created, disputeOf(order, { amount: 400 }));
    expect(house.ledger.left("acct_a")).toBe(56n * USD);
    await notify(created, disputeOf(order, { id: "dp_2", amount: 99_999 }));
    expect(house.ledger.left("acct_a")).toBe(46n * USD);
  });

  test("takes a smaller part when the balance is used meanwhile", async () => {
    const order = await paidOrder();
    const { debit } = house.ledger;
    let raced = false;
    house.ledger.debit = async (...move) => {
      if (!raced) house.ledger.charge("acct_a", 4n * USD);
      raced = true;
      return debit.apply(house.ledger, move);
    };
    await notify(created, disputeOf(order));
    expect(house.ledger.left("acct_a")).toBe(0n);
    expect(await house.store.disputes.find("dp_1")).toMatchObject({ taken: 6n * USD });
  });

  test("gives back what was taken, though another notice had planned less meanwhile", async () => {
    const order = await paidOrder();
    const { debit } = house.ledger;
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let calls = 0;
    house.ledger.debit = async (...move) => {
      calls++;
      if (calls === 1) {
        asked.resolve();
        await goOn.promise;
      } else if (calls === 2) house.ledger.hold("acct_a", 1n * USD);
      else {
        // Less is planned by now; what is held ends, and the notice that came first takes all that it wanted.
        house.ledger.hold("acct_a", -1n * USD);
        goOn.resolve();
        await first;
      }
      return debit.apply(house.ledger, move);
    };
    const first = notify(created, disputeOf(order), await house.second());
    await asked.promise;
    await notify(withdrawn, disputeOf(order));
    expect(house.ledger.left("acct_a")).toBe(0n);
    await notify(closed, disputeOf(order, { status: "won" }));
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test("comes back when the dispute is won, once", async () => {
    const order = await paidOrder();
    house.ledger.charge("acct_a", 4n * USD);
    await notify(created, disputeOf(order));
    const won = disputeOf(order, { status: "won" });
    for (const type of [closed, reinstated, closed]) await notify(type, won);
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund", "restore"]);
    expect(house.ledger.left("acct_a")).toBe(6n * USD);
    expect(house.audited.map(({ action }) => action)).toEqual(["dispute.open", "dispute.won"]);
  });

  test("that was won before its beginning was heard of takes nothing", async () => {
    const order = await paidOrder();
    await notify(reinstated, disputeOf(order, { status: "won" }));
    await notify(created, disputeOf(order));
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
  });

  test.each(["warning_needs_response", "warning_closed", "prevented"])(
    "that is only %s takes nothing",
    async (status) => {
      const order = await paidOrder();
      expect(await notify(created, disputeOf(order, { status }))).toBe("noted");
      expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
      // It can become a real one.
      await notify(withdrawn, disputeOf(order));
      expect(house.ledger.left("acct_a")).toBe(0n);
    },
  );

  test("cannot be refunded as well, until the dispute is won", async () => {
    const order = await paidOrder();
    await notify(created, disputeOf(order, { amount: 100 }));
    expect(await house.payments.refunds.refundable("acct_a")).toBe(0n);
    expect((await faultOf(house.payments.refunds.request("acct_a", "1"))).status).toBe(400);
    await notify(closed, disputeOf(order, { amount: 100, status: "won" }));
    expect(await house.payments.refunds.refundable("acct_a")).toBe(10n * USD);
  });

  /** The dispute comes while Stripe is asked for a refund of the same payment, which it refuses. */
  async function refundMeanwhile(order: Order): Promise<void> {
    house.stripe.failNext("POST /v1/refunds", "refused");
    house.stripe.meanwhile("POST /v1/refunds", () => notify(created, disputeOf(order)));
    await house.payments.refunds.request("acct_a", undefined);
  }

  test("takes what a refund on its way does not, and gives all back when it is won", async () => {
    const order = await paidOrder();
    await refundMeanwhile(order);
    expect(house.ledger.left("acct_a")).toBe(0n);
    expect((await house.store.refunds.list("acct_a", 1))[0]?.status).toBe("failed");
    await house.payments.reconcile();
    expect(house.ledger.left("acct_a")).toBe(0n);
    await notify(closed, disputeOf(order, { status: "won" }));
    await house.payments.reconcile();
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  /** A refund that Stripe has not ended yet, as it tells later that it failed. */
  async function pendingRefund() {
    house.stripe.failNext("POST /v1/refunds", "pending");
    await house.payments.refunds.request("acct_a", undefined);
    return { ...house.stripe.refunds[0], status: "failed" };
  }

  async function expectTakenAndWon(order: Order): Promise<void> {
    for (let i = 0; i < 2; i++) await house.payments.reconcile();
    expect(house.ledger.left("acct_a")).toBe(0n);
    const taken = { taken: 10n * USD, status: "taken" };
    expect(await house.store.disputes.find("dp_1")).toMatchObject(taken);
    await notify(closed, disputeOf(order, { status: "won" }));
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  }

  test("waits for a refund that is being put back, and takes it then", async () => {
    const order = await paidOrder();
    const failed = await pendingRefund();
    const credit = house.ledger.credit.bind(house.ledger);
    spyOn(house.ledger, "credit").mockImplementationOnce(async (back) => {
      await notify(created, disputeOf(order));
      return credit(back);
    });
    await notify("refund.failed", failed);
    expect(house.logged("dispute_waits")).toHaveLength(1);
    expect(house.told).toEqual([]);
    await expectTakenAndWon(order);
    expect(house.told).toMatchObject([{ kind: "payment_disputed", taken: 10n * USD }]);
  });

  test("waits for a refund whose return was interrupted, though it is won meanwhile", async () => {
    const order = await paidOrder();
    const failed = await pendingRefund();
    house.ledger.failNext("before");
    await failureOf(notify("refund.failed", failed));
    await notify(created, disputeOf(order));
    const won = notify(closed, disputeOf(order, { status: "won" }));
    expect((await failureOf(won)).message).toContain("not been taken yet");
    await expectTakenAndWon(order);
  });

  test("takes the same whichever of it and the refund's failure is heard of first", async () => {
    const order = await paidOrder();
    const failed = await pendingRefund();
    const both = [notify("refund.failed", failed), notify(created, disputeOf(order))];
    await Promise.allSettled(both);
    await house.payments.reconcile();
    // What was not answered is sent again.
    await notify("refund.failed", failed);
    await expectTakenAndWon(order);
  });

  test("takes no more of a refund on its way than it is short of", async () => {
    const order = await paidOrder();
    const gift = { id: "gift", accountId: "acct_a", amount: 6n * USD, kind: "topup" } as const;
    await house.ledger.credit({ ...gift, note: "", createdAtMs: 0 });
    await refundMeanwhile(order);
    expect(house.ledger.left("acct_a")).toBe(6n * USD);
    await notify(closed, disputeOf(order, { status: "won" }));
    expect(house.ledger.left("acct_a")).toBe(16n * USD);
  });

  async function switchAutoTopUpOn(): Promise<void> {
    const form = { enabled: true, threshold: "5", amount: "20" };
    await house.payments.autoTopUps.change("acct_a", form);
    await notify("checkout.session.completed", house.stripe.sessions.at(-1));
  }

  test("switches auto top-up off", async () => {
    const order = await paidOrder();
    await switchAutoTopUpOn();
    await notify(created, disputeOf(order));
    await house.payments.autoTopUps.run();
    expect(house.stripe.intents).toEqual([]);
    expect(await house.store.autoTopUps.find("acct_a")).toMatchObject({
      enabled: false,
      failure: "A payment was disputed.",
    });
  });

  test("has no card charged for what it takes, though its process ends right behind that", async () => {
    const order = await paidOrder();
    await switchAutoTopUpOn();
    house.ledger.failNext("after");
    await failureOf(notify(created, disputeOf(order)));
    expect(house.ledger.left("acct_a")).toBe(0n);
    await house.payments.autoTopUps.run();
    expect(house.stripe.intents).toEqual([]);
    await house.payments.reconcile();
    expect(house.told).toMatchObject([{ kind: "payment_disputed" }]);
  });

  test("of somebody else is ignored, and one in another currency refused", async () => {
    const order = await paidOrder();
    expect(await notify(created, disputeOf(order, { payment_intent: "pi_else" }))).toBe("ignored");
    const odd = notify(created, disputeOf(order, { currency: "jpy" }));
    expect((await faultOf(odd)).status).toBe(400);
    expect(house.logged("payment_notice_refused")).toHaveLength(1);
    expect(house.ledger.kinds("acct_a")).toEqual(["topup"]);
  });
});

describe("a dispute is taken once", () => {
  test.each(["audit", "tell"] as const)(
    "and written down and told, although it failed to %s at first",
    async (what) => {
      const order = await paidOrder();
      house.lost[what] = 1;
      await failureOf(notify(created, disputeOf(order)));
      for (let i = 0; i < 2; i++) await house.payments.reconcile();
      await notify(withdrawn, disputeOf(order));
      expect(house.audited.map(({ action }) => action)).toEqual(["dispute.open"]);
      expect(house.told).toMatchObject([{ kind: "payment_disputed" }]);
      house.lost.audit = 1;
      await failureOf(notify(closed, disputeOf(order, { status: "won" })));
      for (let i = 0; i < 2; i++) await house.payments.reconcile();
      expect(house.audited.map(({ action }) => action)).toEqual(["dispute.open", "dispute.won"]);
      expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund", "restore"]);
    },
  );

  test("and told once, by notices at the same instant", async () => {
    const order = await paidOrder();
    await Promise.all([created, withdrawn].map((type) => notify(type, disputeOf(order))));
    expect(house.told).toHaveLength(1);
  });

  test("by notices at the same instant to two instances", async () => {
    const order = await paidOrder();
    const other = await house.second();
    await Promise.all(
      [created, withdrawn, created, withdrawn].map((type, index) =>
        notify(type, disputeOf(order), index % 2 ? other : house.payments),
      ),
    );
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund"]);
    expect(house.audited).toHaveLength(1);
  });

  test.each(["before", "after"] as const)("through a crash %s its entry", async (when) => {
    const order = await paidOrder();
    house.ledger.failNext(when);
    await failureOf(notify(created, disputeOf(order)));
    await (await house.second()).reconcile();
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund"]);
    expect(house.audited).toHaveLength(1);
    house.ledger.failNext(when);
    await failureOf(notify(closed, disputeOf(order, { status: "won" })));
    await house.payments.reconcile();
    await house.payments.reconcile();
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });
});
