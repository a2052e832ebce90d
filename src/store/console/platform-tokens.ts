import type { Sql } from "../../lib/sql/sql.ts";
import type { KeptToken, TokensStore } from "../../platform/store.ts";

interface TokenRow {
  readonly hash: string;
  readonly sealed: string;
  readonly appid: string;
  readonly kind: KeptToken["kind"];
  readonly sets: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly superseded_at: number | null;
  readonly forced: number;
}

const COLUMNS = "hash, sealed, appid, kind, sets, created_at, expires_at, superseded_at, forced";

function toToken(row: TokenRow): KeptToken {
  return {
    hash: row.hash,
    sealed: row.sealed,
    appid: row.appid,
    kind: row.kind,
    sets: JSON.parse(row.sets),
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at,
    supersededAtMs: row.superseded_at ?? undefined,
    forced: row.forced === 1,
  };
}

/** Positions count up within the kind, so that two tokens of one moment are told apart. */
async function insert(sql: Sql, token: KeptToken): Promise<void> {
  await sql.query(
    `insert into platform_tokens (${COLUMNS}, position)
     select $1, $2, $3, $4, $5, cast($6 as bigint), cast($7 as bigint), null, cast($8 as integer),
       coalesce(max(position), 0) + 1 from platform_tokens where appid = $9 and kind = $10`,
    [
      token.hash,
      token.sealed,
      token.appid,
      token.kind,
      JSON.stringify(token.sets),
      token.createdAtMs,
      token.expiresAtMs,
      token.forced ? 1 : 0,
      token.appid,
      token.kind,
    ],
  );
}

/** Those that have been superseded keep their moment. */
async function supersede(sql: Sql, token: KeptToken): Promise<void> {
  await sql.query(
    `update platform_tokens set superseded_at = $1
     where appid = $2 and kind = $3 and superseded_at is null`,
    [token.createdAtMs, token.appid, token.kind],
  );
}

async function newest(sql: Sql, appid: string): Promise<KeptToken | undefined> {
  const [row] = await sql.query<TokenRow>(
    `select ${COLUMNS} from platform_tokens
     where appid = $1 and kind = 'stable' and superseded_at is null order by position desc limit 1`,
    [appid],
  );
  return row && toToken(row);
}

export class PlatformTokenRows implements TokensStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find(hash: string): Promise<KeptToken | undefined> {
    const [row] = await this.#sql.query<TokenRow>(
      `select ${COLUMNS} from platform_tokens where hash = $1`,
      [hash],
    );
    return row && toToken(row);
  }

  add(token: KeptToken): Promise<void> {
    return insert(this.#sql, token);
  }

  supersede(token: KeptToken): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      await supersede(sql, token);
      await insert(sql, token);
    });
  }

  async newestStable(appid: string) {
    const token = await newest(this.#sql, appid);
    const [forced] = await this.#sql.query<{ at: number | null }>(
      `select max(created_at) as at from platform_tokens
       where appid = $1 and kind = 'stable' and forced = 1`,
      [appid],
    );
    return { token, forcedAtMs: forced?.at ?? undefined };
  }

  addStable(token: KeptToken, seen: string | undefined): Promise<KeptToken> {
    return this.#sql.transaction(async (sql) => {
      const current = await newest(sql, token.appid);
      if (current !== undefined && current.hash !== seen) return current;
      if (token.forced) await supersede(sql, token);
      await insert(sql, token);
      return token;
    });
  }

  async removeExpired(beforeMs: number): Promise<void> {
    await this.#sql.query("delete from platform_tokens where expires_at < $1", [beforeMs]);
  }
}
