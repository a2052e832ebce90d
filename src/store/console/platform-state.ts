import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { PlatformState, StateStore } from "../../platform/controls/store.ts";

/** Every table that a dump holds, those first that others point at, with all of its columns. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
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
};
/** The log of calls is history: it is forgotten with the rest, and never brought back. */
const CALLS = "platform_calls";

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

async function clear(sql: Sql, kept: readonly string[]): Promise<void> {
  for (const table of [CALLS, ...Object.keys(TABLES).reverse()]) {
    if (!kept.includes(table)) await sql.query(`delete from ${table}`);
  }
}

/** The tables of the platform as a whole. */
export class PlatformStateRows implements StateStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  dump(): Promise<PlatformState> {
    return this.#sql.transaction(async (sql) => {
      const state: Record<string, PlatformState[string]> = {};
      for (const [table, columns] of Object.entries(TABLES)) {
        state[table] = await sql.query(`select ${columns.join(", ")} from ${table}`);
      }
      return state;
    });
  }

  async fileBytes(): Promise<number> {
    const [row] = await this.#sql.query<{ sum: string | null }>(
      "select cast(sum(bytes) as text) as sum from platform_media",
    );
    return Number(row?.sum ?? 0);
  }

  async restore(state: PlatformState): Promise<boolean> {
    if (!isWhole(state)) return false;
    await this.#sql.transaction(async (sql) => {
      await clear(sql, []);
      for (const [table, columns] of Object.entries(TABLES)) {
        const places = columns.map((_, i) => `$${i + 1}`).join(", ");
        const text = `insert into ${table} (${columns.join(", ")}) values (${places})`;
        for (const row of state[table] ?? []) {
          const values: SqlValue[] = columns.map((column) => row[column] ?? null);
          await sql.query(text, values);
        }
      }
    });
    return true;
  }

  async reset(): Promise<void> {
    await this.#sql.transaction((sql) => clear(sql, ["platform_accounts"]));
  }
}
