import type { AutoTopUp } from "../../payments/auto-topup.ts";
import type {
  AutoTopUpStore,
  PaymentsStore,
  Reversal,
  ReversalsStore,
} from "../../payments/store.ts";
import type { Sql } from "../sql.ts";
import { CodeRows } from "./payments-codes.ts";
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
      `select ${REVERSAL_COLUMNS} from test_reversals where status = 'open'`,
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

interface AutoTopUpRow {
  readonly account_id: string;
  readonly enabled: number;
  readonly threshold: string;
  readonly amount: string;
  readonly daily_max: string;
  readonly customer: string | null;
  readonly method: string | null;
  readonly setup: string | null;
  readonly refusals: number;
  readonly rests_until: number;
  readonly failure: string | null;
}

const AUTO_TOPUP_COLUMNS = `account_id, enabled, cast(threshold_nano as text) as threshold,
  cast(amount_nano as text) as amount, cast(daily_max_nano as text) as daily_max, customer, method,
  setup, refusals, rests_until, failure`;

function toAutoTopUp(row: AutoTopUpRow): AutoTopUp {
  return {
    accountId: row.account_id,
    enabled: row.enabled === 1,
    threshold: BigInt(row.threshold),
    amount: BigInt(row.amount),
    dailyMax: BigInt(row.daily_max),
    customer: row.customer,
    method: row.method,
    setup: row.setup,
    refusals: row.refusals,
    restsUntilMs: row.rests_until,
    failure: row.failure,
  };
}

class AutoTopUpRows implements AutoTopUpStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(accountId: string): Promise<AutoTopUp | undefined> {
    const [row] = await this.#sql.query<AutoTopUpRow>(
      `select ${AUTO_TOPUP_COLUMNS} from auto_topups where account_id = $1`,
      [accountId],
    );
    return row && toAutoTopUp(row);
  }

  async save(settings: AutoTopUp): Promise<void> {
    await this.#sql.query(
      `insert into auto_topups (account_id, enabled, threshold_nano, amount_nano, daily_max_nano,
         customer, method, setup, refusals, rests_until, failure)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (account_id) do update set enabled = excluded.enabled,
         threshold_nano = excluded.threshold_nano, amount_nano = excluded.amount_nano,
         daily_max_nano = excluded.daily_max_nano, customer = excluded.customer,
         method = excluded.method, setup = excluded.setup, refusals = excluded.refusals,
         rests_until = excluded.rests_until, failure = excluded.failure`,
      [
        settings.accountId,
        settings.enabled ? 1 : 0,
        settings.threshold,
        settings.amount,
        settings.dailyMax,
        settings.customer,
        settings.method,
        settings.setup,
        settings.refusals,
        settings.restsUntilMs,
        settings.failure,
      ],
    );
  }

  async listDue(nowMs: number): Promise<readonly AutoTopUp[]> {
    const rows = await this.#sql.query<AutoTopUpRow>(
      `select ${AUTO_TOPUP_COLUMNS} from auto_topups
       where enabled = 1 and method is not null and rests_until <= $1 order by account_id`,
      [nowMs],
    );
    return rows.map(toAutoTopUp);
  }
}

/** The tables of payments behind the ports of their room. */
export function openPaymentsStore(sql: Sql): PaymentsStore {
  return {
    orders: new OrderRows(sql),
    refunds: new RefundRows(sql),
    reversals: new ReversalRows(sql),
    codes: new CodeRows(sql),
    autoTopUps: new AutoTopUpRows(sql),
  };
}
