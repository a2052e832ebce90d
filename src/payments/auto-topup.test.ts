import { describe, expect, test } from "bun:test";
import { faultOf } from "../../test/support/errors.ts";
import { perTest } from "../../test/support/houses/house.ts";
import { paymentsHouse, USD } from "../../test/support/payments/house.ts";
import type { AutoTopUpForm } from "./auto-topup-form.ts";

const house = perTest(paymentsHouse);

const CHARGE = "POST /v1/payment_intents";
const LOOK = "GET /v1/payment_intents";
const HOUR_MS = 3_600_000;
const FORM = { enabled: true, threshold: "5", amount: "20" };

const change = (form: Partial<typeof FORM & { dailyMax: string }> = {}) =>
  house.payments.autoTopUps.change("acct_a", { ...FORM, ...form });
/** Says nothing of what is not named. */
const changeOnly = (form: AutoTopUpForm) => house.payments.autoTopUps.change("acct_a", form);
const run = () => house.payments.autoTopUps.run();
const orders = () => house.payments.orders.list("acct_a", undefined, 50);

async function notify(type: string, object: unknown) {
  const { body, signature } = await house.stripe.event(type, object);
  return house.payments.notices.stripe(body, signature);
}

/** Switched on, with a card saved on Stripe's page. */
async function switchOn(form: Partial<typeof FORM & { dailyMax: string }> = {}): Promise<void> {
  const { setupUrl } = await change(form);
  expect(setupUrl).not.toBeNull();
  expect(await notify("checkout.session.completed", house.stripe.sessions.at(-1))).toBe("noted");
}

/** Another account whose turn comes after that of the first. */
async function switchOnSecond(): Promise<void> {
  await house.payments.autoTopUps.change("acct_b", FORM);
  await notify("checkout.session.completed", house.stripe.sessions.at(-1));
}

/** What the cards were charged, each time, and for whom. */
const charges = () =>
  house.stripe.intents.map(({ amount, metadata }) => [
    (metadata as { account: string }).account,
    amount,
  ]);

