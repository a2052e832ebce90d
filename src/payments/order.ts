import type { NanoUsd } from "../catalogue/money.ts";

/** Ways to pay for an order. Codes and the operator's credit need none. */
export const PROVIDER_NAMES = ["stripe", "epay", "test"] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export type Currency = "usd" | "cny";

/**
 * `created` becomes one of the others. Money that arrives late is still money: an order that had
 * failed or expired becomes paid by it.
 */
export const ORDER_STATUSES = ["created", "paid", "failed", "expired", "refunded"] as const;

export interface Order {
  /** Also the id of its entry in the ledger, so that it is credited once. */
  readonly id: string;
  readonly accountId: string;
  readonly provider: ProviderName;
  /** A choice within the provider, such as `alipay`. */
  readonly method: string | null;
  /** Made by the gateway itself because the balance ran low. */
  readonly automatic: boolean;
  readonly amount: NanoUsd;
  readonly currency: Currency;
  /** What is paid, in cents or fen. */
  readonly minor: bigint;
  readonly status: (typeof ORDER_STATUSES)[number];
  /** What the provider calls the order: a session, an intent. */
  readonly reference: string | null;
  /** What the provider calls the payment. One payment pays one order. */
  readonly payment: string | null;
  /** Digest of the signature of the notice that paid it; the same one again is a replay. */
  readonly notice: string | null;
  readonly checkoutUrl: string | null;
  /** What the account had been charged in all when test money came, to tell how much is left of it. */
  readonly charged: NanoUsd | null;
  /** What went back or is on its way back. */
  readonly refunded: NanoUsd;
  readonly failure: string | null;
  readonly createdAtMs: number;
  /** When the provider's word was kept. From then on the credit is owed. */
  readonly confirmedAtMs: number | null;
  /** When the provider was last asked after it, by us. */
  readonly lookedAtMs: number | null;
  readonly paidAtMs: number | null;
}

/** What a provider proves of a payment. */
export interface Evidence {
  readonly payment: string;
  readonly notice: string | null;
  readonly charged?: NanoUsd;
}

export type RefundStatus =
  /** A part of an order is set aside; the balance may or may not have been reduced. */
  | "reserved"
  /** The balance is reduced; whether the provider has paid is not known yet. */
  | "debited"
  /** The provider does not pay it, or must not; the balance is owed the amount again. */
  | "returning"
  | "done"
  | "failed";

/** Who wants money back, and the line that the audit log has of it, or is to have. */
export interface Asker {
  readonly line: string;
  /** Absent for a token. */
  readonly userId?: string | undefined;
  readonly name: string;
}

export interface Refund {
  readonly id: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly payment: string;
  readonly amount: NanoUsd;
  readonly minor: bigint;
  /** What of one that did not happen stays out of the balance, since the payment is disputed. */
  readonly kept: NanoUsd;
  readonly status: RefundStatus;
  readonly reference: string | null;
  readonly failure: string | null;
  /** Null where nobody is to be named, and for those of before this was kept: the audit log was told by then. */
  readonly askedBy: Asker | null;
  readonly createdAtMs: number;
}
