import type { Decimal, Instant } from "../../lib/contract.ts";

export interface Verification {
  readonly ok: boolean;
  readonly accounts: number;
  readonly keys: number;
  readonly entries: number;
  readonly receipts: number;
  readonly open_holds: number;
  readonly problems: readonly string[];
  readonly problems_total: number;
  readonly at: Instant;
  readonly duration_ms: number;
}

export interface Hold {
  readonly id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly amount: Decimal;
  readonly model: string;
  readonly channel: string;
  readonly endpoint: string;
  readonly stream: boolean;
  readonly created_at: Instant;
}

/** What was looked at: the newest receipts of that time, and whether these are all of them. */
export interface Reached {
  readonly receipts: number;
  readonly since: Instant;
  readonly whole: boolean;
}

export interface MarginLine {
  /** Empty for requests that reached none. */
  readonly channel: string;
  readonly requests: number;
  readonly failures: number;
  readonly charged: Decimal;
  /** Null where the price list does not have what was served. */
  readonly list_cost: Decimal | null;
  readonly loss: Decimal;
  readonly overage: Decimal;
  readonly margin: Decimal | null;
}

export interface Margin extends Reached {
  readonly data: readonly MarginLine[];
}

export interface OverageRequest {
  readonly request_id: string;
  readonly account_id: string;
  readonly key_id: string;
  readonly model: string;
  readonly held: Decimal;
  readonly charged: Decimal;
  readonly overage: Decimal;
  readonly created_at: Instant;
}

export interface OverdrawnAccount {
  readonly id: string;
  readonly name: string;
  readonly balance: Decimal;
  readonly held: Decimal;
}

export interface Overage extends Reached {
  readonly total: Decimal;
  readonly requests: readonly OverageRequest[];
  readonly accounts_below_zero: readonly OverdrawnAccount[];
}

export const LEDGER_PATH = "/api/operator/ledger";
