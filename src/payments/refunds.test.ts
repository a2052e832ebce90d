import { describe, expect, test } from "bun:test";
import { failureOf } from "../../test/store/samples.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perTest } from "../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../test/support/payments/house.ts";
import type { Order } from "./order.ts";

const house = perTest(paymentsHouse);

const REFUND = "POST /v1/refunds";

async function paid(amount: string): Promise<Order> {
  const { orders, notices } = house.payments;
  const order = await orders.create("acct_a", { provider: "stripe", amount });
  const session = house.stripe.paidSession(order.reference);
  const { body, signature } = await house.stripe.event("checkout.session.completed", session);
  await notices.stripe(body, signature);
  return order;
}

const refund = async (amount?: string, id?: string) =>
  (await house.payments.refunds.request("acct_a", amount, id)).refunds;
const statusOf = async (id: string) => (await house.store.refunds.find(id))?.status;

async function notify(type: string, object: unknown) {
  const { body, signature } = await house.stripe.event(type, object);
  return house.payments.notices.stripe(body, signature);
}

describe("a refund", () => {
  test("gives back what is left of what was paid, in whole cents", async () => {
    const order = await paid("10");
    house.ledger.charge("acct_a", 3_001_000_000n);
    const [made] = await refund();
    expect(made).toMatchObject({ status: "done", amount: 6_990_000_000n, orderId: order.id });
    expect(house.stripe.refunds[0]).toMatchObject({ amount: 699, payment_intent: made?.payment });
    expect(house.ledger.left("acct_a")).toBe(9_000_000n);
    expect((await house.store.orders.find(order.id))?.status).toBe("paid");
  });

  test("of everything marks the order as refunded", async () => {
    const order = await paid("10");
    await refund();
    expect((await house.store.orders.find(order.id))?.status).toBe("refunded");
    expect(await house.payments.refunds.refundable("acct_a")).toBe(0n);
  });

  test("never takes more than was paid by card, however much is in the balance", async () => {
    await paid("10");
    const gift = { id: "gift", accountId: "acct_a", amount: 50n * USD, kind: "topup" } as const;
    await house.ledger.credit({ ...gift, note: "", createdAtMs: 0 });
    expect(await faultOf(refund("10.01"))).toMatchObject({
      param: "amount",
      message: "At most 10.00 USD.",
    });
    await refund();
    expect(house.ledger.left("acct_a")).toBe(50n * USD);
    expect((await faultOf(refund())).status).toBe(400);
    expect(house.stripe.refunds).toHaveLength(1);
  });

  test("never pays for test credit, which nobody has paid", async () => {
    await paid("10");
    house.ledger.charge("acct_a", 10n * USD);
    const { orders, testPayments, refunds } = house.payments;
    const play = await orders.create("acct_a", { provider: "test", amount: "10" });
    await testPayments.pay("acct_a", play.id);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    expect(await refunds.refundable("acct_a")).toBe(0n);
    expect((await faultOf(refund())).status).toBe(400);
    expect(house.stripe.refunds).toEqual([]);
  });

  test("never takes what running requests hold", async () => {
    await paid("10");
    house.ledger.hold("acct_a", 4n * USD);
    const [made] = await refund();
    expect(made?.amount).toBe(6n * USD);
  });

  test("goes through several orders, the newest first", async () => {
    const first = await paid("10");
    const second = await paid("5");
    const refunds = await refund("7");
    expect(refunds.map(({ orderId, amount }) => [orderId, amount])).toEqual([
      [second.id, 5n * USD],
      [first.id, 2n * USD],
    ]);
    expect((await house.store.orders.find(second.id))?.status).toBe("refunded");
    expect((await house.store.orders.find(first.id))?.refunded).toBe(2n * USD);
  });

  test("whose answer was lost is not made again by the request that asks for it again", async () => {
    await paid("10");
    await paid("5");
    const first = await refund("7", "ref_asked");
    expect(first.map(({ amount }) => amount)).toEqual([5n * USD, 2n * USD]);
    expect(await refund("7", "ref_asked")).toEqual(first);
    expect(house.ledger.left("acct_a")).toBe(8n * USD);
    await refund(undefined, "ref_rest");
    // Nothing is left that could go back, and the answer is still the one of before.
    expect(await refund("7", "ref_asked")).toEqual(first);
    expect(house.stripe.refunds).toHaveLength(3);
    const [latest] = await house.payments.refunds.list("acct_a");
    expect(latest?.id).toBe("ref_rest");
  });

  test("is made once by requests of one id that come at once", async () => {
    for (let i = 0; i < 4; i++) await paid("5");
    const other = await house.second();
    const asked = [house.payments, other, house.payments, other];
    await Promise.all(asked.map(({ refunds }) => refunds.request("acct_a", "7", "ref_asked")));
    expect(house.ledger.left("acct_a")).toBe(13n * USD);
    expect(house.stripe.refunds.map(({ amount }) => amount)).toEqual([500, 200]);
  });

  test("asked for many times at once is given once", async () => {
    await paid("10");
    const other = await house.second();
    const answers = await Promise.allSettled(
      [house.payments, other, house.payments, other].map(({ refunds }) =>
        refunds.request("acct_a", undefined),
      ),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(house.stripe.refunds).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test("reduces the balance before Stripe is asked", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "down");
    await refund();
    expect(house.stripe.refunds).toEqual([]);
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund"]);
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  describe("beside an automatic top-up", () => {
    const stored = () => house.store.autoTopUps.find("acct_a");

    async function switchOn(): Promise<void> {
      await paid("10");
      const form = { enabled: true, threshold: "5", amount: "20" };
      await house.payments.autoTopUps.change("acct_a", form);
      await notify("checkout.session.completed", house.stripe.sessions.at(-1));
    }

    test("switches it off where it leaves too little, and the card is not charged again", async () => {
      await switchOn();
      house.ledger.afterwards(() => house.payments.autoTopUps.run());
      await refund(undefined, "ref_asked");
      await house.payments.autoTopUps.run();
      expect(house.stripe.refunds).toMatchObject([{ amount: 1000 }]);
      expect(house.stripe.intents).toEqual([]);
      const failure = "A refund was asked for: ref_asked.";
      expect(await stored()).toMatchObject({ enabled: false, method: "pm_card", failure });
    });

    test("leaves it on where enough is left", async () => {
      await switchOn();
      await refund("5");
      await house.payments.autoTopUps.run();
      expect(house.stripe.intents).toEqual([]);
      expect(await stored()).toMatchObject({ enabled: true, failure: null });
    });

    test("leaves it on where it is taken up again with its amount taken already", async () => {
      await switchOn();
      house.ledger.failNext("after");
      await failureOf(refund("3"));
      expect(house.ledger.left("acct_a")).toBe(7n * USD);
      await (await house.second()).reconcile();
      expect(house.stripe.refunds).toMatchObject([{ amount: 300 }]);
      expect(await stored()).toMatchObject({ enabled: true, failure: null });
    });

    /** One that has switched it off and is under way. */
    async function pending(amount: string): Promise<void> {
      house.stripe.failNext(REFUND, "pending");
      await refund(amount);
      expect(await stored()).toMatchObject({ enabled: false });
    }

    const comesBack = (place = 0) =>
      notify("refund.failed", { ...house.stripe.refunds[place], status: "failed" });

    test("that Stripe refuses leaves it on, once the amount is back", async () => {
      await switchOn();
      house.stripe.failNext(REFUND, "refused");
      house.stripe.meanwhile(REFUND, () => house.payments.autoTopUps.run());
      await refund();
      await house.payments.autoTopUps.run();
      expect(house.stripe.intents).toEqual([]);
      expect(await stored()).toMatchObject({ enabled: true, failure: null });
    });

    test("whose amount is used before it is taken leaves it on", async () => {
      await switchOn();
      house.ledger.meanwhile(async () => house.ledger.hold("acct_a", USD));
      expect(await refund()).toMatchObject([{ status: "failed" }]);
      expect(await stored()).toMatchObject({ enabled: true, failure: null });
    });

    test.each(["before", "after"] as const)(
      "that comes back switches it on, also where the process ended %s the entry",
      async (ended) => {
        await switchOn();
        await pending("10");
        house.ledger.failNext(ended);
        await failureOf(comesBack());
        expect(await stored()).toMatchObject({ enabled: false });
        await (await house.second()).reconcile();
        expect(await stored()).toMatchObject({ enabled: true, failure: null });
      },
    );

    test("that comes back leaves it off where somebody has switched it off since", async () => {
      await switchOn();
      await pending("10");
      await house.payments.autoTopUps.change("acct_a", { enabled: false });
      await comesBack();
      expect(await stored()).toMatchObject({ enabled: false, failure: null });
    });

    test("that comes back leaves it off where a payment was disputed since", async () => {
      await switchOn();
      await pending("10");
      const failure = "A payment was disputed.";
      await house.payments.autoTopUps.suspend("acct_a", failure);
      await comesBack();
      expect(await stored()).toMatchObject({ enabled: false, failure });
    });

    test.each([0, 1])(
      "that comes back leaves it off for another one (%p of both)",
      async (place) => {
        await switchOn();
        await pending("6");
        await pending("2");
        await comesBack(place);
        const failure = "Refunds were asked for.";
        expect(await stored()).toMatchObject({ enabled: false, failure });
      },
    );
  });

  test("that Stripe refuses is put back by an entry", async () => {
    const order = await paid("10");
    house.stripe.failNext(REFUND, "refused");
    const [made] = await refund("4");
    expect(made).toMatchObject({ status: "failed", failure: "Not possible." });
    expect(house.ledger.kinds("acct_a")).toEqual(["topup", "refund", "restore"]);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    expect((await house.store.orders.find(order.id))?.refunded).toBe(0n);
  });

  test("is asked for so many times in an hour and no more", async () => {
    await paid("10");
    for (let i = 0; i < 20; i++) await refund("0.01");
    expect((await faultOf(refund("0.01"))).status).toBe(429);
    expect(house.stripe.refunds).toHaveLength(20);
  });

  test("that Stripe refuses because of our own key says nothing of it", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "forbidden");
    const [made] = await refund();
    expect(made?.status).toBe("failed");
    expect(made?.failure).not.toContain("key");
    expect(house.logged("refund_barred")).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });
});

describe("a refund whose outcome is not known", () => {
  /** One whose process ended around the entry by which it is put back. */
  async function leftReturning(ended: "before" | "after"): Promise<string> {
    await paid("10");
    house.stripe.failNext(REFUND, "pending");
    const [made] = await refund();
    const failed = { ...house.stripe.refunds[0], status: "failed", failure_reason: "lost_card" };
    house.ledger.failNext(ended);
    await failureOf(notify("refund.failed", failed));
    expect(await statusOf(made?.id ?? "")).toBe("returning");
    return made?.id ?? "";
  }

  test("stays pending, and is found at Stripe instead of being sent twice", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "lost");
    const [made] = await refund();
    expect(made?.status).toBe("debited");
    expect(house.ledger.left("acct_a")).toBe(0n);
    await (await house.second()).reconcile();
    expect(await statusOf(made?.id ?? "")).toBe("done");
    expect(house.stripe.refunds).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test("is sent again when Stripe does not know of it", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "down");
    const [made] = await refund();
    await house.payments.reconcile();
    expect(await statusOf(made?.id ?? "")).toBe("done");
    expect(house.stripe.refunds).toHaveLength(1);
  });

  test("because another call runs under its key is not put back", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "key in use");
    const [made] = await refund();
    expect(made?.status).toBe("debited");
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test("is not put back only because Stripe does not let us look", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "lost");
    const [made] = await refund();
    house.stripe.failNext("GET /v1/refunds", "forbidden");
    await house.payments.reconcile();
    expect(await statusOf(made?.id ?? "")).toBe("debited");
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test.each(["before", "after"] as const)(
    "because the process ended %s the entry is taken up again",
    async (when) => {
      await paid("10");
      house.ledger.failNext(when);
      await failureOf(refund());
      await (await house.second()).reconcile();
      expect(house.ledger.left("acct_a")).toBe(0n);
      expect(house.stripe.refunds).toHaveLength(1);
      const [made] = await house.payments.refunds.list("acct_a");
      expect(made?.status).toBe("done");
    },
  );

  test("is not sent once another process has put it back while Stripe took its time", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "down", "down");
    const [one] = await refund("3");
    const [two] = await refund("4");
    const other = await house.second();
    // Whoever looks after the first one has both in its hands, as they were.
    house.stripe.meanwhile("GET /v1/refunds", async () => {
      house.stripe.failNext(REFUND, "forbidden", "forbidden");
      await other.reconcile();
    });
    await house.payments.reconcile();
    expect(await statusOf(one?.id ?? "")).toBe("failed");
    expect(await statusOf(two?.id ?? "")).toBe("failed");
    expect(house.stripe.refunds).toEqual([]);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test("and that is being put back is, also where Stripe is not set any more", async () => {
    const id = await leftReturning("before");
    await (await house.second({ hasStripe: false })).reconcile();
    expect(await statusOf(id)).toBe("failed");
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
  });

  test("because the process ended while it was put back is put back once, and not sent", async () => {
    const id = await leftReturning("after");
    await house.payments.reconcile();
    expect(await statusOf(id)).toBe("failed");
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    expect(house.stripe.refunds).toHaveLength(1);
  });
});

