import type { ExpressionBuilder, Kysely } from "kysely";
import type { NanoUsd } from "../../catalogue/money.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { Refund, RefundStatus } from "../order.ts";
import { undisputed } from "./orders.ts";
import { type PaymentsTables, REFUND } from "./schema.ts";

/** Of refunds whose outcome is not known yet, said as their index has it. */
const OPEN = [literal("reserved"), literal("debited"), literal("returning")];

type RefundBuilder = ExpressionBuilder<PaymentsTables, "payment_refunds">;

/** An order all of which has gone back for good is refunded; one that got something back is not. */
async function restate(tables: Kysely<PaymentsTables>, orderId: string): Promise<void> {
  const open = tables
    .selectFrom("payment_refunds")
    .select("id")
    .where("order_id", "=", orderId)
    .where("status", "in", OPEN);
  await tables
    .updateTable("payment_orders")
    .set((eb) => ({
      status: eb
        .case()
        .when(eb.and([eb("refunded_nano", "=", eb.ref("amount_nano")), eb.not(eb.exists(open))]))
        .then(literal("refunded"))
        .else(literal("paid"))
        .end(),
    }))
    .where("id", "=", orderId)
    .where("paid_at", "is not", null)
    .execute();
}

/**
 * A dispute takes what is in the balance, where a refund on its way is not. When that refund does not
 * happen, its amount is the dispute's first, and comes back with it if the dispute is won.
 */
async function keepForDispute(
  tables: Kysely<PaymentsTables>,
  refund: { readonly id: string; readonly orderId: string; readonly amount: bigint },
): Promise<void> {
  const dispute = await tables
    .selectFrom("payment_disputes")
    .select((eb) => [
      "id",
      eb.cast<string>(eb("amount_nano", "-", eb.ref("taken_nano")), "text").as("lacking"),
    ])
    .where((eb) => eb.and({ order_id: refund.orderId, status: "taken" }))
    .whereRef("taken_nano", "<", "amount_nano")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (!dispute) return;
  const lacking = BigInt(dispute.lacking);
  const part = refund.amount < lacking ? refund.amount : lacking;
  await tables
    .updateTable("payment_disputes")
    .set((eb) => ({ taken_nano: eb("taken_nano", "+", part) }))
    .where("id", "=", dispute.id)
    .execute();
  await tables
    .updateTable("payment_refunds")
    .set({ kept_nano: part })
    .where("id", "=", refund.id)
    .execute();
}

function nothingIsTaking({ not, exists, selectFrom }: RefundBuilder) {
  return not(
    exists(
      selectFrom("payment_disputes")
        .select("payment_disputes.id")
        .whereRef("payment_disputes.order_id", "=", "payment_refunds.order_id")
        .where("payment_disputes.status", "=", "taking"),
    ),
  );
}

export class RefundRows extends Rows<PaymentsTables> {
  #select() {
    return this.tables.selectFrom("payment_refunds").select(REFUND.columns);
  }

  /**
   * Sets the amount aside in its order. False when the order has not that much left, or the refund is there already; also
   * when not just `refunded` of it has gone back, since what is left was reckoned by that.
   */
  reserve(refund: Refund, refunded: NanoUsd): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      // First, so that of two with one id the second waits for the first, whichever orders they are of.
      const added = await tables
        .insertInto("payment_refunds")
        .values(REFUND.cells(refund))
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute();
      if (added.length === 0) return false;
      const { numUpdatedRows } = await tables
        .updateTable("payment_orders")
        .set((eb) => ({ refunded_nano: eb("refunded_nano", "+", refund.amount) }))
        .where((eb) => eb.and({ id: refund.orderId, status: "paid", refunded_nano: refunded }))
        .where((eb) => eb(eb("refunded_nano", "+", refund.amount), "<=", eb.ref("amount_nano")))
        .where(undisputed)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return true;
      await tables.deleteFrom("payment_refunds").where("id", "=", refund.id).execute();
      return false;
    });
  }

  /** The orders of those of these ids that are refunds. */
  async ordersOf(ids: readonly string[]) {
    if (ids.length === 0) return [];
    const rows = this.tables.selectFrom("payment_refunds").select(["id", "order_id as orderId"]);
    return rows.where("id", "in", ids).execute();
  }

  async find(id: string): Promise<Refund | undefined> {
    const row = await this.#select().where("id", "=", id).executeTakeFirst();
    return row && REFUND.read(row);
  }

  /** The latest first. An id that was made of an `Idempotency-Key` does not tell when. */
  async list(accountId: string, limit: number): Promise<readonly Refund[]> {
    const rows = await this.#select()
      .where("account_id", "=", accountId)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(REFUND.read);
  }

  /** Whether a refund of the order is about to be in the balance again. */
  async isReturning(orderId: string): Promise<boolean> {
    const row = await this.tables
      .selectFrom("payment_refunds")
      .select("id")
      .where((eb) => eb.and({ order_id: orderId, status: "returning" }))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async listOpen(): Promise<readonly Refund[]> {
    const rows = await this.#select().where("status", "in", OPEN).orderBy("id").execute();
    return rows.map(REFUND.read);
  }

  /**
   * False when it was not in the state `from`. Failure gives the order its amount back. One that is to
   * return is kept as far as a dispute of its order found too little left; while a dispute is about
   * to take, it cannot be told how far, and the answer is false as well.
   */
  move(
    id: string,
    from: RefundStatus,
    to: RefundStatus,
    { reference = null, failure = null }: Partial<Pick<Refund, "reference" | "failure">> = {},
  ): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      const row = await tables
        .updateTable("payment_refunds")
        .set(({ fn, val }) => ({
          status: to,
          reference: fn.coalesce(val(reference), "reference"),
          failure: fn.coalesce(val(failure), "failure"),
        }))
        .where((eb) => eb.and({ id, status: from }))
        .$if(to === "returning", (query) => query.where(nothingIsTaking))
        .returning(({ cast }) => ["order_id", cast<string>("amount_nano", "text").as("amount")])
        .executeTakeFirst();
      if (!row) return false;
      const [orderId, amount] = [row.order_id, BigInt(row.amount)];
      if (to === "returning") await keepForDispute(tables, { id, orderId, amount });
      if (to === "failed") {
        await tables
          .updateTable("payment_orders")
          .set((eb) => ({ refunded_nano: eb("refunded_nano", "-", amount) }))
          .where("id", "=", orderId)
          .execute();
      }
      await restate(tables, orderId);
      return true;
    });
  }
}
