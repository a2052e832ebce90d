import type { NanoUsd } from "../../catalogue/money.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { Dispute, DisputeStatus } from "../../payments/dispute.ts";
import type { DisputesStore } from "../../payments/store.ts";

interface DisputeRow {
  readonly id: string;
  readonly account_id: string;
  readonly order_id: string;
  readonly amount: string;
  readonly taken: string;
  readonly status: DisputeStatus;
  readonly created_at: number;
}

const COLUMNS = `id, account_id, order_id, cast(amount_nano as text) as amount,
  cast(taken_nano as text) as taken, status, created_at`;

function toDispute(row: DisputeRow): Dispute {
  return {
    id: row.id,
    accountId: row.account_id,
    orderId: row.order_id,
    amount: BigInt(row.amount),
    taken: BigInt(row.taken),
    status: row.status,
    createdAtMs: row.created_at,
  };
}

export class DisputeRows implements DisputesStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async #select(rest: string, params: readonly SqlValue[] = []): Promise<readonly Dispute[]> {
    const text = `select ${COLUMNS} from payment_disputes ${rest}`;
    return (await this.#sql.query<DisputeRow>(text, params)).map(toDispute);
  }

  async add(dispute: Dispute): Promise<boolean> {
    const { id, accountId, orderId, amount, taken, status, createdAtMs } = dispute;
    const rows = await this.#sql.query(
      `insert into payment_disputes (id, account_id, order_id, amount_nano, taken_nano, status,
         created_at) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing returning id`,
      [id, accountId, orderId, amount, taken, status, createdAtMs],
    );
    return rows.length === 1;
  }

  async find(id: string): Promise<Dispute | undefined> {
    const [dispute] = await this.#select("where id = $1", [id]);
    return dispute;
  }

  async plan(id: string, from: NanoUsd, to: NanoUsd): Promise<boolean> {
    const rows = await this.#sql.query(
      `update payment_disputes set taken_nano = $1
       where id = $2 and status = 'taking' and taken_nano = $3 returning id`,
      [to, id, from],
    );
    return rows.length === 1;
  }

  async move(id: string, from: DisputeStatus, to: DisputeStatus): Promise<boolean> {
    const rows = await this.#sql.query(
      "update payment_disputes set status = $1 where id = $2 and status = $3 returning id",
      [to, id, from],
    );
    return rows.length === 1;
  }

  listOpen(): Promise<readonly Dispute[]> {
    return this.#select("where status in ('taking', 'returning') order by id");
  }
}