describe("a notice of a refund", () => {
  test("ends one that was pending", async () => {
    await paid("10");
    house.stripe.failNext(REFUND, "pending");
    const [made] = await refund();
    expect(made?.status).toBe("debited");
    const answer = { ...house.stripe.refunds[0], status: "succeeded" };
    expect(await notify("refund.updated", answer)).toBe("noted");
    expect(await statusOf(made?.id ?? "")).toBe("done");
  });

  test("that it came back from the bank restores the balance, once", async () => {
    const order = await paid("10");
    await refund();
    const failed = { ...house.stripe.refunds[0], status: "failed" };
    await notify("refund.failed", failed);
    await notify("refund.failed", failed);
    expect(house.ledger.left("acct_a")).toBe(10n * USD);
    const now = await house.store.orders.find(order.id);
    expect([now?.status, now?.refunded]).toEqual(["paid", 0n]);
  });

  test("that it came back is wanted again while a dispute of its order is about to take", async () => {
    const order = await paid("10");
    const [made] = await refund("4");
    const dispute = { id: "dp_1", accountId: "acct_a", orderId: order.id, createdAtMs: 0 };
    const amount = 6n * USD;
    await house.store.disputes.add({ ...dispute, amount, taken: amount, status: "taking" });
    const failed = { ...house.stripe.refunds[0], status: "failed" };
    expect((await failureOf(notify("refund.failed", failed))).message).toContain("dispute");
    await house.payments.reconcile();
    await notify("refund.failed", failed);
    expect(await statusOf(made?.id ?? "")).toBe("failed");
    expect(house.ledger.left("acct_a")).toBe(4n * USD);
  });

  test.each([
    ["another payment", { payment_intent: "pi_x" }],
    ["another amount", { amount: 1 }],
    ["another currency", { currency: "eur" }],
  ])("with %s is refused", async (_what, wrong) => {
    await paid("10");
    house.stripe.failNext(REFUND, "pending");
    const [made] = await refund();
    const answer = { ...house.stripe.refunds[0], status: "failed", ...wrong };
    expect((await faultOf(notify("refund.failed", answer))).status).toBe(400);
    expect(await statusOf(made?.id ?? "")).toBe("debited");
    expect(house.ledger.left("acct_a")).toBe(0n);
  });

  test("that was made at Stripe itself is only logged", async () => {
    const answer = { id: "re_x", metadata: {}, status: "succeeded", payment_intent: "pi_x" };
    expect(await notify("refund.updated", answer)).toBe("noted");
    expect(house.logged("refund_not_ours")).toHaveLength(1);
  });
});
