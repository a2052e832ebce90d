import type { Sql } from "../../lib/sql/sql.ts";
import type { PaymentsStore, Reversal, ReversalsStore } from "../../payments/store.ts";
import { AutoTopUpRows } from "./payments-auto-topups.ts";
import { CodeRows } from "./payments-codes.ts";
import { DisputeRows } from "./payments-disputes.ts";
import { OrderRows } from "./payments-orders.ts";
import { RefundRows } from "./payments-refunds.ts";

interface ReversalRow {
  readonly id: string;
  readonly account_id: string;
  readonly amount: string;
  readonly charged: string;
  readonly created_at: number;
}

const REVERSAL_COLUMNS = `id, account_id, cast(amount_nano as text) as amount,
  cast(charged_nano as text) as charged, created_at`;

function toReversal(row: ReversalRow): Reversal {
  return {
    id: row.id,
    accountId: row.account_id,
    amount: BigInt(row.amount),
    charged: BigInt(row.charged),
    createdAtMs: row.created_at,
  };
}

class ReversalRows implements ReversalsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(reversal: Reversal, counted: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into test_reversals (id, account_id, amount_nano, charged_nano, status, created_at)
       select $1, $2, cast($3 as bigint), cast($4 as bigint), 'open', cast($5 as bigint)
       where (select count(*) from test_reversals
              where account_id = $6 and status <> 'failed') = $7
       on conflict do nothing returning id`,
      [
        reversal.id,
        reversal.accountId,
        reversal.amount,
        reversal.charged,
        reversal.createdAtMs,
        reversal.accountId,
        counted,
      ],
    );
    return rows.length === 1;
  }

  async finish(id: string, status: "done" | "failed"): Promise<void> {
    await this.#sql.query(
      "update test_reversals set status = $1 where id = $2 and status = 'open'",
      [status, id],
    );
  }

  async listOpen(): Promise<readonly Reversal[]> {
    const rows = await this.#sql.query<ReversalRow>(
      `select ${REVERSAL_COLUMNS} from test_reversals where status = 'open'
       order by id`,
    );
    return rows.map(toReversal);
  }

  async listCounted(accountId: string): Promise<readonly Reversal[]> {
    const rows = await this.#sql.query<ReversalRow>(
      `select ${REVERSAL_COLUMNS} from test_reversals
       where account_id = $1 and status <> 'failed' order by created_at, id`,
      [accountId],
    );
    return rows.map(toReversal);
  }
}

/** The tables of payments behind the ports of their room. */
export function openPaymentsStore(sql: Sql): PaymentsStore {
  return {
    orders: new OrderRows(sql),
    refunds: new RefundRows(sql),
    disputes: new DisputeRows(sql),
    reversals: new ReversalRows(sql),
    codes: new CodeRows(sql),
    autoTopUps: new AutoTopUpRows(sql),
  };
}
