import type { Decimal, Instant } from "../../lib/contract.ts";

export interface CodeBatch {
  readonly id: string;
  readonly amount: Decimal;
  readonly note: string;
  readonly count: number;
  readonly redeemed: number;
  /** What the codes that nobody has used are still worth. */
  readonly outstanding: Decimal;
  readonly expires_at: Instant | null;
  readonly created_at: Instant;
}

/** The answer to the creation of a batch: the only time its codes are told. */
export interface CreatedBatch extends CodeBatch {
  readonly codes: readonly string[];
}

export const BATCHES = "/api/operator/codes/batches";
