import type { Kysely, Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import { after, type PlatformTables } from "./schema.ts";

/** A token as it is kept: findable by its hash, readable again only with the vault. */
export interface KeptToken {
  readonly hash: string;
  readonly sealed: string;
  readonly appid: string;
  readonly kind: TokenRow["kind"];
  /** The permission sets of a third-party token; empty for the others, which need none. */
  readonly sets: readonly number[];
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** From when on a newer one has its place; the old one may live on for a while. */
  readonly supersededAtMs: number | undefined;
  /** Whether it was asked for before its time. */
  readonly forced: boolean;
}

const COLUMNS = [
  ...["hash", "sealed", "appid", "kind", "sets", "created_at as createdAtMs"],
  ...["expires_at as expiresAtMs", "superseded_at as supersededAtMs", "forced"],
] as const;

type TokenRow = Selection<PlatformTables, "platform_tokens", (typeof COLUMNS)[number]>;
type Tables = Kysely<PlatformTables>;

function toToken(row: TokenRow): KeptToken {
  return {
    ...row,
    sets: JSON.parse(row.sets),
    supersededAtMs: row.supersededAtMs ?? undefined,
    forced: row.forced === 1,
  };
}

/** Positions count up within the kind, so that two tokens of one moment are told apart. */
async function insert(tables: Tables, token: KeptToken): Promise<void> {
  const { appid, kind } = token;
  await tables
    .insertInto("platform_tokens")
    .values(({ selectFrom }) => ({
      hash: token.hash,
      sealed: token.sealed,
      appid,
      kind,
      sets: JSON.stringify(token.sets),
      created_at: token.createdAtMs,
      expires_at: token.expiresAtMs,
      superseded_at: null,
      forced: token.forced,
      position: selectFrom("platform_tokens")
        .select(({ fn }) => after(fn.max("position")))
        .where("appid", "=", appid)
        .where("kind", "=", kind),
    }))
    .execute();
}

/** Those that have been superseded keep their moment. */
async function supersede(tables: Tables, token: KeptToken): Promise<void> {
  await tables
    .updateTable("platform_tokens")
    .set({ superseded_at: token.createdAtMs })
    .where(({ and }) => and({ appid: token.appid, kind: token.kind }))
    .where("superseded_at", "is", null)
    .execute();
}

async function newest(tables: Tables, appid: string): Promise<KeptToken | undefined> {
  const row = await tables
    .selectFrom("platform_tokens")
    .select(COLUMNS)
    .where(({ and }) => and({ appid, kind: "stable" }))
    .where("superseded_at", "is", null)
    .orderBy("position", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && toToken(row);
}

export class TokenRows extends Rows<PlatformTables> {
  async find(hash: string): Promise<KeptToken | undefined> {
    const row = await this.tables
      .selectFrom("platform_tokens")
      .select(COLUMNS)
      .where("hash", "=", hash)
      .executeTakeFirst();
    return row && toToken(row);
  }

  add(token: KeptToken): Promise<void> {
    return insert(this.tables, token);
  }

  /** Adds one, and the others of its kind count as superseded from its birth on. */
  supersede(token: KeptToken): Promise<void> {
    return this.tables.atomically(async (tables) => {
      await supersede(tables, token);
      await insert(tables, token);
    });
  }

  /** The newest stable token that counts, and when the last was forced. */
  async newestStable(appid: string) {
    const token = await newest(this.tables, appid);
    const forced = await this.tables
      .selectFrom("platform_tokens")
      .select("created_at as atMs")
      .where(({ and }) => and({ appid, kind: "stable", forced: 1 }))
      // Not the latest by its time: a clock may have been set back since.
      .orderBy("position", "desc")
      .limit(1)
      .executeTakeFirst();
    return { token, forcedAtMs: forced?.atMs };
  }

  /**
   * Adds a stable token unless another has become the newest since `seen` was; then that is it.
   * With `forced`, those before it are superseded.
   */
  addStable(token: KeptToken, seen: string | undefined): Promise<KeptToken> {
    return this.tables.atomically(async (tables) => {
      const current = await newest(tables, token.appid);
      if (current !== undefined && current.hash !== seen) return current;
      if (token.forced) await supersede(tables, token);
      await insert(tables, token);
      return token;
    });
  }

  async removeExpired(beforeMs: number): Promise<void> {
    await this.tables.deleteFrom("platform_tokens").where("expires_at", "<", beforeMs).execute();
  }
}
