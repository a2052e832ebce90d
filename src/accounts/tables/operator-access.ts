import type { Kysely } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import { type OperatorToken, TOKEN_SCOPES } from "../people/person.ts";
import { type AccountsTables, TOKEN } from "./schema.ts";

/** A time of last use that is this old is worth a write. */
const USE_NOTED_MS = 60_000;

/** Those that were not revoked. */
function selectTokens(tables: Kysely<AccountsTables>) {
  return tables.selectFrom("operator_tokens").select(TOKEN.columns).where("revoked_at", "is", null);
}

function readToken(row: Parameters<typeof TOKEN.read>[0]): OperatorToken {
  const token = TOKEN.read(row);
  return { ...token, scopes: token.scopes ?? TOKEN_SCOPES };
}

export class OperatorTokensTable extends Rows<AccountsTables> {
  async add({ hash, ...token }: OperatorToken & { readonly hash: string }): Promise<void> {
    const cells = { ...TOKEN.cells(token), hash };
    await this.tables.insertInto("operator_tokens").values(cells).execute();
  }

  /** Notes the use as well, at most once a minute. */
  async use(hash: string, nowMs: number): Promise<OperatorToken | undefined> {
    const row = await selectTokens(this.tables).where("hash", "=", hash).executeTakeFirst();
    if (!row) return undefined;
    if ((row.lastUsedAtMs ?? 0) <= nowMs - USE_NOTED_MS) {
      await this.#update(row.id).set({ last_used_at: nowMs }).execute();
    }
    return readToken(row);
  }

  #update(id: string) {
    return this.tables.updateTable("operator_tokens").where("id", "=", id);
  }

  async list(): Promise<readonly OperatorToken[]> {
    return (await selectTokens(this.tables).orderBy("id", "desc").execute()).map(readToken);
  }

  async revoke(id: string, nowMs: number): Promise<boolean> {
    const good = this.#update(id).where("revoked_at", "is", null);
    return (await good.set({ revoked_at: nowMs }).executeTakeFirst()).numUpdatedRows > 0n;
  }

  /** True for the first who finds it expired. */
  async noteExpiry(id: string): Promise<boolean> {
    const unnoted = this.#update(id).where("expiry_noted", "=", 0);
    return (await unnoted.set({ expiry_noted: true }).executeTakeFirst()).numUpdatedRows > 0n;
  }
}

export class OperatorLinksTable extends Rows<AccountsTables> {
  async add(hash: string, nowMs: number, expiresAtMs: number): Promise<void> {
    const link = { hash, created_at: nowMs, expires_at: expiresAtMs };
    await this.tables.insertInto("operator_links").values(link).execute();
  }

  /** False when it is unknown, used or expired. `mostMs`: for how long it is good when it is new. */
  async isGood(hash: string, nowMs: number, mostMs: number): Promise<boolean> {
    const rows = await this.tables
      .selectFrom("operator_links")
      .select("hash")
      .where((eb) => eb.and({ hash, used_at: null }))
      .where(({ not }) => not(cameBy("expires_at", nowMs, mostMs)))
      .execute();
    return rows.length > 0;
  }

  /** False when it is no good. Of two at the same instant, one is told true. */
  async take(hash: string, nowMs: number, mostMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.tables
      .updateTable("operator_links")
      .set({ used_at: nowMs })
      .where((eb) => eb.and({ hash, used_at: null }))
      .where(({ not }) => not(cameBy("expires_at", nowMs, mostMs)))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Makes a link that was taken for nothing good again. */
  async giveBack(hash: string): Promise<void> {
    const link = this.tables.updateTable("operator_links").where("hash", "=", hash);
    await link.set({ used_at: null }).execute();
  }
}
