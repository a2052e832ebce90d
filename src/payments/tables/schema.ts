import { amount, asNamed, type ColumnsOf, flag, json, keptAs, plain } from "../../lib/sql/kept.ts";
import type { AutoTopUp } from "../auto-topup.ts";
import type { Batch, Code } from "../code.ts";
import type { Dispute } from "../dispute.ts";
import type { Order, Refund } from "../order.ts";
import type { Reversal } from "./reversals.ts";

export const ORDER = keptAs<Order>()({
  ...asNamed("id", "provider", "method", "currency", "status", "reference", "payment", "notice"),
  failure: plain("failure"),
  accountId: plain("account_id"),
  automatic: flag("automatic"),
  amount: amount("amount_nano"),
  minor: amount("minor"),
  checkoutUrl: plain("checkout_url"),
  charged: amount("charged_nano"),
  refunded: amount("refunded_nano"),
  createdAtMs: plain("created_at"),
  confirmedAtMs: plain("confirmed_at"),
  lookedAtMs: plain("looked_at"),
  paidAtMs: plain("paid_at"),
});

export const REFUND = keptAs<Refund>()({
  ...asNamed("id", "payment", "status", "reference", "failure"),
  accountId: plain("account_id"),
  orderId: plain("order_id"),
  amount: amount("amount_nano"),
  minor: amount("minor"),
  kept: amount("kept_nano"),
  askedBy: json("asked_by"),
  createdAtMs: plain("created_at"),
});

export const DISPUTE = keptAs<Dispute>()({
  ...asNamed("id", "status"),
  accountId: plain("account_id"),
  orderId: plain("order_id"),
  amount: amount("amount_nano"),
  taken: amount("taken_nano"),
  createdAtMs: plain("created_at"),
});

export const REVERSAL = keptAs<Reversal>()({
  id: plain("id"),
  accountId: plain("account_id"),
  amount: amount("amount_nano"),
  charged: amount("charged_nano"),
  createdAtMs: plain("created_at"),
});

export const AUTO_TOPUP = keptAs<AutoTopUp>()({
  ...asNamed("customer", "method", "setup", "refusals", "failure"),
  accountId: plain("account_id"),
  enabled: flag("enabled"),
  threshold: amount("threshold_nano"),
  amount: amount("amount_nano"),
  dailyMax: amount("daily_max_nano"),
  restsUntilMs: plain("rests_until"),
});

/** What became of the codes is counted. */
export const BATCH = keptAs<Omit<Batch, "redeemed" | "revoked">>()({
  ...asNamed("id", "note", "codes"),
  amount: amount("amount_nano"),
  expiresAtMs: plain("expires_at"),
  createdAtMs: plain("created_at"),
});

export const CODE = keptAs<Code>()({
  id: plain("id"),
  lastFour: plain("last_four"),
  batchId: plain("batch_id"),
  amount: amount("amount_nano"),
  expiresAtMs: plain("expires_at"),
  redeemedBy: plain("redeemed_by"),
  redeemedPerson: plain("redeemed_person"),
  redeemedAtMs: plain("redeemed_at"),
  revokedAtMs: plain("revoked_at"),
  credited: flag("credited"),
});

export interface PaymentsTables {
  readonly payment_orders: ColumnsOf<typeof ORDER>;
  readonly payment_refunds: ColumnsOf<typeof REFUND>;
  readonly payment_disputes: ColumnsOf<typeof DISPUTE>;
  readonly test_reversals: ColumnsOf<typeof REVERSAL> & {
    readonly status: "open" | "done" | "failed";
  };
  readonly code_batches: ColumnsOf<typeof BATCH>;
  readonly codes: ColumnsOf<typeof CODE> & { readonly hash: string };
  readonly auto_topups: ColumnsOf<typeof AUTO_TOPUP>;
}
