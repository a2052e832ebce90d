import { describe, expect, test } from "bun:test";
import { faultOf } from "../../../test/support/errors.ts";
import { perSuite } from "../../../test/support/houses/house.ts";
import { paymentsHouse } from "../../../test/support/payments/house.ts";

/** One for all of them: nothing of it changes by what is no event. */
const house = perSuite(paymentsHouse);

/** Every kind of event that is acted on. */
const ACTED_ON = [
  "checkout.session.completed",
  "checkout.session.async_payment_succeeded",
  "checkout.session.async_payment_failed",
  "checkout.session.expired",
  "payment_intent.succeeded",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.closed",
];

async function deliver(type: string, object: unknown) {
  const { body, signature } = await house.stripe.event(type, object);
  return house.payments.notices.stripe(body, signature);
}

describe("a body that is signed and no event", () => {
  const bodies = [
    ...["null", "[]", "1", '"text"', "{}", "true"],
    '{"id":"evt_1"}',
    '{"id":1,"type":{}}',
    ...ACTED_ON.flatMap((type) => [
      JSON.stringify({ id: "evt_1", type }),
      JSON.stringify({ id: "evt_1", type, data: null }),
      JSON.stringify({ id: "evt_1", type, data: {} }),
      JSON.stringify({ id: "evt_1", type, data: { object: null } }),
      JSON.stringify({ id: "evt_1", type, data: { object: [] } }),
    ]),
  ];

  test.each(bodies)("is a 400: %s", async (body) => {
    const before = house.logged("payment_notice_refused").length;
    const signature = await house.stripe.sign(body);
    const refusal = await faultOf(house.payments.notices.stripe(body, signature));
    expect([refusal.status, refusal.message]).toEqual([
      400,
      "The notice is refused: it is signed, but it is not an event.",
    ]);
    expect(house.logged("payment_notice_refused")).toHaveLength(before + 1);
  });

  test.each(ACTED_ON)("%s of an object without members changes nothing", async (type) => {
    for (const object of [{}, { metadata: null }, { metadata: {}, status: null }]) {
      expect(["ignored", "noted"]).toContain(await deliver(type, object));
    }
    expect(house.ledger.entries).toEqual([]);
  });
});