describe("an automatic top-up", () => {
  test("asks for a card first, and charges nothing without one", async () => {
    const { settings, setupUrl } = await change();
    expect(settings.method).toBeNull();
    expect(setupUrl).toStartWith("https://checkout.invalid/");
    await run();
    expect(house.stripe.intents).toEqual([]);
  });

  test("finds the card at Stripe when no notice of it comes, and does not ask for ever", async () => {
    await change();
    const glance = () => house.payments.autoTopUps.glance("acct_a");
    expect((await glance())?.method).toBeNull();
    const [session = {}] = house.stripe.sessions;
    Object.assign(session, { status: "complete" });
    expect(await glance()).toMatchObject({ enabled: true, method: "pm_card" });
    await run();
    expect(house.ledger.left("acct_a")).toBe(20n * USD);

    await house.payments.autoTopUps.change("acct_b", FORM);
    const looks = () => house.stripe.calls.filter((call) => /^GET .*sessions/.test(call)).length;
    const before = looks();
    for (let i = 0; i < 30; i++) await house.payments.autoTopUps.glance("acct_b");
    expect(looks() - before).toBe(10);
    house.settings.clockMs = 60_000;
    Object.assign(house.stripe.sessions.at(-1) ?? {}, { status: "expired" });
    for (let i = 0; i < 5; i++) await house.payments.autoTopUps.glance("acct_b");
    expect(looks() - before).toBe(11);
  });

  test("finds a card of an earlier page at Stripe, until one is saved on the last", async () => {
    const pages: Record<string, unknown>[] = [];
    for (let i = 0; i < 3; i++) {
      await change();
      pages.push(house.stripe.sessions.at(-1) ?? {});
    }
    const [first = {}, , last = {}] = pages;
    const saveOn = async (page: object, card: string) => {
      Object.assign(page, { status: "complete" });
      house.stripe.card = card;
      return house.payments.autoTopUps.glance("acct_a");
    };
    expect(await saveOn(first, "pm_first")).toMatchObject({ method: "pm_first" });
    expect(await saveOn(last, "pm_last")).toMatchObject({ method: "pm_last" });
    const { length } = house.stripe.calls;
    await house.payments.autoTopUps.glance("acct_a");
    expect(house.stripe.calls).toHaveLength(length);
  });

  test("takes no card of an earlier page from Stripe once one was refused", async () => {
    await switchOn();
    Object.assign(house.stripe.sessions.at(-1) ?? {}, { status: "complete" });
    house.stripe.failNext(CHARGE, "declined");
    await run();
    await change();
    await house.payments.autoTopUps.glance("acct_a");
    expect(await house.store.autoTopUps.find("acct_a")).toMatchObject({ method: null });
  });

  test("does not ask after pages for ever of a customer whom Stripe knows no more", async () => {
    await change();
    house.stripe.failNext("GET /v1/checkout/sessions", "no customer");
    for (let i = 0; i < 3; i++) await house.payments.autoTopUps.glance("acct_a");
    const looks = house.stripe.calls.filter((call) => /^GET .*sessions/.test(call));
    expect(looks).toHaveLength(1);
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

  test("that never reached Stripe is not tried again once it was switched off", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "down");
    await run();
    await change({ enabled: false });
    await run();
    expect(house.stripe.intents).toEqual([]);
    expect((await orders()).map(({ status }) => status)).toEqual(["expired"]);
  });

  test("is due by what holds when its turn comes, not when the list was read", async () => {
    await switchOn();
    await switchOnSecond();
    house.stripe.meanwhile(CHARGE, () =>
      house.payments.autoTopUps.change("acct_b", { ...FORM, enabled: false }),
    );
    await run();
    expect(charges()).toEqual([["acct_a", 2000]]);
  });

  test("is of the amount that holds when its turn comes", async () => {
    await switchOn();
    await switchOnSecond();
    house.stripe.meanwhile(CHARGE, () =>
      house.payments.autoTopUps.change("acct_b", { ...FORM, amount: "10" }),
    );
    await run();
    expect(charges()).toEqual([
      ["acct_a", 2000],
      ["acct_b", 1000],
    ]);
  });

  test("stops at what may be charged in a day when its turn comes", async () => {
    await switchOn();
    await switchOnSecond();
    await run();
    for (const account of ["acct_a", "acct_b"]) {
      house.ledger.charge(account, house.ledger.left(account));
    }
    house.stripe.meanwhile(CHARGE, () =>
      house.payments.autoTopUps.change("acct_b", { ...FORM, dailyMax: "39.99" }),
    );
    await run();
    expect(charges().map(([account]) => account)).toEqual(["acct_a", "acct_b", "acct_a"]);
  });

  test("that never reached Stripe is not tried again for another amount than is wanted now", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "down");
    await run();
    await change({ amount: "10" });
    await run();
    expect(charges()).toEqual([["acct_a", 1000]]);
    expect((await orders()).map(({ status }) => status)).toEqual(["paid", "expired"]);
  });

  test.each([
    ["beyond what may be charged in a day now", () => change({ dailyMax: "39.99" })],
    ["where it was switched off while Stripe was asked", () => change({ enabled: false })],
    [
      "where the balance is not low any more",
      () =>
        house.ledger.credit({
          ...{ id: "gift", accountId: "acct_a", amount: 5n * USD },
          ...{ kind: "topup", note: "", createdAtMs: 0 },
        }),
    ],
  ] as const)("that never reached Stripe is not tried again %s", async (_where, happen) => {
    await switchOn();
    await run();
    house.ledger.charge("acct_a", 20n * USD);
    house.stripe.failNext(CHARGE, "down");
    await run();
    house.stripe.meanwhile(LOOK, happen);
    await run();
    expect(charges()).toEqual([["acct_a", 2000]]);
    expect((await orders()).map(({ status }) => status)).toEqual(["expired", "paid"]);
  });

  test("that another instance has given up meanwhile is not charged under its order", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "down");
    await run();
    const other = await house.second();
    house.stripe.meanwhile(LOOK, async () => {
      await change({ enabled: false });
      await other.autoTopUps.run();
      await change();
    });
    await run();
    expect(charges()).toEqual([["acct_a", 2000]]);
    expect((await orders()).map(({ status }) => status)).toEqual(["paid", "expired"]);
  });

  test("whose card is refused while another run is late is not tried again by that one", async () => {
    await switchOn();
    await switchOnSecond();
    const other = await house.second();
    house.stripe.meanwhile(CHARGE, async () => {
      // It asks for the first one again, under the same key, and then for the second.
      house.stripe.failNext(CHARGE, "pending", "declined");
      await other.autoTopUps.run();
    });
    await run();
    expect(house.stripe.calls.filter((call) => call === CHARGE)).toHaveLength(3);
    expect(await house.store.autoTopUps.find("acct_b")).toMatchObject({ refusals: 1 });
  });

  test("asks for another card after a refusal, though it was switched off by hand", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "declined");
    await run();
    expect((await change({ enabled: false })).setupUrl).toBeNull();
    expect((await change()).setupUrl).not.toBeNull();
  });

  test("is for another customer where Stripe has not the old one any more", async () => {
    await switchOn();
    const before = (await house.store.autoTopUps.find("acct_a"))?.customer;
    house.stripe.failNext(CHARGE, "declined");
    await run();
    house.stripe.failNext("POST /v1/checkout/sessions", "no customer");
    await switchOn();
    const after = (await house.store.autoTopUps.find("acct_a"))?.customer;
    expect(after).toStartWith("cus_");
    expect(after).not.toBe(before ?? "");
  });

  test("stays open while Stripe does not let us look", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "lost");
    await run();
    house.stripe.failNext(LOOK, "forbidden");
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
    const tries = () => house.stripe.calls.filter((call) => call === CHARGE).length;
    expect(tries()).toBe(1);
    for (const hours of [2, 4, 6]) {
      house.settings.clockMs = hours * 3_600_000;
      await run();
    }
    expect(tries()).toBe(3);
    const settings = await house.store.autoTopUps.find("acct_a");
    expect(settings).toMatchObject({ enabled: false, failure: "Your card was declined." });
    expect(house.ledger.entries).toEqual([]);
    expect((await orders()).map(({ status }) => status)).toEqual(["failed", "failed", "failed"]);
    expect((await change()).setupUrl).not.toBeNull();
  });

  test.each(["before", "after"] as const)(
    "that was charged forgets earlier refusals, though the process ended %s the entry",
    async (when) => {
      await switchOn();
      house.stripe.failNext(CHARGE, "declined", "declined");
      for (const hours of [0, 2, 4]) {
        house.settings.clockMs = hours * HOUR_MS;
        if (hours === 4) house.ledger.failNext(when);
        await run();
      }
      const settings = () => house.store.autoTopUps.find("acct_a");
      expect(await settings()).toMatchObject({ refusals: 2 });
      await (await house.second()).reconcile();
      expect(house.ledger.left("acct_a")).toBe(20n * USD);
      expect(await settings()).toMatchObject({ enabled: true, refusals: 0, failure: null });
      house.ledger.charge("acct_a", 20n * USD);
      house.stripe.failNext(CHARGE, "declined");
      await run();
      expect(await settings()).toMatchObject({ enabled: true, refusals: 1 });
    },
  );

  test("is not made for an account that is suspended, and goes on when it is enabled again", async () => {
    await switchOn();
    house.settings.suspended.add("acct_a");
    await run();
    expect([house.stripe.intents, await orders()]).toEqual([[], []]);
    house.settings.suspended.clear();
    await run();
    expect(charges()).toEqual([["acct_a", 2_000]]);
  });

  test("that never reached Stripe expires once its account is suspended", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "down");
    await run();
    house.settings.suspended.add("acct_a");
    await run();
    expect((await orders()).map(({ status }) => status)).toEqual(["expired"]);
    expect(house.stripe.intents).toEqual([]);
  });

  test("of a suspended account is done with its rest, for which nobody need come again", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "declined");
    await run();
    house.settings.suspended.add("acct_a");
    house.settings.clockMs = HOUR_MS + 60_000;
    await run();
    expect(await restOf()).toBe(0);
    expect(house.stripe.intents).toEqual([]);
  });

  const restOf = async () => (await house.store.autoTopUps.find("acct_a"))?.restsUntilMs;

  test.each(["declined", "forbidden"] as const)(
    "that was %s is done with its rest once it was looked at, whether or not it is low",
    async (how) => {
      await switchOn();
      house.stripe.failNext(CHARGE, how);
      await run();
      expect(await restOf()).toBeGreaterThan(Date.now());
      house.settings.clockMs = HOUR_MS + 60_000;
      house.ledger.charge("acct_a", -10n * USD);
      await run();
      expect(await restOf()).toBe(0);
      expect(house.stripe.intents).toEqual([]);
      house.ledger.charge("acct_a", 10n * USD);
      house.stripe.failNext(CHARGE, how);
      await run();
      house.settings.clockMs *= 2;
      await run();
      expect(await restOf()).toBe(0);
      expect(house.ledger.left("acct_a")).toBe(20n * USD);
    },
  );

  test("that has no room left in its day rests until it may have, and is then made", async () => {
    await switchOn({ dailyMax: "20" });
    await run();
    house.ledger.charge("acct_a", 20n * USD);
    await run();
    const restMs = ((await restOf()) ?? 0) - Date.now();
    expect([restMs > 0, restMs <= HOUR_MS]).toEqual([true, true]);
    house.settings.clockMs = 24 * HOUR_MS - 60_000;
    await run();
    expect(await restOf()).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS + 1);
    expect(charges()).toHaveLength(1);
    house.settings.clockMs = 24 * HOUR_MS + 60_000;
    await run();
    expect([charges().length, await restOf()]).toEqual([2, 0]);
  });

  test("does not rest for longer where the clock that its card was refused by was ahead", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "declined");
    await run();
    house.settings.clockMs = -4 * 3_600_000;
    await run();
    expect(house.ledger.left("acct_a")).toBe(20n * USD);
  });

  test("that is refused is told to the owners each time, the last time with its end", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "declined", "declined", "declined", "declined");
    for (const hours of [0, 2, 4, 6, 8]) {
      house.settings.clockMs = hours * 3_600_000;
      await run();
      await run();
    }
    const failed = { kind: "auto_topup_failed", account: "acct_a", amount: 20n * USD };
    const refused = { ...failed, reason: "Your card was declined." };
    expect(house.told).toMatchObject([
      { ...refused, off: false },
      { ...refused, off: false },
      { ...refused, off: true },
    ]);
  });

  test("that is refused is told although that failed at first, and counts once", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "declined", "declined");
    house.lost.tell = 1;
    for (let i = 0; i < 3; i++) await run();
    expect(house.told).toMatchObject([{ kind: "auto_topup_failed", off: false }]);
    expect(await house.store.autoTopUps.find("acct_a")).toMatchObject({ refusals: 1 });
    expect((await orders()).map(({ status }) => status)).toEqual(["failed"]);
  });

  test("that Stripe refuses because of our own key is not held against the card", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "forbidden");
    await run();
    await run();
    expect(house.told).toEqual([]);
    expect(house.logged("auto_topup_barred")).toHaveLength(1);
    const [order] = await orders();
    expect(order).toMatchObject({ status: "failed" });
    expect(order?.failure).not.toContain("key");
    house.settings.clockMs = 2 * 3_600_000;
    await run();
    expect(house.ledger.left("acct_a")).toBe(20n * USD);
  });

  test("that is switched off while its card is saved stays off", async () => {
    await change();
    const session = house.stripe.sessions.at(-1);
    const off = () => change({ enabled: false });
    house.stripe.meanwhile(`GET /v1/setup_intents/seti_${session?.customer}`, off);
    expect(await notify("checkout.session.completed", session)).toBe("noted");
    expect(await house.store.autoTopUps.find("acct_a")).toMatchObject({
      enabled: false,
      method: "pm_card",
    });
  });

  test("that is switched off while its page is found to have expired stays off", async () => {
    await change();
    Object.assign(house.stripe.sessions.at(-1) ?? {}, { status: "expired" });
    const off = () => change({ enabled: false });
    house.stripe.meanwhile("GET /v1/checkout/sessions", off);
    await house.payments.autoTopUps.glance("acct_a");
    expect(await house.store.autoTopUps.find("acct_a")).toMatchObject({
      enabled: false,
      setup: null,
    });
  });

  test("asks Stripe for so many pages in an hour and no more", async () => {
    for (let i = 0; i < 20; i++) await change();
    expect((await faultOf(change())).status).toBe(429);
    expect((await change({ enabled: false })).settings.enabled).toBe(false);
    house.settings.clockMs = 3_600_000;
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
    expect((await faultOf(notice)).status).toBe(400);
    expect(house.ledger.entries).toEqual([]);
  });

  test("takes the card of a page that was opened before somebody else's change", async () => {
    await change();
    await changeOnly({ threshold: "6" });
    const [first, second] = house.stripe.sessions;
    expect(second).toBeDefined();
    // Stripe may send it twice.
    for (let i = 0; i < 2; i++) {
      expect(await notify("checkout.session.completed", first)).toBe("noted");
    }
    await run();
    expect(charges()).toEqual([["acct_a", 2000]]);
    expect(await notify("checkout.session.completed", second)).toBe("noted");
  });

  test("lets go of a card of an earlier page where it has one, and Stripe need not tell it again", async () => {
    await change();
    await changeOnly({ threshold: "6" });
    const [first, second] = house.stripe.sessions;
    await notify("checkout.session.completed", second);
    house.stripe.card = "pm_other";
    expect(await notify("checkout.session.completed", first)).toBe("noted");
    expect((await house.store.autoTopUps.find("acct_a"))?.method).toBe("pm_card");
  });

  test("takes no card back that was refused, however late its page is told again", async () => {
    await switchOn();
    const [refused] = house.stripe.sessions;
    house.stripe.failNext(CHARGE, "declined");
    await run();
    await changeOnly({ enabled: true });
    expect(await notify("checkout.session.completed", refused)).toBe("noted");
    expect((await house.store.autoTopUps.find("acct_a"))?.method).toBeNull();
    house.stripe.card = "pm_other";
    expect(await notify("checkout.session.completed", house.stripe.sessions.at(-1))).toBe("noted");
    expect(await house.store.autoTopUps.find("acct_a")).toMatchObject({
      method: "pm_other",
      refusals: 0,
    });
  });

  test("takes no card of a customer that is not the account's", async () => {
    await change();
    const session = { ...house.stripe.sessions[0], customer: "cus_stranger" };
    const notice = notify("checkout.session.completed", session);
    expect((await faultOf(notice)).status).toBe(400);
    expect((await house.store.autoTopUps.find("acct_a"))?.method).toBeNull();
  });

  test.each([
    [{ amount: "0.50" }, "amount"],
    [{ amount: "10001" }, "amount"],
    [{ threshold: "0" }, "threshold"],
    [{ threshold: "20000" }, "threshold"],
    [{ dailyMax: "19.99" }, "daily_max"],
  ])("with %p is refused at its field", async (form, param) => {
    expect(await faultOf(change(form))).toMatchObject({ status: 400, param });
  });
});

