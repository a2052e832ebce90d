import { decimal, get, instant, listOf, PAGE, post } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { ORDER_STATUSES, PROVIDER_NAMES } from "../order.ts";

const METHOD_CHARS_MAX = 20;

/** An amount as it is sent; whether it is one within the bounds is for the room to say. */
export const sentAmount = z.string('Write the amount as a text, such as "12.50".');

const order = z
  .strictObject({
    id: z.string(),
    status: z.enum(ORDER_STATUSES),
    provider: z.enum(PROVIDER_NAMES),
    method: z.string().nullable().describe("A choice within the provider, such as alipay."),
    automatic: z.boolean().describe("Made by the gateway itself because the balance ran low."),
    test: z.boolean().describe("Play money."),
    amount: decimal,
    payment_currency: z.string(),
    payment_amount: z.string().describe("The price, in the currency of the payment."),
    refunded: decimal.describe("Lists refunds."),
    checkout_url: z.string().nullable().describe("The address for paying, while it can be paid."),
    failure: z.string().nullable(),
    created_at: instant,
    paid_at: instant.nullable(),
  })
  .meta({ id: "Order" });

const refund = z
  .strictObject({
    id: z.string(),
    order_id: z.string(),
    amount: decimal,
    status: z.enum(["pending", "done", "failed"]),
    failure: z.string().nullable(),
    created_at: instant,
  })
  .meta({ id: "Refund" });

export type Order = z.output<typeof order>;
export type Refund = z.output<typeof refund>;

const ORDERS = "/api/accounts/:account/orders";
const ORDER = `${ORDERS}/:id`;
const REFUNDS = "/api/accounts/:account/refunds";

export const CREATE_ORDER = post(
  ORDERS,
  "Creates an order; the answer has the address for paying.",
  {
    body: z.strictObject({
      provider: z.enum(PROVIDER_NAMES, `The provider must be one of ${PROVIDER_NAMES.join(", ")}.`),
      amount: sentAmount,
      method: z.string().max(METHOD_CHARS_MAX).optional(),
    }),
    example: { provider: "stripe", amount: "25" },
    status: 201,
    answer: order,
  },
);
export const LIST_ORDERS = get(ORDERS, "Lists payments, newest first.", {
  query: z.object(PAGE),
  answer: listOf(order),
});
export const SHOW_ORDER = get(ORDER, "Shows a payment; asks the provider while it is open.", {
  answer: order,
});
export const TEST_PAY = post(
  `${ORDER}/test-pay`,
  "Pays an order with test money, if the installation allows it.",
  { answer: order },
);
export const REQUEST_REFUND = post(
  REFUNDS,
  "Refunds unspent card payments; once per Idempotency-Key.",
  {
    headers: z.object({
      "idempotency-key": z.string().optional().describe("Refunded once per value and account."),
    }),
    body: z.strictObject({ amount: z.string().optional() }),
    example: { amount: "10" },
    status: 201,
    answer: listOf(refund),
  },
);
export const LIST_REFUNDS = get(REFUNDS, "Lists refunds.", {
  answer: listOf(refund),
});
