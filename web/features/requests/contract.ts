import type { Decimal, Instant, Period, RequestStatus } from "../../lib/contract.ts";

export interface ReceiptLine {
  readonly item:
    | "input"
    | "cache_read"
    | "cache_write"
    | "cache_write_long"
    | "output"
    | "web_search"
    /** Below zero: what is not charged, since more than the hold must not be. */
    | "extras"
    | "beyond_hold";
  readonly quantity: number;
  /** Of one token or one search. */
  readonly unit_price: Decimal;
  readonly amount: Decimal;
}

export interface ReceiptAttempt {
  /** Only operators see it, and the credential. */
  readonly channel: string | null;
  readonly credential: string | null;
  readonly model: string | null;
  /** 0 when the vendor gave none. */
  readonly status: number;
  readonly code: string | null;
  /** What the vendor said; words that are not about the request are for operators. */
  readonly message: string | null;
  readonly started_ms: number;
  readonly duration_ms: number;
}

export interface ReceiptEntry {
  readonly kind: "hold" | "post" | "void";
  readonly amount: Decimal;
  readonly created_at: Instant;
}

export type RateScope = "requests_per_minute" | "tokens_per_minute" | "concurrent_requests";

/** Which limit refused a request. What is not known is null. Of a rate, `used` and `max` are counts. */
export interface ReceiptRefusal {
  readonly scope: "balance" | "budget" | RateScope;
  readonly period: Period | null;
  readonly used: Decimal | null;
  readonly max: Decimal | null;
  readonly left: Decimal | null;
  readonly needed: Decimal | null;
  readonly resets_at: Instant | null;
  /** What helps, as the client was told; pages say it in the visitor's language. */
  readonly fix: string;
}

export const BILLING_REASONS = [
  "completed",
  "completed_estimated",
  "client_closed",
  "client_closed_finished",
  "budget_ended",
  "upstream_failed_with_usage",
  "upstream_failed",
  "upstream_refused",
  "gateway_failed",
  "interrupted",
  "refused",
] as const;
export type BillingReason = (typeof BILLING_REASONS)[number];

export type Blame = "client" | "key" | "limit" | "vendor" | "operator" | "gateway";

/** Why one request cost what it cost. */
export interface Receipt {
  readonly id: string;
  readonly response_id: string | null;
  readonly created_at: Instant;
  readonly endpoint: string;
  readonly model: string;
  readonly served_model: string | null;
  readonly stream: boolean;
  /** Of HTTP. */
  readonly status: number;
  readonly outcome: RequestStatus;
  readonly error_code: string | null;
  /** Whose doing it was that there is no answer. */
  readonly blame: Blame | null;
  /** Null unless a limit refused it. */
  readonly refusal: ReceiptRefusal | null;
  readonly billing_reason: string;
  readonly key_id: string;
  readonly key_name: string;
  readonly channel: string | null;
  readonly vendor_request_id: string | null;
  /** Empty when the first call to a vendor served. */
  readonly attempts: readonly ReceiptAttempt[];
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly reasoning_tokens: number;
    readonly source: "vendor" | "mixed" | "estimated" | "none";
    /** Some of the counts are ours. */
    readonly estimated: boolean;
    /** The vendor said something that was not taken as it is. */
    readonly clamped: boolean;
  };
  readonly price_version: string | null;
  readonly lines: readonly ReceiptLine[];
  readonly cost: Decimal;
  readonly held: Decimal;
  /** The most output tokens that the vendor was asked for, as the money held bought no more. */
  readonly clamped_to: number | null;
  readonly first_byte_ms: number | null;
  readonly duration_ms: number;
  /** How many requests it stands for: more than one only where refusals share it. */
  readonly requests: number;
  /** When the last of them was refused. */
  readonly last_at: Instant | null;
  readonly entries: readonly ReceiptEntry[];
  /** These two are for operators. */
  readonly loss?: Decimal;
  readonly vendor_cost?: Decimal | null;
}
