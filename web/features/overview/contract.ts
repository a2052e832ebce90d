import type { RequestRow } from "../../../src/console/contract/requests.ts";
import type { Decimal } from "../../lib/contract.ts";

export interface Overview {
  readonly balance: Decimal;
  readonly held: Decimal;
  readonly credited: Decimal;
  readonly charged: Decimal;
  /** Null before a whole day on which something was spent. */
  readonly runway_days: number | null;
  readonly spend_today: Decimal;
  readonly spend_month: Decimal;
  readonly requests_today: number;
  readonly errors_today: number;
  readonly series: readonly {
    readonly day: string;
    readonly cost: Decimal;
    readonly requests: number;
    readonly failures: number;
  }[];
  readonly last_requests: readonly RequestRow[];
  /** Whether the account has made its first key. */
  readonly first_key: boolean;
}

/** What a snippet needs to know of a model. */
export interface OfferedModel {
  readonly id: string;
  readonly endpoints: readonly string[];
}
