import { type Kysely, type Selection, sql } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { StoredArticle } from "../draftbox/draft.ts";
import type { Publication, Publish } from "../publishing/publication.ts";
import { nextPosition, type PlatformTables } from "./schema.ts";

/** What a mass send leaves behind. */
interface MassSend {
  readonly msgId: number;
  readonly articleId: string;
  /** The sender's own id for it: a second send with the same one is refused. */
  readonly clientMsgId: string | undefined;
}

/** A publish as it is handed in. */
interface NewPublish
  extends Pick<
    PlatformTables["platform_publishes"],
    "publish_id" | "appid" | "media_id" | "origin" | "outcome" | "submitted_at" | "due_at"
  > {
  readonly failed: readonly number[];
}

type Tables = Kysely<PlatformTables>;

const PUBLISH = [
  ...["publish_id as publishId", "appid", "origin", "status"],
  ...["failed", "article_id as articleId", "articles"],
] as const;
const PUBLICATION = [
  ...["article_id as articleId", "appid", "sent", "mid", "articles", "deleted"],
  ...["created_at as createdAtMs", "updated_at as updatedAtMs"],
] as const;

type PublishRow = Selection<PlatformTables, "platform_publishes", (typeof PUBLISH)[number]>;
type PublicationRow = Selection<
  PlatformTables,
  "platform_publications",
  (typeof PUBLICATION)[number]
>;

/** A publish whose draft was deleted before its time came. */
const FAILED = 3;
const DUE_MAX = 100;

/** Whether the time of one has come, by the rule of `hasCome`: from when it was handed in, it waits for so long. */
function isDue(nowMs: number) {
  const [due, submitted] = [sql.ref("due_at"), sql.ref("submitted_at")];
  return sql<boolean>`(${due} <= ${nowMs} or ${due} > ${nowMs} + 2 * (${due} - ${submitted}))`;
}

function toPublish(row: PublishRow): Publish {
  return { ...row, failed: JSON.parse(row.failed), articleId: row.articleId ?? undefined };
}

function toPublication({ sent, articles, deleted, ...row }: PublicationRow): Publication {
  return {
    ...row,
    isSent: sent === 1,
    articles: JSON.parse(articles),
    deleted: JSON.parse(deleted),
    deletedText: deleted,
  };
}

/** Takes a draft out of the box. No articles: it was not there. */
async function takeDraft(
  tables: Tables,
  appid: string,
  mediaId: string,
): Promise<readonly StoredArticle[]> {
  const rows = await tables
    .selectFrom("platform_articles as a")
    .innerJoin("platform_drafts as d", "d.media_id", "a.media_id")
    .select("a.stored")
    .where(({ and }) => and({ "d.media_id": mediaId, "d.appid": appid }))
    .orderBy("a.position")
    .execute();
  await tables
    .deleteFrom("platform_drafts")
    .where(({ and }) => and({ media_id: mediaId, appid }))
    .execute();
  return rows.map(({ stored }) => JSON.parse(stored));
}

async function addPublication(
  tables: Tables,
  publication: Pick<Publication, "appid" | "articleId" | "mid" | "isSent" | "articles">,
  clientMsgId: string | undefined,
  nowMs: number,
): Promise<void> {
  await tables
    .insertInto("platform_publications")
    .values({
      article_id: publication.articleId,
      appid: publication.appid,
      sent: publication.isSent,
      mid: publication.mid,
      articles: JSON.stringify(publication.articles),
      deleted: "[]",
      created_at: nowMs,
      updated_at: nowMs,
      gone: false,
      client_msg_id: clientMsgId ?? null,
      position: nextPosition("platform_publications", publication.appid),
    })
    .execute();
}

