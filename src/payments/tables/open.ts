import type { Sql } from "../../lib/sql/sql.ts";
import { AutoTopUpRows } from "./auto-topups.ts";
import { CodeRows } from "./codes.ts";
import { DisputeRows } from "./disputes.ts";
import { OrderRows } from "./orders.ts";
import { RefundRows } from "./refunds.ts";
import { ReversalRows } from "./reversals.ts";

export type PaymentsStore = ReturnType<typeof openPaymentsStore>;

/** The tables of this room. */
export function openPaymentsStore(sql: Sql) {
  return {
    orders: new OrderRows(sql),
    refunds: new RefundRows(sql),
    disputes: new DisputeRows(sql),
    reversals: new ReversalRows(sql),
    codes: new CodeRows(sql),
    autoTopUps: new AutoTopUpRows(sql),
  };
}
