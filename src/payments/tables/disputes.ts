import type { InferResult, Kysely } from "kysely";
import type { NanoUsd } from "../../catalogue/money.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { Dispute, DisputeStatus } from "../dispute.ts";
import type { PaymentsTables } from "./schema.ts";

function selectDisputes(tables: Kysely<PaymentsTables>) {
  return tables
    .selectFrom("payment_disputes")
    .select(["id", "account_id as accountId", "order_id as orderId", "status"])
    .select(({ cast }) => [
      "created_at as createdAtMs",
      cast<string>("amount_nano", "text").as("amount"),
      cast<string>("taken_nano", "text").as("taken"),
    ]);
}

type DisputeRow = InferResult<ReturnType<typeof selectDisputes>>[number];

function toDispute(row: DisputeRow): Dispute {
  return { ...row, amount: BigInt(row.amount), taken: BigInt(row.taken) };
}

export class DisputeRows extends Rows<PaymentsTables> {
  /** False when it is there already. */
  async add({ id, accountId, orderId, ...dispute }: Dispute): Promise<boolean> {
    const rows = await this.tables
      .insertInto("payment_disputes")
      .values({
        id,
        account_id: accountId,
        order_id: orderId,
        amount_nano: dispute.amount,
        taken_nano: dispute.taken,
        status: dispute.status,
        created_at: dispute.createdAtMs,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    return rows.length === 1;
  }

  async find(id: string): Promise<Dispute | undefined> {
    const row = await selectDisputes(this.tables).where("id", "=", id).executeTakeFirst();
    return row && toDispute(row);
  }

  /** Sets another amount to be taken. False when it is not `from` any more, or has been taken. */
  async plan(id: string, from: NanoUsd, to: NanoUsd): Promise<boolean> {
    const { numUpdatedRows } = await this.tables
      .updateTable("payment_disputes")
      .set({ taken_nano: to })
      .where((eb) => eb.and({ id, status: "taking", taken_nano: from }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  /** False when it was not in the state `from`. */
  async move(id: string, from: DisputeStatus, to: DisputeStatus): Promise<boolean> {
    const { numUpdatedRows } = await this.tables
      .updateTable("payment_disputes")
      .set({ status: to })
      .where((eb) => eb.and({ id, status: from }))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async listOpen(): Promise<readonly Dispute[]> {
    const rows = await selectDisputes(this.tables)
      .where("status", "in", [literal("taking"), literal("returning")])
      .orderBy("id")
      .execute();
    return rows.map(toDispute);
  }
}