/** What is published, from the moment that a draft is handed in. */
export class PublishingRows extends Rows<PlatformTables> {
  /** False when this draft is being published already. */
  async submit({ failed, ...publish }: NewPublish): Promise<boolean> {
    const rows = await this.tables
      .insertInto("platform_publishes")
      .values({
        ...publish,
        failed: JSON.stringify(failed),
        status: 1,
        article_id: null,
        articles: 0,
        pushes_left: 0,
        push_at: 0,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("publish_id")
      .execute();
    return rows.length === 1;
  }

  async find(appid: string, publishId: number): Promise<Publish | undefined> {
    const row = await this.tables
      .selectFrom("platform_publishes")
      .select(PUBLISH)
      .where(({ and }) => and({ publish_id: publishId, appid }))
      .executeTakeFirst();
    return row && toPublish(row);
  }

  /** Those under way whose time has come. */
  async due(nowMs: number): Promise<readonly Publish[]> {
    const rows = await this.tables
      .selectFrom("platform_publishes")
      .select(PUBLISH)
      // A literal, as in the index.
      .where("status", "=", ({ lit }) => lit(1))
      .where(isDue(nowMs))
      .orderBy("due_at")
      .orderBy("submitted_at")
      .orderBy("publish_id")
      .limit(DUE_MAX)
      .execute();
    return rows.map(toPublish);
  }

  /**
   * Ends a publish as it was to end, and says how; undefined when somebody else has. With success
   * the draft becomes a publication. A draft that has gone meanwhile is a failure. `pushes` is how
   * often its owner may be told.
   */
  finish(
    publishId: number,
    articleId: string,
    pushes: number,
    nowMs: number,
  ): Promise<Publish | undefined> {
    return this.tables.atomically(async (tables) => {
      const row = await tables
        .selectFrom("platform_publishes")
        .select(["appid", "media_id", "outcome"])
        .where(({ and }) => and({ publish_id: publishId, status: 1 }))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { appid, outcome } = row;
      const articles = outcome === 0 ? await takeDraft(tables, appid, row.media_id) : [];
      const isDone = articles.length > 0;
      if (isDone) {
        const made = { articleId, appid, mid: publishId, articles, isSent: false };
        await addPublication(tables, made, undefined, nowMs);
      }
      const ended = await tables
        .updateTable("platform_publishes")
        .set({
          status: outcome === 0 && !isDone ? FAILED : outcome,
          article_id: isDone ? articleId : null,
          articles: articles.length,
          pushes_left: pushes,
          push_at: nowMs,
        })
        .where("publish_id", "=", publishId)
        .returning(PUBLISH)
        .executeTakeFirst();
      return ended && toPublish(ended);
    });
  }

  /** Takes one that its owner is to be told about, and nobody else takes it until `againAtMs`. */
  async takePush(nowMs: number, againAtMs: number): Promise<Publish | undefined> {
    const row = await this.tables
      .updateTable("platform_publishes")
      .set((eb) => ({ pushes_left: eb("pushes_left", "-", eb.lit(1)), push_at: againAtMs }))
      .where("publish_id", "=", ({ selectFrom, lit }) =>
        selectFrom("platform_publishes")
          .select("publish_id")
          .where("pushes_left", ">", lit(0))
          .where(cameBy("push_at", nowMs, againAtMs - nowMs))
          .orderBy("push_at")
          .orderBy("publish_id")
          .limit(1),
      )
      .where("pushes_left", ">", ({ lit }) => lit(0))
      .where(cameBy("push_at", nowMs, againAtMs - nowMs))
      .returning(PUBLISH)
      .executeTakeFirst();
    return row && toPublish(row);
  }

  /** Its owner has been told. */
  async pushed(publishId: number): Promise<void> {
    await this.tables
      .updateTable("platform_publishes")
      .set({ pushes_left: 0 })
      .where("publish_id", "=", publishId)
      .execute();
  }

  /** The draft goes out and leaves the box. */
  send(
    appid: string,
    mediaId: string,
    { msgId, articleId, clientMsgId }: MassSend,
    nowMs: number,
  ): Promise<"sent" | "no_draft" | "repeated"> {
    return this.tables.atomically(async (tables) => {
      const known = await tables
        .selectFrom("platform_publications")
        .select("article_id")
        .where("appid", "=", appid)
        // Nothing equals null: without an id of the sender's, none is known.
        .where("client_msg_id", "=", clientMsgId ?? null)
        .execute();
      if (known.length > 0) return "repeated";
      const articles = await takeDraft(tables, appid, mediaId);
      if (articles.length === 0) return "no_draft";
      const made = { articleId, appid, mid: msgId, articles, isSent: true };
      await addPublication(tables, made, clientMsgId, nowMs);
      return "sent";
    });
  }

  async publication(appid: string, articleId: string): Promise<Publication | undefined> {
    const row = await this.#publications(appid)
      .where("article_id", "=", articleId)
      .executeTakeFirst();
    return row && toPublication(row);
  }

  async publicationByMid(appid: string, mid: number): Promise<Publication | undefined> {
    const row = await this.#publications(appid).where("mid", "=", mid).executeTakeFirst();
    return row && toPublication(row);
  }

  /** Published, not sent, and not all deleted; the newest first. */
  async list(appid: string, offset: number, limit: number): Promise<readonly Publication[]> {
    const rows = await this.#publications(appid)
      .where(({ and }) => and({ sent: 0, gone: 0 }))
      .orderBy("updated_at", "desc")
      .orderBy("position", "desc")
      .orderBy("article_id", "desc")
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(toPublication);
  }

  async count(appid: string): Promise<number> {
    const row = await this.tables
      .selectFrom("platform_publications")
      .select(({ fn }) => fn.countAll<number>().as("n"))
      .where(({ and }) => and({ appid, sent: 0, gone: 0 }))
      .executeTakeFirst();
    return row?.n ?? 0;
  }

  /**
   * Those of `indexes`, counted from one, are deleted; with the last of them the publish is too. False where others
   * were deleted since it was read.
   */
  setDeleted(
    { articleId, appid, articles, deletedText }: Publication,
    indexes: readonly number[],
    nowMs: number,
  ): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      const isGone = indexes.length === articles.length;
      const { numUpdatedRows } = await tables
        .updateTable("platform_publications")
        .set({
          deleted: JSON.stringify(indexes),
          gone: isGone,
          updated_at: nowMs,
          position: nextPosition("platform_publications", appid),
        })
        .where("article_id", "=", articleId)
        .where("deleted", "=", deletedText)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      if (!isGone) return true;
      await tables
        .updateTable("platform_publishes")
        .set({ status: 5 })
        .where("article_id", "=", articleId)
        .execute();
      return true;
    });
  }

  #publications(appid: string) {
    return this.tables
      .selectFrom("platform_publications")
      .select(PUBLICATION)
      .where("appid", "=", appid);
  }
}
