import { type ExpressionBuilder, type Kysely, sql } from "kysely";
import type { NanoUsd } from "../../catalogue/money.ts";
import { cameBy } from "../../lib/sql/came-by.ts";
import { insertIf } from "../../lib/sql/insert-if.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { Evidence, Order } from "../order.ts";
import { forgiveCard } from "./forgive-card.ts";
import { ORDER, type PaymentsTables } from "./schema.ts";

type OrderBuilder = ExpressionBuilder<PaymentsTables, "payment_orders">;

/** An order whose payment no bank asks back. */
export function undisputed({ not, exists, selectFrom }: OrderBuilder) {
  return not(
    exists(
      selectFrom("payment_disputes")
        .select("payment_disputes.id")
        .whereRef("payment_disputes.order_id", "=", "payment_orders.id")
        .where("payment_disputes.status", "<>", "returned"),
    ),
  );
}

/** Ends an order nobody paid. False when it is not open any more. */
export async function closeOrder(
  tables: Kysely<PaymentsTables>,
  id: string,
  status: "failed" | "expired",
  failure: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tables
    .updateTable("payment_orders")
    .set({ status, failure })
    .where((eb) => eb.and({ id, status: "created", confirmed_at: null }))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export class OrderRows extends Rows<PaymentsTables> {
  #select() {
    return this.tables.selectFrom("payment_orders").select(ORDER.columns);
  }

  async add(order: Order): Promise<void> {
    await this.tables.insertInto("payment_orders").values(ORDER.cells(order)).execute();
  }

  /** Automatic orders of an account since then that were paid or still may be. */
  #automatic(accountId: string, sinceMs: number) {
    return this.tables
      .selectFrom("payment_orders")
      .where("account_id", "=", accountId)
      .where("automatic", "=", literal(1))
      .where("created_at", ">", sinceMs)
      .where("status", "in", ["created", "paid", "refunded"]);
  }

  /** What those come to. */
  async spentAutomatically(accountId: string, sinceMs: number): Promise<NanoUsd> {
    const row = await this.#automatic(accountId, sinceMs)
      .select(({ cast, fn }) => cast<string | null>(fn.sum("amount_nano"), "text").as("spent"))
      .executeTakeFirst();
    return BigInt(row?.spent ?? 0);
  }

  /** What those come to that were paid, and when the first of them was made. */
  async paidAutomatically(
    accountId: string,
    sinceMs: number,
  ): Promise<{ spent: NanoUsd; oldestMs: number | null }> {
    const row = await this.#automatic(accountId, sinceMs)
      .where("status", "in", ["paid", "refunded"])
      .select(({ cast, fn }) => [
        cast<string | null>(fn.sum("amount_nano"), "text").as("spent"),
        fn.min("created_at").as("oldest"),
      ])
      .executeTakeFirst();
    return { spent: BigInt(row?.spent ?? 0), oldestMs: row?.oldest ?? null };
  }

  /**
   * An automatic order, if the account has none open and the automatic ones since `sinceMs` leave
   * room for it below `max`.
   */
  async addAutomatic(order: Order, max: NanoUsd, sinceMs: number): Promise<boolean> {
    const spent = this.#automatic(order.accountId, sinceMs).select(({ fn, lit }) =>
      fn.coalesce(fn.sum<bigint>("amount_nano"), lit(0)).as("spent"),
    );
    const room = sql`cast(${max - order.amount} as bigint)`;
    return insertIf(
      this.tables,
      "payment_orders",
      ORDER.cells(order),
      sql<boolean>`${spent} <= ${room}`,
    );
  }

  async find(id: string): Promise<Order | undefined> {
    const row = await this.#select().where("id", "=", id).executeTakeFirst();
    return row && ORDER.read(row);
  }

  /** Newest first; `after` is the last id of the page before. */
  async list(
    accountId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly Order[]> {
    const all = this.#select().where("account_id", "=", accountId);
    const rest = after === undefined ? all : all.where("id", "<", after);
    return (await rest.orderBy("id", "desc").limit(limit).execute()).map(ORDER.read);
  }

  /** What the provider calls it and where it is paid. */
  async refer(id: string, reference: string, checkoutUrl: string | null): Promise<void> {
    await this.tables
      .updateTable("payment_orders")
      .set({ reference, checkout_url: checkoutUrl })
      .where("id", "=", id)
      .execute();
  }

  /**
   * Keeps the provider's word before anything is credited. False when the order is paid already, or
   * waits for the credit of another payment, or this payment belongs to another order.
   */
  async confirm(id: string, evidence: Evidence, atMs: number): Promise<boolean> {
    const { payment, notice, charged = null } = evidence;
    const { numUpdatedRows } = await this.tables
      .updateTable("payment_orders")
      .set(({ fn, val }) => ({
        payment,
        notice: fn.coalesce("notice", val(notice)),
        confirmed_at: fn.coalesce("confirmed_at", val(atMs)),
        charged_nano: fn.coalesce("charged_nano", val(charged)),
      }))
      .where("id", "=", id)
      .where("paid_at", "is", null)
      .where((eb) => eb.or([eb("payment", "is", null), eb("payment", "=", payment)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("payment_orders as other")
              .select("other.id")
              .whereRef("other.provider", "=", "payment_orders.provider")
              .where("other.payment", "=", payment)
              .whereRef("other.id", "<>", "payment_orders.id"),
          ),
        ),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** The credit is in the ledger. With it a card is forgiven, whoever finishes the order. */
  markPaid(id: string, atMs: number): Promise<void> {
    return this.tables.atomically(async (tables) => {
      const order = await tables
        .updateTable("payment_orders")
        .set({ status: "paid", paid_at: atMs, failure: null })
        .where("id", "=", id)
        .where("confirmed_at", "is not", null)
        .where("paid_at", "is", null)
        .returning(["account_id", "automatic"])
        .executeTakeFirst();
      if (order?.automatic) await forgiveCard(tables, order.account_id);
    });
  }

  close(id: string, status: "failed" | "expired", failure: string | null): Promise<boolean> {
    return closeOrder(this.tables, id, status, failure);
  }

  /** Closes what nobody paid; of checkouts at Stripe, which is asked, only what is far older. */
  async closeOlder(createdBeforeMs: number, checkoutsBeforeMs: number): Promise<number> {
    const { numUpdatedRows } = await this.tables
      .updateTable("payment_orders")
      .set({ status: "expired" })
      .where("status", "=", literal("created"))
      .where("created_at", "<", createdBeforeMs)
      .where("confirmed_at", "is", null)
      .where("automatic", "=", 0)
      .where((eb) =>
        eb.or([
          eb("provider", "<>", "stripe"),
          eb("reference", "is", null),
          eb("created_at", "<", checkoutsBeforeMs),
        ]),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }

  /** Whether Stripe may be asked after the order now: only one of those who come within the rest. */
  async takeLook(id: string, atMs: number, restMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.tables
      .updateTable("payment_orders")
      .set({ looked_at: atMs })
      .where("id", "=", id)
      .where((eb) =>
        eb.or([eb("looked_at", "is", null), cameBy("looked_at", atMs - restMs, restMs)]),
      )
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /**
   * Open checkouts at Stripe that were neither begun nor asked after for a rest, the oldest first. What lies ahead by as
   * much is of before a clock was set back.
   */
  async listSilent(nowMs: number, restMs: number, limit: number): Promise<readonly Order[]> {
    const seen = ({ fn }: OrderBuilder) => fn.coalesce("looked_at", "created_at");
    const rows = await this.#select()
      .where("status", "=", literal("created"))
      .where((eb) => eb.and({ confirmed_at: null, provider: "stripe", automatic: 0 }))
      .where("reference", "is not", null)
      .where((eb) => eb.or([eb(seen(eb), "<", nowMs - restMs), eb(seen(eb), ">", nowMs + restMs)]))
      .orderBy(seen)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(ORDER.read);
  }

  async findByPayment(provider: Order["provider"], payment: string): Promise<Order | undefined> {
    const row = await this.#select()
      .where((eb) => eb.and({ provider, payment }))
      .executeTakeFirst();
    return row && ORDER.read(row);
  }

  /** Orders whose credit is owed. */
  async listOwed(): Promise<readonly Order[]> {
    const rows = await this.#select()
      .where("confirmed_at", "is not", null)
      .where("paid_at", "is", null)
      .orderBy("id")
      .execute();
    return rows.map(ORDER.read);
  }

  async listOpenAutomatic(): Promise<readonly Order[]> {
    const rows = await this.#select()
      .where("automatic", "=", literal(1))
      .where("status", "=", literal("created"))
      .where("confirmed_at", "is", null)
      .orderBy("id")
      .execute();
    return rows.map(ORDER.read);
  }

  /** Those of these ids that are orders at Stripe, whatever has become of them. */
  async listByCard(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await this.tables
      .selectFrom("payment_orders")
      .select("id")
      .where("id", "in", ids)
      .where("provider", "=", "stripe")
      .execute();
    return rows.map(({ id }) => id);
  }

  /**
   * Those of these orders that Stripe was paid for and that are not refunded, though all that is left may be set aside
   * for that. One whose payment is disputed is none of them: the bank takes it back already.
   */
  async listRefundable(ids: readonly string[]): Promise<readonly Order[]> {
    if (ids.length === 0) return [];
    const rows = await this.#select()
      .where("id", "in", ids)
      .where((eb) => eb.and({ provider: "stripe", status: "paid" }))
      .where(undisputed)
      .orderBy("id", "desc")
      .execute();
    return rows.map(ORDER.read);
  }

  /** Paid test orders of one account. */
  async listTest(accountId: string): Promise<readonly Order[]> {
    const rows = await this.#select()
      .where("account_id", "=", accountId)
      .where("provider", "=", literal("test"))
      .where("confirmed_at", "is not", null)
      .orderBy("id")
      .execute();
    return rows.map(ORDER.read);
  }

  /** Accounts that ever had any, and how many. */
  listTestAccounts() {
    return this.tables
      .selectFrom("payment_orders")
      .select(({ fn }) => ["account_id as id", fn.countAll<number>().as("orders")])
      .where("provider", "=", literal("test"))
      .where("confirmed_at", "is not", null)
      .groupBy("account_id")
      .orderBy("account_id")
      .execute();
  }
}
