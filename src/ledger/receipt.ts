import type { Charge, NanoUsd } from "../catalogue/money.ts";
import type { Usage } from "../protocols/usage.ts";

/** Why a request was charged what it was. Printed on its receipt. */
export type BillingReason =
  /** Answered in full; the vendor's own counts. */
  | "completed"
  /** Answered in full, but the vendor reported no usage: our estimate. */
  | "completed_estimated"
  /** The client left: input and what was delivered. */
  | "client_closed"
  /** The client left a call that the vendor bills anyway: finished, and the vendor's counts. */
  | "client_closed_finished"
  /** The vendor failed but reported usage. */
  | "upstream_failed_with_usage"
  /** The vendor failed and reported none: nothing. */
  | "upstream_failed"
  /** Our own failure: nothing. */
  | "gateway_failed"
  /** The process died while the request ran: nothing. */
  | "interrupted"
  /** Refused before any vendor was called: nothing. */
  | "refused";

/** The priced usage row of one request. Every generation that named a valid key has exactly one. */
export interface Receipt {
  readonly requestId: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly createdAtMs: number;
  readonly endpoint: string;
  /** As the client wrote it, cut to a sane length; may be a model that does not exist. */
  readonly model: string;
  readonly stream: boolean;
  readonly status: number;
  readonly billingReason: BillingReason;
  readonly errorCode: string | null;
  readonly channel: string | null;
  readonly vendorRequestId: string | null;
  /** The id of the answer on the wire, `resp_…` or `chatcmpl-…`. */
  readonly responseId: string | null;
  readonly usage: Usage;
  /** Where the counts come from. */
  readonly usageSource: "vendor" | "estimated" | "none";
  readonly priceVersion: string | null;
  readonly charge: Charge;
  readonly held: NanoUsd;
  /** What the request cost the house and nobody is charged for, as far as it can be known. */
  readonly loss: NanoUsd;
  readonly firstByteMs: number | null;
  readonly durationMs: number;
}

/** The end of a hold: posted with a charge or voided without, and the receipt that says why. */
export interface Settlement {
  readonly kind: "post" | "void";
  readonly receipt: Receipt;
  /** Tokens to add to the key's rate window beyond what admission counted. */
  readonly tokensBeyondEstimate: number;
}
