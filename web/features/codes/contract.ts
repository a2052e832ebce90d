import type { Decimal, Instant } from "../../lib/contract.ts";

export interface CodeBatch {
  readonly id: string;
  readonly amount: Decimal;
  readonly note: string;
  readonly count: number;
  readonly redeemed: number;
  readonly revoked: number;
  /** What the codes that nobody has used are still worth. */
  readonly outstanding: Decimal;
  readonly expires_at: Instant | null;
  readonly created_at: Instant;
}

/** The answer to the creation of a batch: the only time its codes are told. */
export interface CreatedBatch extends CodeBatch {
  readonly codes: readonly string[];
}

export const CODE_STATES = ["unused", "redeemed", "revoked"] as const;

/** What became of one code, which is known by its last four characters. */
export interface Code {
  readonly id: string;
  readonly last_four: string;
  readonly state: (typeof CODE_STATES)[number];
  readonly redeemed_at: Instant | null;
  readonly redeemed_by: {
    readonly account_id: string;
    readonly account_name: string | null;
    /** Null where that was not kept yet. */
    readonly person: string | null;
  } | null;
  readonly revoked_at: Instant | null;
}

export const BATCHES = "/api/operator/codes/batches";
