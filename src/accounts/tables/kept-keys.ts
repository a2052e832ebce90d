import { Rows } from "../../lib/sql/tables.ts";

/** A key that this installation keeps the secret of, to call itself with. */
export interface KeptKey {
  readonly accountId: string;
  /** What it is for; an account has one for each. */
  readonly purpose: string;
  readonly keyId: string;
  readonly sealedSecret: string;
}

interface KeptKeysTables {
  kept_keys: { account_id: string; purpose: string; key_id: string; sealed_secret: string };
}

export class KeptKeyRows extends Rows<KeptKeysTables> {
  find(accountId: string, purpose: string): Promise<KeptKey | undefined> {
    return this.tables
      .selectFrom("kept_keys")
      .select(["account_id as accountId", "purpose", "key_id as keyId"])
      .select("sealed_secret as sealedSecret")
      .where(({ and }) => and({ account_id: accountId, purpose }))
      .executeTakeFirst();
  }

  /** False when there is one for this purpose already. */
  async add({ accountId, purpose, keyId, sealedSecret }: KeptKey): Promise<boolean> {
    const added = await this.tables
      .insertInto("kept_keys")
      .values({ account_id: accountId, purpose, key_id: keyId, sealed_secret: sealedSecret })
      .onConflict((conflict) => conflict.columns(["account_id", "purpose"]).doNothing())
      .returning("key_id")
      .execute();
    return added.length > 0;
  }

  /** Only this very key; one that has taken its place stays. */
  async remove({ accountId, purpose, keyId }: Omit<KeptKey, "sealedSecret">): Promise<void> {
    await this.tables
      .deleteFrom("kept_keys")
      .where(({ and }) => and({ account_id: accountId, purpose, key_id: keyId }))
      .execute();
  }

  /** The keys of these accounts whose purpose begins with these words. */
  async keysFor(accountIds: readonly string[], purposePrefix: string): Promise<readonly string[]> {
    if (accountIds.length === 0) return [];
    const rows = await this.tables
      .selectFrom("kept_keys")
      .select("key_id")
      .where("account_id", "in", accountIds)
      .where("purpose", "like", `${purposePrefix}%`)
      .orderBy("key_id")
      .execute();
    return rows.map(({ key_id }) => key_id);
  }
}
