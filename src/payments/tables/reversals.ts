import { type InferResult, type Kysely, sql } from "kysely";
import type { NanoUsd } from "../../catalogue/money.ts";
import { insertIf } from "../../lib/sql/insert-if.ts";
import { literal } from "../../lib/sql/literal.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { PaymentsTables } from "./schema.ts";

export interface Reversal {
  readonly id: string;
  readonly accountId: string;
  readonly amount: NanoUsd;
  readonly charged: NanoUsd;
  readonly createdAtMs: number;
}

function selectReversals(tables: Kysely<PaymentsTables>) {
  return tables
    .selectFrom("test_reversals")
    .select(({ cast }) => [
      "id",
      "account_id as accountId",
      cast<string>("amount_nano", "text").as("amount"),
      cast<string>("charged_nano", "text").as("charged"),
      "created_at as createdAtMs",
    ]);
}

type ReversalRow = InferResult<ReturnType<typeof selectReversals>>[number];

function toReversal(row: ReversalRow): Reversal {
  return { ...row, amount: BigInt(row.amount), charged: BigInt(row.charged) };
}

export class ReversalRows extends Rows<PaymentsTables> {
  /** False while another one of the account is open, or when there are not `counted` any more. */
  async add(reversal: Reversal, counted: number): Promise<boolean> {
    const values = {
      id: reversal.id,
      account_id: reversal.accountId,
      amount_nano: reversal.amount,
      charged_nano: reversal.charged,
      status: "open" as const,
      created_at: reversal.createdAtMs,
    };
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
    const open = selectReversals(this.tables).where("status", "=", literal("open"));
    return (await open.orderBy("id").execute()).map(toReversal);
  }

  /** Those that happened or may have, oldest first. */
  async listCounted(accountId: string): Promise<readonly Reversal[]> {
    const rows = await selectReversals(this.tables)
      .where("account_id", "=", accountId)
      .where("status", "<>", "failed")
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.map(toReversal);
  }
}
