import { Rows } from "../../lib/sql/tables.ts";
import type { AccountsTables } from "./schema.ts";

/** Who was given a secret of a key. It is named by its hash, by which the key is found as long as it works. */
export interface SecretMaker {
  readonly hash: string;
  readonly keyId: string;
  readonly userId: string;
}

/** Who was given which secret of a key; nobody stands there for one that was typed at the machine. */
export class SecretMakersTable extends Rows<AccountsTables> {
  async set({ hash, keyId, userId }: SecretMaker): Promise<void> {
    await this.tables
      .insertInto("secret_makers")
      .values({ hash, key_id: keyId, user_id: userId })
      .onConflict((conflict) => conflict.column("hash").doUpdateSet({ user_id: userId }))
      .execute();
  }

  async remove(hash: string): Promise<void> {
    await this.tables.deleteFrom("secret_makers").where("hash", "=", hash).execute();
  }

  ofKey(keyId: string): Promise<readonly SecretMaker[]> {
    return this.#of("key_id", keyId);
  }

  ofUser(userId: string): Promise<readonly SecretMaker[]> {
    return this.#of("user_id", userId);
  }

  async #of(by: "key_id" | "user_id", value: string): Promise<readonly SecretMaker[]> {
    const rows = this.tables.selectFrom("secret_makers").where(by, "=", value).orderBy("hash");
    return rows.select(["hash", "key_id as keyId", "user_id as userId"]).execute();
  }

  /** Everybody who was given one. */
  async makers(): Promise<readonly string[]> {
    const makers = this.tables.selectFrom("secret_makers").select("user_id").distinct();
    return (await makers.orderBy("user_id").execute()).map(({ user_id }) => user_id);
  }
}
