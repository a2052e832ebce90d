import type { Generated } from "kysely";
import type { Flag } from "../../lib/sql/flag.ts";
import type { AutoTopUp } from "../auto-topup.ts";
import type { Batch } from "../code.ts";
import type { Dispute } from "../dispute.ts";
import type { Order, Refund } from "../order.ts";

// Amounts are written as bigint and read as text, since a number would lose the end of a large one.

interface OrdersTable
  extends Pick<Order, "id" | "provider" | "method" | "currency" | "minor" | "status">,
    Pick<Order, "reference" | "payment" | "notice" | "failure"> {
  readonly account_id: string;
  readonly automatic: Flag;
  readonly amount_nano: bigint;
  readonly checkout_url: string | null;
  readonly charged_nano: bigint | null;
  readonly refunded_nano: bigint;
  readonly created_at: number;
  readonly confirmed_at: number | null;
  readonly looked_at: number | null;
  readonly paid_at: number | null;
}

interface RefundsTable
  extends Pick<Refund, "id" | "payment" | "minor" | "status" | "reference" | "failure"> {
  readonly account_id: string;
  readonly order_id: string;
  readonly amount_nano: bigint;
  readonly kept_nano: Generated<bigint>;
  readonly created_at: number;
}

interface DisputesTable extends Pick<Dispute, "id" | "status"> {
  readonly account_id: string;
  readonly order_id: string;
  readonly amount_nano: bigint;
  readonly taken_nano: bigint;
  readonly created_at: number;
}

interface ReversalsTable {
  readonly id: string;
  readonly account_id: string;
  readonly amount_nano: bigint;
  readonly charged_nano: bigint;
  readonly status: "open" | "done" | "failed";
  readonly created_at: number;
}

interface BatchesTable extends Pick<Batch, "id" | "note" | "codes"> {
  readonly amount_nano: bigint;
  readonly expires_at: number | null;
  readonly created_at: number;
}

interface CodesTable {
  readonly id: string;
  readonly batch_id: string;
  readonly hash: string;
  readonly last_four: string;
  readonly amount_nano: bigint;
  readonly expires_at: number | null;
  readonly redeemed_by: string | null;
  readonly redeemed_person: string | null;
  readonly redeemed_at: number | null;
  readonly revoked_at: number | null;
  readonly credited: Flag;
}

interface AutoTopUpsTable
  extends Pick<AutoTopUp, "customer" | "method" | "setup" | "refusals" | "failure"> {
  readonly account_id: string;
  /** 1 or 0. */
  readonly enabled: number;
  readonly threshold_nano: bigint;
  readonly amount_nano: bigint;
  readonly daily_max_nano: bigint;
  readonly rests_until: number;
}

export interface PaymentsTables {
  readonly payment_orders: OrdersTable;
  readonly payment_refunds: RefundsTable;
  readonly payment_disputes: DisputesTable;
  readonly test_reversals: ReversalsTable;
  readonly code_batches: BatchesTable;
  readonly codes: CodesTable;
  readonly auto_topups: AutoTopUpsTable;
}
