import type { Sql } from "../../lib/sql/sql.ts";
import type { AutoTopUp } from "../../payments/auto-topup.ts";
import type { AutoTopUpStore } from "../../payments/store.ts";

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

export class AutoTopUpRows implements AutoTopUpStore {
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

  async keepCard(accountId: string, setup: string, method: string): Promise<boolean> {
    const rows = await this.#sql.query(
      `update auto_topups set method = $1 where account_id = $2 and setup = $3
       returning account_id`,
      [method, accountId, setup],
    );
    return rows.length === 1;
  }

  async endSetup(accountId: string, setup: string): Promise<void> {
    await this.#sql.query(
      "update auto_topups set setup = null where account_id = $1 and setup = $2",
      [accountId, setup],
    );
  }

  async suspend(accountId: string, reason: string): Promise<void> {
    await this.#sql.query(
      "update auto_topups set enabled = 0, failure = $1 where account_id = $2 and enabled = 1",
      [reason, accountId],
    );
  }

  async refuse(
    accountId: string,
    { reason, restsUntilMs, max }: Parameters<AutoTopUpStore["refuse"]>[1],
  ): Promise<AutoTopUp | undefined> {
    const [row] = await this.#sql.query<AutoTopUpRow>(
      `update auto_topups set failure = $1, rests_until = $2, refusals = refusals + 1,
         enabled = case when refusals + 1 >= $3 then 0 else enabled end
       where account_id = $4 returning ${AUTO_TOPUP_COLUMNS}`,
      [reason, restsUntilMs, max, accountId],
    );
    return row && toAutoTopUp(row);
  }

  async rest(accountId: string, untilMs: number): Promise<void> {
    await this.#sql.query("update auto_topups set rests_until = $1 where account_id = $2", [
      untilMs,
      accountId,
    ]);
  }

  async forgive(accountId: string): Promise<void> {
    await this.#sql.query(
      `update auto_topups set refusals = 0, rests_until = 0, failure = null
       where account_id = $1 and refusals > 0`,
      [accountId],
    );
  }
}
