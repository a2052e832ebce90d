import type { KeptKey, KeptKeysStore } from "../../accounts/store.ts";
import type { ServingStore } from "../../drafts/api/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

interface KeyRow {
  readonly account_id: string;
  readonly purpose: string;
  readonly key_id: string;
  readonly sealed_secret: string;
}

export class KeptKeyRows implements KeptKeysStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(accountId: string, purpose: string): Promise<KeptKey | undefined> {
    const [row] = await this.#sql.query<KeyRow>(
      "select * from kept_keys where account_id = $1 and purpose = $2",
      [accountId, purpose],
    );
    return (
      row && {
        accountId: row.account_id,
        purpose: row.purpose,
        keyId: row.key_id,
        sealedSecret: row.sealed_secret,
      }
    );
  }

  async add({ accountId, purpose, keyId, sealedSecret }: KeptKey): Promise<boolean> {
    const added = await this.#sql.query(
      `insert into kept_keys (account_id, purpose, key_id, sealed_secret)
       values ($1, $2, $3, $4) on conflict (account_id, purpose) do nothing returning key_id`,
      [accountId, purpose, keyId, sealedSecret],
    );
    return added.length > 0;
  }

  async remove({ accountId, purpose, keyId }: Parameters<KeptKeysStore["remove"]>[0]) {
    await this.#sql.query(
      "delete from kept_keys where account_id = $1 and purpose = $2 and key_id = $3",
      [accountId, purpose, keyId],
    );
  }

  async keysFor(accountId: string, purposePrefix: string): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ key_id: string }>(
      "select key_id from kept_keys where account_id = $1 and purpose like $2 order by key_id",
      [accountId, `${purposePrefix}%`],
    );
    return rows.map(({ key_id }) => key_id);
  }
}

/** The last server that was started is the one that is found. */
export class ServingRow implements ServingStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(): Promise<string | undefined> {
    const [row] = await this.#sql.query<{ address: string }>("select address from serving");
    return row?.address;
  }

  async save(address: string): Promise<void> {
    await this.#sql.query(
      `insert into serving (place, address) values (1, $1)
       on conflict (place) do update set address = excluded.address`,
      [address],
    );
  }

  async clear(address: string): Promise<void> {
    await this.#sql.query("delete from serving where address = $1", [address]);
  }
}
