// How often an account may, counted by all instances together, and on after one of them has ended.
import { expect, test } from "bun:test";
import { onEngines } from "../../test/store/engines.ts";
import { faultOf } from "../../test/support/errors.ts";
import { perSuite } from "../../test/support/houses/house.ts";
import { paymentsHouse } from "../../test/support/payments/house.ts";
import { Fault } from "../lib/faults.ts";
import type { Payments } from "./payments.ts";

const HOUR_MS = 3_600_000;
const ANN = { userId: "usr_ann", name: "ann@example.com", operator: false };

onEngines("on $name", (engine) => {
  const house = perSuite((parts) => paymentsHouse(parts, engine));

  let accounts = 0;
  function account(): string {
    const id = `acct_limited_${++accounts}`;
    house.ledger.open(id);
    return id;
  }

  const order = ({ orders }: Payments, id: string) =>
    orders.create(id, { provider: "test", amount: "1" });

  /** How many of these came through; the others were too many. */
  async function through(tries: readonly Promise<unknown>[]): Promise<number> {
    const ends = await Promise.allSettled(tries);
    const refusals = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    for (const thrown of refusals) {
      expect(thrown).toBeInstanceOf(Fault);
      expect((thrown as Fault).message).toStartWith("Too many tries: at most ");
    }
    return ends.length - refusals.length;
  }

  test("orders of an account are counted on by another process, for an hour", async () => {
    const id = account();
    for (let i = 0; i < 30; i++) await order(house.payments, id);
    const later = await house.second();
    const refused = await faultOf(order(later, id));
    expect(refused.status).toBe(429);
    expect(refused.message).toStartWith("Too many tries: at most 30 in 60 minutes.");
    await order(later, account());
    house.settings.clockMs += HOUR_MS;
    await order(later, id);
  });

  test("of orders at the same instant by two processes, so many come through", async () => {
    const id = account();
    const both = [house.payments, await house.second()] as const;
    const tries = Array.from({ length: 20 }, () => both.map((one) => order(one, id))).flat();
    expect(await through(tries)).toBe(30);
    expect(await house.store.orders.list(id, undefined, 100)).toHaveLength(30);
  });

  test("wrong codes of an account are counted on by another process", async () => {
    const id = account();
    const redeem = ({ codes }: Payments, text: string, place: string) =>
      codes.redeem(id, text, place, ANN);
    for (let i = 0; i < 10; i++) await faultOf(redeem(house.payments, "nothing", `place ${i}`));
    const form = { count: 1, amount: "5", expiresAtMs: null, note: "" };
    const [good = ""] = (await house.payments.codes.createBatch(form)).codes;
    const later = await house.second();
    expect((await faultOf(redeem(later, good, "another place"))).status).toBe(429);
    house.settings.clockMs += HOUR_MS;
    await redeem(later, good, "another place");
  });

  test("wrong codes of an address are counted by two processes together", async () => {
    const both = [house.payments, await house.second()] as const;
    const tries = Array.from({ length: 15 }, () =>
      both.map(({ codes }) => faultOf(codes.redeem(account(), "nothing", "one place", ANN))),
    );
    const answers = await Promise.all(tries.flat());
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
  });

  test("pages for saving a card are counted on by another process", async () => {
    const id = account();
    const form = { enabled: true, threshold: "5", amount: "10" };
    for (let i = 0; i < 20; i++) await house.payments.autoTopUps.change(id, form);
    const { autoTopUps } = await house.second();
    expect((await faultOf(autoTopUps.change(id, form))).status).toBe(429);
  });

  test("refunds of an account are counted on by another process", async () => {
    const id = account();
    const { orders, notices, refunds } = house.payments;
    const { reference } = await orders.create(id, { provider: "stripe", amount: "10" });
    const session = house.stripe.paidSession(reference);
    const { body, signature } = await house.stripe.event("checkout.session.completed", session);
    await notices.stripe(body, signature);
    for (let i = 0; i < 20; i++) await refunds.request(id, "0.01");
    const later = await house.second();
    expect((await faultOf(later.refunds.request(id, "0.01"))).status).toBe(429);
  });
});
