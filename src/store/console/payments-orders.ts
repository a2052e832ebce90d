import type { NanoUsd } from "../../catalogue/money.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { Evidence, Order } from "../../payments/order.ts";
import type { OrdersStore } from "../../payments/store.ts";

interface OrderRow {
  readonly id: string;
  readonly account_id: string;
  readonly provider: Order["provider"];
  readonly method: string | null;
  readonly automatic: number;
  readonly amount: string;
  readonly currency: Order["currency"];
  readonly minor: string;
  readonly status: Order["status"];
  readonly reference: string | null;
  readonly payment: string | null;
  readonly notice: string | null;
  readonly checkout_url: string | null;
  readonly charged: string | null;
  readonly refunded: string;
  readonly failure: string | null;
  readonly created_at: number;
  readonly confirmed_at: number | null;
  readonly looked_at: number | null;
  readonly paid_at: number | null;
}

const COLUMNS = `id, account_id, provider, method, automatic, cast(amount_nano as text) as amount,
  currency, cast(minor as text) as minor, status, reference, payment, notice, checkout_url,
  cast(charged_nano as text) as charged, cast(refunded_nano as text) as refunded, failure,
  created_at, confirmed_at, looked_at, paid_at`;

function toOrder(row: OrderRow): Order {
  return {
    id: row.id,
    accountId: row.account_id,
    provider: row.provider,
    method: row.method,
    automatic: row.automatic === 1,
    amount: BigInt(row.amount),
    currency: row.currency,
    minor: BigInt(row.minor),
    status: row.status,
    reference: row.reference,
    payment: row.payment,
    notice: row.notice,
    checkoutUrl: row.checkout_url,
    charged: row.charged === null ? null : BigInt(row.charged),
    refunded: BigInt(row.refunded),
    failure: row.failure,
    createdAtMs: row.created_at,
    confirmedAtMs: row.confirmed_at,
    lookedAtMs: row.looked_at,
    paidAtMs: row.paid_at,
  };
}

const INSERT = `insert into payment_orders (id, account_id, provider, method, automatic, amount_nano,
  currency, minor, status, refunded_nano, created_at)`;

/** The values of a new order, in the order of `INSERT`; an order begins with nothing else. */
function newValues(order: Order): SqlValue[] {
  return [
    order.id,
    order.accountId,
    order.provider,
    order.method,
    order.automatic ? 1 : 0,
    order.amount,
    order.currency,
    order.minor,
    order.createdAtMs,
  ];
}

