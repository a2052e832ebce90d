import type { Kysely } from "kysely";
import type { PaymentsTables } from "./schema.ts";

/** The card was charged, so earlier refusals count no more. */
export async function forgiveCard(
  tables: Kysely<PaymentsTables>,
  accountId: string,
): Promise<void> {
  await tables
    .updateTable("auto_topups")
    .set({ refusals: 0, rests_until: 0, failure: null })
    .where("account_id", "=", accountId)
    .where("refusals", ">", 0)
    .execute();
}
