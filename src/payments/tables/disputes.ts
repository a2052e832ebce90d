import type { NanoUsd } from "../../catalogue/money.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { Dispute, DisputeStatus } from "../dispute.ts";
import { DISPUTE, type PaymentsTables } from "./schema.ts";

export class DisputeRows extends Rows<PaymentsTables> {
  #select() {
    return this.tables.selectFrom("payment_disputes").select(DISPUTE.columns);
  }

  /** False when it is there already. One after the other with what refunds do: each sees whether the other was first. */
  add(dispute: Dispute): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      const rows = await tables
        .insertInto("payment_disputes")
        .values(DISPUTE.cells(dispute))
        .onConflict((conflict) => conflict.doNothing())
        .returning("id")
        .execute();
      return rows.length === 1;
    });
  }

  /** The orders of those of these ids that are disputes. */
  async ordersOf(ids: readonly string[]) {
    if (ids.length === 0) return [];
    const rows = this.tables.selectFrom("payment_disputes").select(["id", "order_id as orderId"]);
    return rows.where("id", "in", ids).execute();
  }

  async find(id: string): Promise<Dispute | undefined> {
    const row = await this.#select().where("id", "=", id).executeTakeFirst();
    return row && DISPUTE.read(row);
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

  /** Says what was taken, whatever had been planned. */
  async take(id: string, taken: NanoUsd): Promise<void> {
    await this.tables
      .updateTable("payment_disputes")
      .set({ status: "taken", taken_nano: taken })
      .where((eb) => eb.and({ id, status: "taking" }))
      .execute();
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
    const rows = await this.#select()
      .where("status", "in", [literal("taking"), literal("returning")])
      .orderBy("id")
      .execute();
    return rows.map(DISPUTE.read);
  }
}