export class OrderRows implements OrdersStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async #select(rest: string, params: readonly SqlValue[] = []): Promise<readonly Order[]> {
    const rows = await this.#sql.query<OrderRow>(
      `select ${COLUMNS} from payment_orders ${rest}`,
      params,
    );
    return rows.map(toOrder);
  }

  async add(order: Order): Promise<void> {
    await this.#sql.query(
      `${INSERT} values ($1, $2, $3, $4, $5, $6, $7, $8, 'created', 0, $9)`,
      newValues(order),
    );
  }

  async addAutomatic(order: Order, max: NanoUsd, sinceMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `${INSERT}
       select $1, $2, $3, cast($4 as text), cast($5 as integer), cast($6 as bigint), $7,
         cast($8 as bigint), 'created', 0, cast($9 as bigint)
       where (select coalesce(sum(amount_nano), 0) from payment_orders
              where account_id = $10 and automatic = 1 and created_at > $11
                and status in ('created', 'paid', 'refunded'))
         + cast($12 as bigint) <= cast($13 as bigint)
       on conflict do nothing returning id`,
      [...newValues(order), order.accountId, sinceMs, order.amount, max],
    );
    return rows.length === 1;
  }

  async find(id: string): Promise<Order | undefined> {
    const [order] = await this.#select("where id = $1", [id]);
    return order;
  }

  list(accountId: string, after: string | undefined, limit: number): Promise<readonly Order[]> {
    return after === undefined
      ? this.#select("where account_id = $1 order by id desc limit $2", [accountId, limit])
      : this.#select("where account_id = $1 and id < $2 order by id desc limit $3", [
          accountId,
          after,
          limit,
        ]);
  }

  async refer(id: string, reference: string, checkoutUrl: string | null): Promise<void> {
    await this.#sql.query(
      "update payment_orders set reference = $1, checkout_url = $2 where id = $3",
      [reference, checkoutUrl, id],
    );
  }

  async confirm(id: string, evidence: Evidence, atMs: number): Promise<boolean> {
    const { payment, notice, charged } = evidence;
    const rows = await this.#sql.query(
      `update payment_orders set payment = $1, notice = coalesce(notice, $2),
         confirmed_at = coalesce(confirmed_at, $3), charged_nano = coalesce(charged_nano, $4)
       where id = $5 and paid_at is null and (payment is null or payment = $6)
         and not exists (select 1 from payment_orders as other
                         where other.provider = payment_orders.provider and other.payment = $7
                           and other.id <> payment_orders.id)
       returning id`,
      [payment, notice, atMs, charged ?? null, id, payment, payment],
    );
    return rows.length === 1;
  }

  async markPaid(id: string, atMs: number): Promise<void> {
    await this.#sql.query(
      `update payment_orders set status = 'paid', paid_at = $1, failure = null
       where id = $2 and confirmed_at is not null and paid_at is null`,
      [atMs, id],
    );
  }

  async close(id: string, status: "failed" | "expired", failure: string | null): Promise<boolean> {
    const rows = await this.#sql.query(
      `update payment_orders set status = $1, failure = $2
       where id = $3 and status = 'created' and confirmed_at is null returning id`,
      [status, failure, id],
    );
    return rows.length === 1;
  }

  async closeOlder(createdBeforeMs: number, checkoutsBeforeMs: number): Promise<number> {
    const rows = await this.#sql.query(
      `update payment_orders set status = 'expired'
       where status = 'created' and created_at < $1 and confirmed_at is null and automatic = 0
         and (provider <> 'stripe' or reference is null or created_at < $2)
       returning id`,
      [createdBeforeMs, checkoutsBeforeMs],
    );
    return rows.length;
  }

  async takeLook(id: string, atMs: number, restMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update payment_orders set looked_at = $1
       where id = $2 and (looked_at is null or looked_at <= $3) returning id`,
      [atMs, id, atMs - restMs],
    );
    return rows.length === 1;
  }

  listSilent(sinceMs: number, limit: number): Promise<readonly Order[]> {
    return this.#select(
      `where status = 'created' and confirmed_at is null and provider = 'stripe' and automatic = 0
         and reference is not null and coalesce(looked_at, created_at) < $1
       order by coalesce(looked_at, created_at), id limit $2`,
      [sinceMs, limit],
    );
  }

  async findByPayment(provider: Order["provider"], payment: string): Promise<Order | undefined> {
    const filter = "where provider = $1 and payment = $2";
    const [order] = await this.#select(filter, [provider, payment]);
    return order;
  }

  listOwed(): Promise<readonly Order[]> {
    return this.#select("where confirmed_at is not null and paid_at is null order by id");
  }

  listOpenAutomatic(): Promise<readonly Order[]> {
    return this.#select(
      "where automatic = 1 and status = 'created' and confirmed_at is null order by id",
    );
  }

  listRefundable(accountId: string): Promise<readonly Order[]> {
    return this.#select(
      `where account_id = $1 and provider = 'stripe' and status = 'paid'
         and refunded_nano < amount_nano
         and not exists (select 1 from payment_disputes
                         where order_id = payment_orders.id and status <> 'returned')
       order by id desc`,
      [accountId],
    );
  }

  listTest(accountId: string): Promise<readonly Order[]> {
    return this.#select(
      `where account_id = $1 and provider = 'test' and confirmed_at is not null
       order by confirmed_at, id`,
      [accountId],
    );
  }

  listTestAccounts(): ReturnType<OrdersStore["listTestAccounts"]> {
    return this.#sql.query(
      `select account_id as id, count(*) as orders from payment_orders
       where provider = 'test' and confirmed_at is not null
       group by account_id order by account_id`,
    );
  }
}
