import type { Leeway } from "../accounts/account.ts";
import type { Charge, NanoUsd } from "../catalogue/money.ts";
import type { Usage } from "../protocols/usage.ts";
import type { MoneyRefusal } from "./refusal.ts";

/** Why a request was charged what it was. Printed on its receipt. */
export const BILLING_REASONS = [
  /** Answered in full; the vendor's own counts, and our estimate of what it left out of them. */
  "completed",
  /** Answered in full, but nothing of what the vendor reported can be true: our estimate. */
  "completed_estimated",
  /** Its money ended before the answer did: input and what was delivered. */
  "budget_ended",
  /** The client left: input and what was delivered. */
  "client_closed",
  /** The client left a call that the vendor bills anyway: finished, and the vendor's counts. */
  "client_closed_finished",
  /** The vendor refused what was asked, and reported no usage: nothing. */
  "upstream_refused",
  /** The vendor failed but reported usage. */
  "upstream_failed_with_usage",
  /** The vendor failed and reported none: nothing. */
  "upstream_failed",
  /** Our own failure: nothing. */
  "gateway_failed",
  /** The process died while the request ran: nothing. */
  "interrupted",
  /** So it seemed, and the next request of its `Idempotency-Key` has taken its place: nothing. */
  "taken_over",
  /** Refused before any vendor was called, or impossible to say to any: nothing. */
  "refused",
] as const;
export type BillingReason = (typeof BILLING_REASONS)[number];

/** Where the counts of a receipt come from; `mixed` where a part of them is the vendor's. */
export const USAGE_SOURCES = ["vendor", "mixed", "estimated", "none"] as const;
export type UsageSource = (typeof USAGE_SOURCES)[number];

/**
 * The longest id of an answer that a receipt keeps. PostgreSQL refuses a row whose id does not fit into its index,
 * which has room for some 2,700 bytes; a vendor may write any.
 */
export const RESPONSE_ID_CHARS_MAX = 512;

/** One call to a vendor on behalf of a request, as its receipt keeps it. */
export interface AttemptRecord {
  readonly channel: string;
  /** The last four characters of the vendor key, where there was one. */
  readonly credential: string | null;
  /** Our id of the model, when it was not the one asked for. */
  readonly model: string | null;
  /** The vendor's HTTP status; 0 when it gave none. */
  readonly status: number;
  /** Why it did not serve; null for the one that did. */
  readonly code: string | null;
  /** What the vendor said, cut and without anything secret; null where it served or said nothing. */
  readonly message: string | null;
  /** Since the request came. */
  readonly startedMs: number;
  readonly durationMs: number;
}

/**
 * The priced usage row of one request. Every generation that named a valid key has exactly one; of
 * refusals that come in a loop, those of one minute share theirs.
 */
export interface Receipt {
  /** Of several requests, the first one's; so are the model, the endpoint and the times. */
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly createdAtMs: number;
  readonly endpoint: string;
  /** As the client wrote it, cut to a sane length; of those that do not exist, `UnknownModels` says how many are named. */
  readonly model: string;
  readonly stream: boolean;
  readonly status: number;
  readonly billingReason: BillingReason;
  readonly errorCode: string | null;
  /** Which limit refused it and what helps, where one of money or of the key's rates did. */
  readonly refusal: MoneyRefusal | null;
  readonly channel: string | null;
  /** The model that answered, when it was a fallback instead of the one asked for. */
  readonly servedModel: string | null;
  /**
   * The calls to vendors in order. A single one that served says nothing that the receipt does not,
   * so it is not kept: such a receipt is read back with an empty list.
   */
  readonly attempts: readonly AttemptRecord[];
  readonly vendorRequestId: string | null;
  /** The id of the answer on the wire, `resp_…` or `chatcmpl-…`; null where it is too long to be one. */
  readonly responseId: string | null;
  readonly usage: Usage;
  readonly usageSource: UsageSource;
  readonly priceVersion: string | null;
  readonly charge: Charge;
  /** What the vendor itself says it charged, a decimal in dollars, where it says so. */
  readonly vendorCost: string | null;
  readonly held: NanoUsd;
  /** The most output of a choice that the vendor was asked for, as the money held bought no more. */
  readonly outputClamp: number | null;
  /** What the request cost the house and nobody is charged for, as far as it can be known. */
  readonly loss: NanoUsd;
  /** The part of the loss that comes from input which the vendor counted beyond our bound of it. */
  readonly inputLoss: NanoUsd;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** How many requests it stands for: more than one only where refusals share it. */
  readonly requests: number;
  /** When the last of them was refused; null for the receipt of a single request. */
  readonly lastAtMs: number | null;
}

/** Whether some of the counts are ours, because the vendor's were missing or could not be true. */
export function isEstimated({ usageSource }: Pick<Receipt, "usageSource">): boolean {
  return usageSource === "mixed" || usageSource === "estimated";
}

/** Tokens that a request took from its key's window when it was admitted, and the second that has them. */
export interface TokensTaken {
  readonly second: number;
  readonly tokens: number;
}

/** The true count of a request that took tokens. */
export interface TokensUsed {
  readonly taken: TokensTaken;
  readonly used: number;
}

/** The end of a hold: posted with a charge or voided without, and the receipt that says why. */
export interface Settlement {
  readonly kind: "post" | "void";
  readonly receipt: Receipt;
  /** By how much it may pass its limits, should its hold be void by now. Without it by nothing. */
  readonly leeway?: Leeway;
  /** What it took of its key's tokens per minute, and its true count. Without it what it took stays. */
  readonly tokens?: TokensUsed | undefined;
}
