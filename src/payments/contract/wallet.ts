import { decimal, get, post, put } from "../../lib/contract.ts";
import * as z from "../../lib/schemas.ts";
import { PROVIDER_NAMES } from "../order.ts";
import { sentAmount } from "./orders.ts";

const NOTE_CHARS_MAX = 200;

/** What an operator writes for other operators to read. */
export const sentNote = z.string().trim().max(NOTE_CHARS_MAX).default("");

const balance = { balance: decimal, held: decimal, credited: decimal, charged: decimal };

const autoTopUp = z
  .strictObject({
    enabled: z.boolean(),
    waiting_for_card: z.boolean().describe("It is wanted, but no card is saved yet."),
    threshold: decimal,
    amount: decimal,
    daily_max: decimal.describe("The maximum charge within 24 hours."),
    failure: z.string().nullable(),
  })
  .meta({ id: "AutoTopUp" });

const atFirst = "Needed where nothing is stored yet.";

const changesOfAutoTopUp = z.strictObject({
  enabled: z.boolean("Say whether it is on: true or false.").optional().describe(atFirst),
  threshold: z.string('Write the amount as a text, such as "5".').optional().describe(atFirst),
  amount: z.string('Write the amount as a text, such as "20".').optional().describe(atFirst),
  daily_max: z
    .string()
    .nullable()
    .optional()
    .describe("At least the amount; null is five top-ups, the default."),
});

const changedAutoTopUp = autoTopUp.extend({
  checkout_url: z.string().nullable().describe("The page for saving a card, if one is needed."),
});

const wallet = z
  .strictObject({
    ...balance,
    test_credit: decimal.describe("The part of the balance that is test credit."),
    refundable: decimal.describe("The amount that can be refunded to cards."),
    providers: z.array(z.enum([...PROVIDER_NAMES, "code"])).readonly(),
    auto_topup: autoTopUp.nullable(),
    low_balance: z.strictObject({ threshold: decimal }).nullable(),
    display_currency: z.strictObject({ code: z.string(), rate: z.string() }).nullable(),
  })
  .meta({ id: "Wallet" });

const byHand = {
  headers: z.object({
    "idempotency-key": z.string().optional().describe("Money moves once per value and account."),
  }),
  body: z.strictObject({ amount: sentAmount, note: sentNote }),
  answer: z.strictObject({
    id: z.string(),
    account_id: z.string(),
    amount: decimal,
    note: z.string(),
    replayed: z
      .boolean()
      .describe("Whether the Idempotency-Key was used before, so nothing happened."),
    ...balance,
  }),
};

export type MovedByHand = z.output<typeof byHand.answer>;
export type AutoTopUp = z.output<typeof autoTopUp>;
export type AutoTopUpChanges = z.input<typeof changesOfAutoTopUp>;
export type ChangedAutoTopUp = z.output<typeof changedAutoTopUp>;
export type Wallet = z.output<typeof wallet>;

export const SHOW_WALLET = get(
  "/api/accounts/:account/wallet",
  "Shows the balance and the ways to top up.",
  { answer: wallet },
);
export const CHANGE_AUTO_TOPUP = put(
  "/api/accounts/:account/auto-topup",
  "Sets when and how much a saved card is charged.",
  {
    body: changesOfAutoTopUp,
    example: { enabled: true, threshold: "5", amount: "20", daily_max: "100" },
    answer: changedAutoTopUp,
  },
);
export const CREDIT_ACCOUNT = post(
  "/api/operator/accounts/:account/credit",
  "Credits an account; once per Idempotency-Key.",
  { ...byHand, example: { amount: "25", note: "Invoice 4711" } },
);
export const REFUND_ACCOUNT = post(
  "/api/operator/accounts/:account/refund",
  "Takes back manual credit; once per Idempotency-Key.",
  { ...byHand, example: { amount: "7.50", note: "Bank transfer 4711" } },
);
