import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { BoxedArticle, BoxedDraft } from "../../platform/draftbox/draft.ts";
import type { DraftsStore } from "../../platform/store.ts";

interface DraftRow {
  readonly media_id: string;
  readonly created_at: number;
  readonly updated_at: number;
}

interface ArticleRow {
  readonly media_id: string;
  readonly submitted: string;
  readonly stored: string;
}

/** Leaves the transaction, with nothing done. */
class BoxFull extends Error {}

/** How much of an article there is to keep, as it was sent and as it is stored. */
const CHARS = "coalesce(sum(length(submitted) + length(stored)), 0) from platform_articles";

/** Writes down how large a draft is; refuses what makes its account's box larger than it may be. */
async function weigh(sql: Sql, appid: string, mediaId: string, charsMax: number): Promise<void> {
  await sql.query(
    `update platform_drafts set chars = (select ${CHARS} where media_id = $1) where media_id = $2`,
    [mediaId, mediaId],
  );
  const [row] = await sql.query<{ sum: string | null }>(
    "select cast(sum(chars) as text) as sum from platform_drafts where appid = $1",
    [appid],
  );
  if (Number(row?.sum ?? 0) > charsMax) throw new BoxFull();
}

/** What the work comes to, or `full`, with nothing done. */
async function unlessFull<T, F>(work: Promise<T>, full: F): Promise<T | F> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof BoxFull) return full;
    throw thrown;
  }
}

const NEXT_POSITION = "coalesce(max(position), 0) + 1 from platform_drafts where appid";

function toArticle({ submitted, stored }: ArticleRow): BoxedArticle {
  return { submitted: JSON.parse(submitted), stored: JSON.parse(stored) };
}

export class PlatformDraftRows implements DraftsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(appid: string, draft: BoxedDraft, charsMax: number): Promise<boolean> {
    const { mediaId, articles, createdAtMs, updatedAtMs } = draft;
    const work = this.#sql.transaction(async (sql) => {
      await sql.query(
        `insert into platform_drafts (media_id, appid, chars, created_at, updated_at, position)
         select $1, $2, 0, cast($3 as bigint), cast($4 as bigint), ${NEXT_POSITION} = $5`,
        [mediaId, appid, createdAtMs, updatedAtMs, appid],
      );
      for (const [position, { submitted, stored }] of articles.entries()) {
        await sql.query(
          `insert into platform_articles (media_id, position, submitted, stored)
           values ($1, $2, $3, $4)`,
          [mediaId, position, JSON.stringify(submitted), JSON.stringify(stored)],
        );
      }
      await weigh(sql, appid, mediaId, charsMax);
      return true;
    });
    return unlessFull(work, false);
  }

  async find(appid: string, mediaId: string): Promise<BoxedDraft | undefined> {
    const [draft] = await this.#fill(
      await this.#sql.query<DraftRow>(
        `select media_id, created_at, updated_at from platform_drafts
         where media_id = $1 and appid = $2`,
        [mediaId, appid],
      ),
    );
    return draft;
  }

  async count(appid: string): Promise<number> {
    const [row] = await this.#sql.query<{ n: number }>(
      "select count(*) as n from platform_drafts where appid = $1",
      [appid],
    );
    return row?.n ?? 0;
  }

  async list(appid: string, offset: number, limit: number): Promise<readonly BoxedDraft[]> {
    return this.#fill(
      await this.#sql.query<DraftRow>(
        `select media_id, created_at, updated_at from platform_drafts where appid = $1
         order by position desc, media_id limit $2 offset $3`,
        [appid, limit, offset],
      ),
    );
  }

  replace(
    appid: string,
    mediaId: string,
    index: number,
    { submitted, stored }: BoxedArticle,
    charsMax: number,
    nowMs: number,
  ): Promise<"replaced" | "gone" | "full"> {
    const work = this.#sql.transaction(async (sql) => {
      const rows = await sql.query(
        `update platform_articles set submitted = $1, stored = $2
         where media_id = $3 and position = $4
         and exists (select 1 from platform_drafts where media_id = $5 and appid = $6)
         returning position`,
        [JSON.stringify(submitted), JSON.stringify(stored), mediaId, index, mediaId, appid],
      );
      if (rows.length === 0) return "gone" as const;
      await weigh(sql, appid, mediaId, charsMax);
      await sql.query(
        `update platform_drafts set updated_at = $1, position = (select ${NEXT_POSITION} = $2)
         where media_id = $3`,
        [nowMs, appid, mediaId],
      );
      return "replaced" as const;
    });
    return unlessFull(work, "full" as const);
  }

  async remove(appid: string, mediaId: string): Promise<boolean> {
    const rows = await this.#sql.query(
      "delete from platform_drafts where media_id = $1 and appid = $2 returning media_id",
      [mediaId, appid],
    );
    return rows.length === 1;
  }

  /** One question for the articles of all, however many there are. A draft that has just gone is left out. */
  async #fill(drafts: readonly DraftRow[]): Promise<readonly BoxedDraft[]> {
    if (drafts.length === 0) return [];
    const ids: SqlValue[] = drafts.map(({ media_id }) => media_id);
    const rows = await this.#sql.query<ArticleRow>(
      `select media_id, submitted, stored from platform_articles
       where media_id in (${ids.map((_, i) => `$${i + 1}`).join(", ")})
       order by media_id, position`,
      ids,
    );
    const articles = Map.groupBy(rows, ({ media_id }) => media_id);
    return drafts.flatMap((draft) => {
      const own = articles.get(draft.media_id);
      if (own === undefined) return [];
      return [
        {
          mediaId: draft.media_id,
          articles: own.map(toArticle),
          createdAtMs: draft.created_at,
          updatedAtMs: draft.updated_at,
        },
      ];
    });
  }
}
