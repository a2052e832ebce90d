import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type House, openHouse, refusalOf, USD } from "./payments/house.ts";

let house: House;
beforeEach(async () => {
  house = await openHouse();
});
afterEach(() => house.close());

const CHARGE = "POST /v1/payment_intents";
const WISH = { enabled: true, threshold: "5", amount: "20" };

const change = (wish: Partial<typeof WISH & { dailyMax: string }> = {}) =>
  house.payments.autoTopUps.change("acct_a", { ...WISH, ...wish });
const run = () => house.payments.autoTopUps.run();
const orders = () => house.payments.orders.list("acct_a", undefined, 50);

async function notify(type: string, object: unknown) {
  const { body, signature } = await house.stripe.event(type, object);
  return house.payments.notices.stripe(body, signature);
}

/** Switched on, with a card saved on Stripe's page. */
async function switchOn(wish: Partial<typeof WISH & { dailyMax: string }> = {}): Promise<void> {
  const { setupUrl } = await change(wish);
  expect(setupUrl).not.toBeNull();
  expect(await notify("checkout.session.completed", house.stripe.sessions.at(-1))).toBe("noted");
}

describe("an automatic top-up", () => {
  test("asks for a card first, and charges nothing without one", async () => {
    const { settings, setupUrl } = await change();
    expect(settings.method).toBeNull();
    expect(setupUrl).toStartWith("https://checkout.invalid/");
    await run();
    expect(house.stripe.intents).toEqual([]);
  });

  test("charges the card when the balance is below the threshold, and credits it", async () => {
    await switchOn();
    await run();
    expect(house.stripe.intents).toHaveLength(1);
    expect(house.stripe.intents[0]).toMatchObject({ amount: 2000, currency: "usd" });
    expect(house.ledger.left("acct_a")).toBe(20n * USD);
    const [order] = await orders();
    expect(order).toMatchObject({ automatic: true, status: "paid" });
    await run();
    expect(house.stripe.intents).toHaveLength(1);
  });

  test("waits until the balance is below, not at, the threshold", async () => {
    await switchOn();
    await run();
    house.ledger.charge("acct_a", 15n * USD);
    await run();
    expect(house.stripe.intents).toHaveLength(1);
    house.ledger.charge("acct_a", 1n);
    await run();
    expect(house.stripe.intents).toHaveLength(2);
  });

  test("happens once, however many instances look at once", async () => {
    await switchOn();
    const other = await house.second();
    await Promise.all([run(), other.autoTopUps.run(), run(), other.autoTopUps.run()]);
    expect(house.stripe.intents).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe(20n * USD);
  });

  test("stops at what may be charged in a day, and goes on the day after", async () => {
    await switchOn({ dailyMax: "50" });
    for (let i = 0; i < 4; i++) {
      await run();
      house.ledger.charge("acct_a", house.ledger.left("acct_a"));
    }
    expect(house.stripe.intents).toHaveLength(2);
    house.settings.clockMs = 25 * 3_600_000;
    await run();
    expect(house.stripe.intents).toHaveLength(3);
  });

  test("whose answer was lost is found at Stripe and not charged twice", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "lost");
    await run();
    expect(house.ledger.left("acct_a")).toBe(0n);
    await (await house.second()).autoTopUps.run();
    expect(house.stripe.intents).toHaveLength(1);
    expect(house.ledger.left("acct_a")).toBe(20n * USD);
    expect(await orders()).toHaveLength(1);
  });

  test("that never reached Stripe is tried again under the same order", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "down");
    await run();
    await run();
    expect(house.stripe.intents).toHaveLength(1);
    expect(await orders()).toHaveLength(1);
  });

  test("stays open while Stripe does not let us look", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "lost");
    await run();
    house.stripe.failNext("GET /v1/payment_intents", "forbidden");
    await run();
    const [order] = await orders();
    expect(order?.status).toBe("created");
    expect(house.stripe.intents).toHaveLength(1);
  });

  test("rests after a refusal, and is switched off by the third", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "declined", "declined", "declined");
    await run();
    await run();
    const charges = () => house.stripe.calls.filter((call) => call === CHARGE).length;
    expect(charges()).toBe(1);
    for (const hours of [2, 4, 6]) {
      house.settings.clockMs = hours * 3_600_000;
      await run();
    }
    expect(charges()).toBe(3);
    const settings = await house.payments.autoTopUps.find("acct_a");
    expect(settings).toMatchObject({ enabled: false, failure: "Your card was declined." });
    expect(house.ledger.entries).toEqual([]);
    expect((await orders()).map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    expect((await change()).setupUrl).not.toBeNull();
  });

  test("is credited by the notice when that is faster, once", async () => {
    await switchOn();
    house.ledger.failNext("before");
    await run();
    expect(house.ledger.left("acct_a")).toBe(0n);
    expect(await notify("payment_intent.succeeded", house.stripe.intents[0])).toBe("credited");
    await house.payments.reconcile();
    expect(house.ledger.left("acct_a")).toBe(20n * USD);
  });

  test.each([
    ["another amount", { amount: 1 }],
    ["less received", { amount_received: 1 }],
    ["another currency", { currency: "jpy" }],
    ["no success", { status: "processing" }],
  ])("with a notice of %s is refused", async (_what, wrong) => {
    await switchOn();
    house.stripe.failNext(CHARGE, "lost");
    await run();
    const notice = notify("payment_intent.succeeded", { ...house.stripe.intents[0], ...wrong });
    expect((await refusalOf(notice)).status).toBe(400);
    expect(house.ledger.entries).toEqual([]);
  });

  test("takes no card from a session that it did not begin", async () => {
    await change();
    const session = { ...house.stripe.sessions[0], id: "cs_stranger" };
    const notice = notify("checkout.session.completed", session);
    expect((await refusalOf(notice)).status).toBe(400);
    expect((await house.payments.autoTopUps.find("acct_a"))?.method).toBeNull();
  });

  test.each([
    [{ amount: "0.50" }, "amount"],
    [{ amount: "10001" }, "amount"],
    [{ threshold: "0" }, "threshold"],
    [{ threshold: "20000" }, "threshold"],
    [{ dailyMax: "19.99" }, "daily_max"],
  ])("with %p is refused at its field", async (wish, param) => {
    expect(await refusalOf(change(wish))).toMatchObject({ status: 400, param });
  });
});
