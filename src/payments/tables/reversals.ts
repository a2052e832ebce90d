import { sql } from "kysely";
import type { NanoUsd } from "../../catalogue/money.ts";
import { insertIf } from "../../lib/sql/insert-if.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import { type PaymentsTables, REVERSAL } from "./schema.ts";

export interface Reversal {
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  readonly charged: NanoUsd;
  readonly createdAtMs: number;
}

export class ReversalRows extends Rows<PaymentsTables> {
  #select() {
    return this.tables.selectFrom("test_reversals").select(REVERSAL.columns);
  }

  /** False while another one of the account is open, or when there are not `counted` any more. */
  async add(reversal: Reversal, counted: number): Promise<boolean> {
    const values = { ...REVERSAL.cells(reversal), status: "open" as const };
    const before = this.tables
      .selectFrom("test_reversals")
      .select(({ fn }) => fn.countAll<number>().as("before"))
      .where("account_id", "=", reversal.accountId)
      .where("status", "<>", "failed");
    const condition = sql<boolean>`${before} = ${counted}`;
    return insertIf(this.tables, "test_reversals", values, condition);
  }

  async finish(id: string, status: "done" | "failed"): Promise<void> {
    await this.tables
      .updateTable("test_reversals")
      .set({ status })
      .where((eb) => eb.and({ id, status: "open" }))
      .execute();
  }

  async listOpen(): Promise<readonly Reversal[]> {
    const open = this.#select().where("status", "=", literal("open"));
    return (await open.orderBy("id").execute()).map(REVERSAL.read);
  }

  /** Those that happened or may have. */
  async listCounted(accountId: string): Promise<readonly Reversal[]> {
    const rows = await this.#select()
      .where("account_id", "=", accountId)
      .where("status", "<>", "failed")
      .orderBy("id")
      .execute();
    return rows.map(REVERSAL.read);
  }
}
