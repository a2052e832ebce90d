import type { Kysely } from "kysely";
import { openedBy, type Vault } from "../../lib/secrets/vault.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { type TypedTables, tablesOf } from "../../lib/sql/tables.ts";
import type { PlatformTables } from "./schema.ts";

/** The rows of each table, by its name. */
type PlatformState = Readonly<
  Record<string, readonly Readonly<Record<string, string | number | null>>[]>
>;

/** As `PlatformTables`, for what goes over all of them. */
type AnyTables = Record<string, Record<string, string | number | null>>;

/** The log of calls is history: it is forgotten with the rest, and never brought back. */
const CALLS = "platform_calls";

type Dumped = Omit<PlatformTables, typeof CALLS>;

/** Every table that a dump holds, those first that others point at, with all of its columns. */
const TABLES = {
  platform_accounts: [
    ...["appid", "owner", "name", "secret", "sandbox", "type", "verified", "comment_right"],
    ...["product_right", "ip_list", "frozen", "callback_url", "created_at", "position"],
  ],
  platform_tokens: [
    ...["hash", "sealed", "appid", "kind", "sets", "created_at", "expires_at", "superseded_at"],
    ...["forced", "position"],
  ],
  platform_quotas: ["appid", "period", "name", "used"],
  platform_drafts: ["media_id", "appid", "chars", "created_at", "updated_at", "position"],
  platform_articles: ["media_id", "position", "submitted", "stored"],
  platform_products: ["key", "appid", "product_id", "article_type", "card_type", "created_at"],
  platform_media: [
    ...["media_id", "appid", "keeping", "type", "file_name", "format", "bytes", "title"],
    ...["introduction", "public_id", "created_at", "expires_at", "position"],
  ],
  platform_media_files: ["media_id", "data"],
  platform_publishes: [
    ...["publish_id", "appid", "media_id", "origin", "status", "outcome", "failed", "article_id"],
    ...["articles", "submitted_at", "due_at", "pushes_left", "push_at"],
  ],
  platform_publications: [
    ...["article_id", "appid", "sent", "mid", "articles", "deleted", "gone", "client_msg_id"],
    ...["created_at", "updated_at", "position"],
  ],
} as const satisfies { [Table in keyof Dumped]: readonly (keyof Dumped[Table])[] };

/** Each table is there, and each row has its columns and no others. */
function isWhole(state: PlatformState): boolean {
  return Object.entries(TABLES).every(([table, columns]) =>
    state[table]?.every(
      (row) =>
        Object.keys(row).length === columns.length &&
        columns.every((column) => Object.hasOwn(row, column)),
    ),
  );
}

/** With secrets of another installation nobody could sign in to the accounts of a dump. */
function isSealedHere(state: PlatformState, vault: Vault): boolean {
  const accounts = state.platform_accounts ?? [];
  return accounts.every(({ secret }) => openedBy(vault, String(secret)) !== undefined);
}

async function clear(tables: Kysely<AnyTables>, kept: readonly string[]): Promise<void> {
  for (const table of [CALLS, ...Object.keys(TABLES).reverse()]) {
    if (!kept.includes(table)) await tables.deleteFrom(table).execute();
  }
}

/** Everything that the platform keeps, at once. */
export class StateRows {
  readonly #tables: Kysely<PlatformTables>;
  readonly #all: TypedTables<AnyTables>;
  readonly #vault: Vault;

  constructor(sql: Sql, vault: Vault) {
    this.#tables = tablesOf(sql);
    this.#all = tablesOf(sql);
    this.#vault = vault;
  }

  dump(): Promise<PlatformState> {
    return this.#all.atomically(async (tables) => {
      const state: Record<string, PlatformState[string]> = {};
      for (const [table, columns] of Object.entries(TABLES)) {
        state[table] = await tables.selectFrom(table).select(columns).execute();
      }
      return state;
    });
  }

  /** How many bytes of files a dump would hold. */
  async fileBytes(): Promise<number> {
    const row = await this.#tables
      .selectFrom("platform_media")
      .select(({ cast, fn }) => cast<string | null>(fn.sum("bytes"), "text").as("sum"))
      .executeTakeFirst();
    return Number(row?.sum ?? 0);
  }

  /** Puts a dump in the place of what there is. False when it is none of this version and this installation. */
  async restore(state: PlatformState): Promise<boolean> {
    if (!isWhole(state) || !isSealedHere(state, this.#vault)) return false;
    await this.#all.atomically(async (tables) => {
      await clear(tables, []);
      for (const table of Object.keys(TABLES)) {
        for (const row of state[table] ?? []) await tables.insertInto(table).values(row).execute();
      }
    });
    return true;
  }

  /** Leaves only the accounts. */
  async reset(): Promise<void> {
    await this.#all.atomically((tables) => clear(tables, ["platform_accounts"]));
  }
}
