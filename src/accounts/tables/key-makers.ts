import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** Who made which key; a key that nobody here made was typed at the machine. */
export class KeyMakersTable extends Rows<AccountsTables> {
  async set(keyId: string, userId: string): Promise<void> {
    await this.tables
      .insertInto("key_makers")
      .values({ key_id: keyId, user_id: userId })
      .onConflict((conflict) => conflict.column("key_id").doUpdateSet({ user_id: userId }))
      .execute();
  }

  async remove(keyId: string): Promise<void> {
    await this.tables.deleteFrom("key_makers").where("key_id", "=", keyId).execute();
  }

  async find(keyId: string): Promise<string | undefined> {
    const makers = this.tables.selectFrom("key_makers").select("user_id");
    return (await makers.where("key_id", "=", keyId).executeTakeFirst())?.user_id;
  }

  async keysOf(userId: string): Promise<readonly string[]> {
    const keys = this.tables.selectFrom("key_makers").select("key_id").orderBy("key_id");
    return (await keys.where("user_id", "=", userId).execute()).map(({ key_id }) => key_id);
  }

  /** Everybody who has made one. */
  async makers(): Promise<readonly string[]> {
    const makers = this.tables.selectFrom("key_makers").select("user_id").distinct();
    return (await makers.orderBy("user_id").execute()).map(({ user_id }) => user_id);
  }
}