describe("what a change of an automatic top-up does not say", () => {
  const stored = () => house.store.autoTopUps.find("acct_a");

  test("stays off where a dispute has switched it off, and the card is not charged", async () => {
    await switchOn();
    await house.payments.autoTopUps.suspend("acct_a", "A payment was disputed.");
    const { settings, setupUrl } = await changeOnly({ threshold: "7" });
    expect(setupUrl).toBeNull();
    expect(settings).toMatchObject({ enabled: false, threshold: 7n * USD, method: "pm_card" });
    expect(settings.failure).toBe("A payment was disputed.");
    expect(await stored()).toEqual(settings);
    await run();
    expect(charges()).toEqual([]);
    expect((await changeOnly({ enabled: true })).settings.failure).toBeNull();
    await run();
    expect(charges()).toEqual([["acct_a", 2000]]);
  });

  test("stays what others have made of it", async () => {
    await switchOn({ dailyMax: "200" });
    await changeOnly({ dailyMax: "30" });
    await changeOnly({ enabled: false });
    await changeOnly({ amount: "25" });
    const kept = { enabled: false, threshold: 5n * USD, amount: 25n * USD, dailyMax: 30n * USD };
    expect(await stored()).toMatchObject(kept);
  });

  test("is five top-ups a day where nobody has said how much, and again by null", async () => {
    await switchOn();
    expect(await stored()).toMatchObject({ dailyMax: 100n * USD });
    await changeOnly({ dailyMax: "40" });
    await changeOnly({ dailyMax: null });
    expect(await stored()).toMatchObject({ dailyMax: 100n * USD });
  });

  test("is no more a day than before: an amount above that is refused", async () => {
    await switchOn({ dailyMax: "30" });
    const refused = await faultOf(changeOnly({ amount: "31" }));
    expect(refused).toMatchObject({ status: 400, param: "daily_max" });
    expect(await stored()).toMatchObject({ amount: 20n * USD });
  });

  test("is asked for where nothing is stored yet", async () => {
    for (const name of ["enabled", "threshold", "amount"] as const) {
      const { [name]: _, ...rest } = FORM;
      const missing = { status: 400, fault: "missing_required_parameter", param: name };
      expect(await faultOf(changeOnly(rest))).toMatchObject(missing);
    }
    expect(await stored()).toBeUndefined();
  });

  test("is a card that rests after a refusal of us, not of it", async () => {
    await switchOn();
    house.stripe.failNext(CHARGE, "forbidden");
    await run();
    const rests = (await stored())?.restsUntilMs;
    expect(rests).toBeGreaterThan(0);
    expect((await changeOnly({ threshold: "6" })).settings.restsUntilMs).toBe(rests ?? 0);
    expect((await changeOnly({ enabled: true })).settings.restsUntilMs).toBe(0);
  });

  test("still asks for the card that is waited for", async () => {
    await change();
    expect((await changeOnly({})).setupUrl).toStartWith("https://checkout.invalid/");
    const off = () => changeOnly({ enabled: false });
    house.stripe.meanwhile("POST /v1/checkout/sessions", off);
    expect((await changeOnly({ threshold: "6" })).setupUrl).toBeNull();
    expect(await stored()).toMatchObject({ enabled: false, threshold: 6n * USD });
  });
});
