import type { NanoUsd } from "../catalogue/money.ts";

export type DisputeStatus =
  /** An amount is set for the balance to lose; whether it has is not known yet. */
  | "taking"
  | "taken"
  /** The dispute was won; the balance is owed what it lost. */
  | "returning"
  | "returned";

/** A payer's bank asks for a payment back. */
export interface Dispute {
  /** Stripe's, and the id of its entry in the ledger. */
  readonly id: string;
  readonly accountId: string;
  readonly orderId: string;
  /** What the bank asks for. */
  readonly amount: NanoUsd;
  /** What of it the balance has lost or is about to: no more than was left in it. */
  readonly taken: NanoUsd;
  readonly status: DisputeStatus;
  readonly createdAtMs: number;
}
