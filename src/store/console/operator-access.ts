import { type OperatorToken, TOKEN_SCOPES, type TokenScope } from "../../accounts/people/person.ts";
import type { OperatorLinksStore, OperatorTokensStore } from "../../accounts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

/** A time of last use that is this old is worth a write. */
const USE_NOTED_MS = 60_000;

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly last_four: string;
  readonly created_by: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly expires_at: number | null;
  readonly scopes: string | null;
  readonly owner_id: string | null;
}

function readToken(row: TokenRow): OperatorToken {
  return {
    id: row.id,
    name: row.name,
    lastFour: row.last_four,
    createdBy: row.created_by,
    createdAtMs: row.created_at,
    lastUsedAtMs: row.last_used_at,
    expiresAtMs: row.expires_at,
    scopes: row.scopes === null ? TOKEN_SCOPES : (JSON.parse(row.scopes) as TokenScope[]),
    ownerId: row.owner_id,
  };
}

export class OperatorTokensTable implements OperatorTokensStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(token: OperatorToken & { readonly hash: string }): Promise<void> {
    await this.#sql.query(
      `insert into operator_tokens
         (id, name, hash, last_four, created_by, created_at, expires_at, scopes, owner_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...[token.id, token.name, token.hash, token.lastFour, token.createdBy, token.createdAtMs],
        ...[token.expiresAtMs, JSON.stringify(token.scopes), token.ownerId],
      ],
    );
  }

  async use(hash: string, nowMs: number): Promise<OperatorToken | undefined> {
    const [row] = await this.#sql.query<TokenRow>(
      "select * from operator_tokens where hash = $1 and revoked_at is null",
      [hash],
    );
    if (!row) return undefined;
    if ((row.last_used_at ?? 0) <= nowMs - USE_NOTED_MS) {
      await this.#sql.query("update operator_tokens set last_used_at = $1 where id = $2", [
        nowMs,
        row.id,
      ]);
    }
    return readToken(row);
  }

  async list(): Promise<readonly OperatorToken[]> {
    const rows = await this.#sql.query<TokenRow>(
      "select * from operator_tokens where revoked_at is null order by id desc",
    );
    return rows.map(readToken);
  }

  async revoke(id: string, nowMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      "update operator_tokens set revoked_at = $1 where id = $2 and revoked_at is null returning id",
      [nowMs, id],
    );
    return rows.length > 0;
  }

  async noteExpiry(id: string): Promise<boolean> {
    const rows = await this.#sql.query(
      "update operator_tokens set expiry_noted = 1 where id = $1 and expiry_noted = 0 returning id",
      [id],
    );
    return rows.length > 0;
  }
}

export class OperatorLinksTable implements OperatorLinksStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async add(hash: string, nowMs: number, expiresAtMs: number): Promise<void> {
    await this.#sql.query(
      "insert into operator_links (hash, created_at, expires_at) values ($1, $2, $3)",
      [hash, nowMs, expiresAtMs],
    );
  }

  async isGood(hash: string, nowMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      "select hash from operator_links where hash = $1 and used_at is null and expires_at > $2",
      [hash, nowMs],
    );
    return rows.length > 0;
  }

  async take(hash: string, nowMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `update operator_links set used_at = $1
       where hash = $2 and used_at is null and expires_at > $1 returning hash`,
      [nowMs, hash],
    );
    return rows.length > 0;
  }

  async giveBack(hash: string): Promise<void> {
    await this.#sql.query("update operator_links set used_at = null where hash = $1", [hash]);
  }
}
