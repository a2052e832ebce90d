import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { Refund, RefundStatus } from "../../payments/order.ts";
import type { RefundsStore } from "../../payments/store.ts";

interface RefundRow {
  readonly id: string;
  readonly account_id: string;
  readonly order_id: string;
  readonly payment: string;
  readonly amount: string;
  readonly minor: string;
  readonly kept: string;
  readonly status: RefundStatus;
  readonly reference: string | null;
  readonly failure: string | null;
  readonly created_at: number;
}

const COLUMNS = `id, account_id, order_id, payment, cast(amount_nano as text) as amount,
  cast(minor as text) as minor, cast(kept_nano as text) as kept, status, reference, failure, created_at`;

function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    accountId: row.account_id,
    orderId: row.order_id,
    payment: row.payment,
    amount: BigInt(row.amount),
    minor: BigInt(row.minor),
    kept: BigInt(row.kept),
    status: row.status,
    reference: row.reference,
    failure: row.failure,
    createdAtMs: row.created_at,
  };
}

/** An order all of which has gone back for good is refunded; one that got something back is not. */
async function restate(sql: Sql, orderId: string): Promise<void> {
  await sql.query(
    `update payment_orders set status = case
         when refunded_nano = amount_nano and not exists
           (select 1 from payment_refunds where order_id = payment_orders.id
              and status in ('reserved', 'debited', 'returning'))
         then 'refunded' else 'paid' end
     where id = $1 and paid_at is not null`,
    [orderId],
  );
}

/**
 * A dispute takes what is in the balance, where a refund on its way is not. When that refund does not
 * happen, its amount is the dispute's first, and comes back with it if the dispute is won.
 */
async function keepForDispute(sql: Sql, refundId: string, orderId: string): Promise<void> {
  const [kept] = await sql.query<{ id: string; part: string }>(
    `select d.id, cast(case when r.amount_nano < d.amount_nano - d.taken_nano then r.amount_nano
       else d.amount_nano - d.taken_nano end as text) as part
     from payment_refunds r join payment_disputes d on d.order_id = r.order_id
     where r.id = $1 and d.order_id = $2 and d.status = 'taken' and d.taken_nano < d.amount_nano
     order by d.id limit 1`,
    [refundId, orderId],
  );
  if (!kept) return;
  const part = BigInt(kept.part);
  await sql.query("update payment_disputes set taken_nano = taken_nano + $1 where id = $2", [
    part,
    kept.id,
  ]);
  await sql.query("update payment_refunds set kept_nano = $1 where id = $2", [part, refundId]);
}

export class RefundRows implements RefundsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  reserve(refund: Refund): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const rows = await sql.query(
        `update payment_orders set refunded_nano = refunded_nano + $1
         where id = $2 and status = 'paid' and refunded_nano + $3 <= amount_nano
           and not exists (select 1 from payment_disputes
                           where order_id = payment_orders.id and status <> 'returned')
         returning id`,
        [refund.amount, refund.orderId, refund.amount],
      );
      if (rows.length === 0) return false;
      await sql.query(
        `insert into payment_refunds (id, account_id, order_id, payment, amount_nano, minor, status,
           created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          refund.id,
          refund.accountId,
          refund.orderId,
          refund.payment,
          refund.amount,
          refund.minor,
          refund.status,
          refund.createdAtMs,
        ],
      );
      return true;
    });
  }

  async #select(rest: string, params: readonly SqlValue[] = []): Promise<readonly Refund[]> {
    const rows = await this.#sql.query<RefundRow>(
      `select ${COLUMNS} from payment_refunds ${rest}`,
      params,
    );
    return rows.map(toRefund);
  }

  async find(id: string): Promise<Refund | undefined> {
    const [refund] = await this.#select("where id = $1", [id]);
    return refund;
  }

  list(accountId: string, limit: number): Promise<readonly Refund[]> {
    return this.#select("where account_id = $1 order by id desc limit $2", [accountId, limit]);
  }

  listOpen(): Promise<readonly Refund[]> {
    return this.#select("where status in ('reserved', 'debited', 'returning') order by id");
  }

  move(
    id: string,
    from: RefundStatus,
    to: RefundStatus,
    facts: { readonly reference?: string; readonly failure?: string } = {},
  ): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const [row] = await sql.query<{ order_id: string; amount: string }>(
        `update payment_refunds set status = $1, reference = coalesce($2, reference),
           failure = coalesce($3, failure)
         where id = $4 and status = $5 and ($6 <> 'returning' or not exists
           (select 1 from payment_disputes
            where order_id = payment_refunds.order_id and status = 'taking'))
         returning order_id, cast(amount_nano as text) as amount`,
        [to, facts.reference ?? null, facts.failure ?? null, id, from, to],
      );
      if (!row) return false;
      if (to === "returning") await keepForDispute(sql, id, row.order_id);
      if (to === "failed") {
        await sql.query(
          "update payment_orders set refunded_nano = refunded_nano - $1 where id = $2",
          [BigInt(row.amount), row.order_id],
        );
      }
      await restate(sql, row.order_id);
      return true;
    });
  }
}
