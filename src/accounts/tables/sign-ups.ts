import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** Accounts that people have opened for themselves, by who did. */
export class SignUpsTable extends Rows<AccountsTables> {
  async add(userId: string, accountId: string, nowMs: number): Promise<void> {
    await this.tables
      .insertInto("sign_ups")
      .values({ user_id: userId, account_id: accountId, created_at: nowMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async accountOf(userId: string): Promise<string | undefined> {
    const signUps = this.tables.selectFrom("sign_ups").select("account_id");
    return (await signUps.where("user_id", "=", userId).executeTakeFirst())?.account_id;
  }
}
