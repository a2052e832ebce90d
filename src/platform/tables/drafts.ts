import type { Kysely } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { BoxedArticle, BoxedDraft } from "../draftbox/draft.ts";
import { nextPosition, type PlatformTables } from "./schema.ts";

type Tables = Kysely<PlatformTables>;

/** Leaves the transaction, with nothing done. */
class BoxFull extends Error {}

/** Writes down how large a draft is; refuses what makes its account's box larger than it may be. */
async function weigh(
  tables: Tables,
  appid: string,
  mediaId: string,
  charsMax: number,
): Promise<void> {
  await tables
    .updateTable("platform_drafts")
    .set(({ selectFrom }) => ({
      // How much of each article there is to keep, as it was sent and as it is stored.
      chars: selectFrom("platform_articles")
        .select((eb) => {
          const chars = eb(
            eb.fn<number>("length", ["submitted"]),
            "+",
            eb.fn<number>("length", ["stored"]),
          );
          return eb.fn.coalesce(eb.fn.sum<number>(chars), eb.lit(0)).as("sum");
        })
        .where("media_id", "=", mediaId),
    }))
    .where("media_id", "=", mediaId)
    .execute();
  const row = await tables
    .selectFrom("platform_drafts")
    .select(({ cast, fn }) => cast<string | null>(fn.sum("chars"), "text").as("sum"))
    .where("appid", "=", appid)
    .executeTakeFirst();
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

export class DraftRows extends Rows<PlatformTables> {
  /** False when the account would keep more than `charsMax` with it; then it is not kept. */
  add(appid: string, draft: BoxedDraft, charsMax: number): Promise<boolean> {
    const { mediaId, articles } = draft;
    const work = this.tables.atomically(async (tables) => {
      await tables
        .insertInto("platform_drafts")
        .values({
          media_id: mediaId,
          appid,
          chars: 0,
          created_at: draft.createdAtMs,
          updated_at: draft.updatedAtMs,
          position: nextPosition("platform_drafts", appid),
        })
        .execute();
      for (const [position, { submitted, stored }] of articles.entries()) {
        await tables
          .insertInto("platform_articles")
          .values({
            media_id: mediaId,
            position,
            submitted: JSON.stringify(submitted),
            stored: JSON.stringify(stored),
          })
          .execute();
      }
      await weigh(tables, appid, mediaId, charsMax);
      return true;
    });
    return unlessFull(work, false);
  }

  async find(appid: string, mediaId: string): Promise<BoxedDraft | undefined> {
    const rows = await this.#ofAccount(appid).where("media_id", "=", mediaId).execute();
    const [draft] = await this.#fill(rows);
    return draft;
  }

  async count(appid: string): Promise<number> {
    const row = await this.tables
      .selectFrom("platform_drafts")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where("appid", "=", appid)
      .executeTakeFirst();
    return row?.n ?? 0;
  }

  /** The last changed first. */
  async list(appid: string, offset: number, limit: number): Promise<readonly BoxedDraft[]> {
    const rows = await this.#ofAccount(appid)
      .orderBy("position", "desc")
      .orderBy("media_id")
      .limit(limit)
      .offset(offset)
      .execute();
    return this.#fill(rows);
  }

  /** "gone" when there is no such draft or no such article in it, "full" as with an add. */
  replace(
    appid: string,
    mediaId: string,
    index: number,
    { submitted, stored }: BoxedArticle,
    charsMax: number,
    nowMs: number,
  ): Promise<"replaced" | "gone" | "full"> {
    const work = this.tables.atomically(async (tables) => {
      const rows = await tables
        .updateTable("platform_articles")
        .set({ submitted: JSON.stringify(submitted), stored: JSON.stringify(stored) })
        .where(({ and }) => and({ media_id: mediaId, position: index }))
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom("platform_drafts as d")
              .select("d.media_id")
              .where("d.media_id", "=", mediaId)
              .where("d.appid", "=", appid),
          ),
        )
        .returning("position")
        .execute();
      if (rows.length === 0) return "gone" as const;
      await weigh(tables, appid, mediaId, charsMax);
      await tables
        .updateTable("platform_drafts")
        .set({ updated_at: nowMs, position: nextPosition("platform_drafts", appid) })
        .where("media_id", "=", mediaId)
        .execute();
      return "replaced" as const;
    });
    return unlessFull(work, "full" as const);
  }

  /** False when it was not there. */
  async remove(appid: string, mediaId: string): Promise<boolean> {
    const rows = await this.tables
      .deleteFrom("platform_drafts")
      .where(({ and }) => and({ media_id: mediaId, appid }))
      .returning("media_id")
      .execute();
    return rows.length === 1;
  }

  #ofAccount(appid: string) {
    return this.tables
      .selectFrom("platform_drafts")
      .select(["media_id as mediaId", "created_at as createdAtMs", "updated_at as updatedAtMs"])
      .where("appid", "=", appid);
  }

  /** One question for the articles of all, however many there are. A draft that has just gone is left out. */
  async #fill(drafts: readonly Omit<BoxedDraft, "articles">[]): Promise<readonly BoxedDraft[]> {
    if (drafts.length === 0) return [];
    const ids = drafts.map(({ mediaId }) => mediaId);
    const rows = await this.tables
      .selectFrom("platform_articles")
      .select(["media_id", "submitted", "stored"])
      .where("media_id", "in", ids)
      .orderBy("media_id")
      .orderBy("position")
      .execute();
    const all = Map.groupBy(rows, ({ media_id }) => media_id);
    return drafts.flatMap((draft) => {
      const articles = all.get(draft.mediaId)?.map(({ submitted, stored }) => ({
        submitted: JSON.parse(submitted),
        stored: JSON.parse(stored),
      }));
      return articles ? [{ ...draft, articles }] : [];
    });
  }
}
