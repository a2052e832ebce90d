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
    payment_amount: z.string().describe("What is paid, in the currency of the payment."),
    refunded: decimal.describe("What went back or is on its way back."),
    checkout_url: z.string().nullable().describe("Where it is paid, while it can be."),
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

export const CREATE_ORDER = post(ORDERS, "Begins a payment; the answer says where it is made.", {
  body: z.strictObject({
    provider: z.enum(PROVIDER_NAMES, `The provider must be one of ${PROVIDER_NAMES.join(", ")}.`),
    amount: sentAmount,
    method: z.string().max(METHOD_CHARS_MAX).optional(),
  }),
  example: { provider: "stripe", amount: "25" },
  status: 201,
  answer: order,
});
export const LIST_ORDERS = get(ORDERS, "The payments of an account, the latest first.", {
  query: z.object(PAGE),
  answer: listOf(order),
});
export const SHOW_ORDER = get(
  ORDER,
  "One payment; of one that is under way the provider is asked.",
  { answer: order },
);
export const TEST_PAY = post(
  `${ORDER}/test-pay`,
  "Pays an order with play money, where the installation allows that.",
  { answer: order },
);
export const REQUEST_REFUND = post(
  REFUNDS,
  "Sends card payments back, as far as they are unspent: all, or so much; once for one Idempotency-Key.",
  {
    headers: z.object({
      "idempotency-key": z.string().optional().describe("Sent back once for each, by account."),
    }),
    body: z.strictObject({ amount: z.string().optional() }),
    example: { amount: "10" },
    status: 201,
    answer: listOf(refund),
  },
);
export const LIST_REFUNDS = get(REFUNDS, "What went back or is on its way back.", {
  answer: listOf(refund),
});
