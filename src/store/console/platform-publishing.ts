import type { Sql } from "../../lib/sql/sql.ts";
import type { StoredArticle } from "../../platform/draftbox/draft.ts";
import type { Publication, Publish } from "../../platform/publishing/publication.ts";
import type { MassSend, PublishingStore } from "../../platform/publishing/store.ts";

interface PublishRow {
  readonly publish_id: number;
  readonly appid: string;
  readonly media_id: string;
  readonly origin: string;
  readonly status: Publish["status"];
  readonly outcome: Publish["outcome"];
  readonly failed: string;
  readonly article_id: string | null;
  readonly articles: number;
  readonly submitted_at: number;
  readonly due_at: number;
}

interface PublicationRow {
  readonly article_id: string;
  readonly appid: string;
  readonly sent: number;
  readonly mid: number;
  readonly articles: string;
  readonly deleted: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const PUBLISH = `publish_id, appid, media_id, origin, status, outcome, failed, article_id, articles,
  submitted_at, due_at`;
const PUBLICATION = "article_id, appid, sent, mid, articles, deleted, created_at, updated_at";
const LISTED = "appid = $1 and sent = 0 and gone = 0";
/** A publish whose draft was deleted before its time came. */
const FAILED = 3;

/** Counts the changes of an account's publications, so that two of one moment are told apart. */
function nextPosition(appid: string): string {
  return `(select coalesce(max(position), 0) + 1 from platform_publications where appid = ${appid})`;
}

function toPublish(row: PublishRow): Publish {
  return {
    publishId: row.publish_id,
    appid: row.appid,
    mediaId: row.media_id,
    origin: row.origin,
    status: row.status,
    outcome: row.outcome,
    failed: JSON.parse(row.failed),
    articleId: row.article_id ?? undefined,
    articles: row.articles,
    submittedAtMs: row.submitted_at,
    dueAtMs: row.due_at,
  };
}

function toPublication(row: PublicationRow): Publication {
  return {
    articleId: row.article_id,
    appid: row.appid,
    isSent: row.sent === 1,
    mid: row.mid,
    articles: JSON.parse(row.articles),
    deleted: JSON.parse(row.deleted),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

/** Takes a draft out of the box. No articles: it was not there. */
async function takeDraft(
  sql: Sql,
  appid: string,
  mediaId: string,
): Promise<readonly StoredArticle[]> {
  const rows = await sql.query<{ stored: string }>(
    `select a.stored from platform_articles a join platform_drafts d on d.media_id = a.media_id
     where d.media_id = $1 and d.appid = $2 order by a.position`,
    [mediaId, appid],
  );
  await sql.query("delete from platform_drafts where media_id = $1 and appid = $2", [
    mediaId,
    appid,
  ]);
  return rows.map(({ stored }) => JSON.parse(stored));
}

async function addPublication(
  sql: Sql,
  publication: Publication,
  clientMsgId: string | undefined,
): Promise<void> {
  await sql.query(
    `insert into platform_publications (${PUBLICATION}, gone, client_msg_id, position)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, ${nextPosition("$10")})`,
    [
      publication.articleId,
      publication.appid,
      publication.isSent ? 1 : 0,
      publication.mid,
      JSON.stringify(publication.articles),
      JSON.stringify(publication.deleted),
      publication.createdAtMs,
      publication.updatedAtMs,
      clientMsgId ?? null,
      publication.appid,
    ],
  );
}

/** The tables of what is published behind the port of their room. */
export class PlatformPublishingRows implements PublishingStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async submit(publish: Publish): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into platform_publishes (${PUBLISH}, pushes_left, push_at)
       values ($1, $2, $3, $4, $5, $6, $7, null, 0, $8, $9, 0, 0)
       on conflict do nothing returning publish_id`,
      [
        publish.publishId,
        publish.appid,
        publish.mediaId,
        publish.origin,
        publish.status,
        publish.outcome,
        JSON.stringify(publish.failed),
        publish.submittedAtMs,
        publish.dueAtMs,
      ],
    );
    return rows.length === 1;
  }

  async find(appid: string, publishId: number): Promise<Publish | undefined> {
    const [row] = await this.#sql.query<PublishRow>(
      `select ${PUBLISH} from platform_publishes where publish_id = $1 and appid = $2`,
      [publishId, appid],
    );
    return row && toPublish(row);
  }

  async due(nowMs: number): Promise<readonly Publish[]> {
    const rows = await this.#sql.query<PublishRow>(
      `select ${PUBLISH} from platform_publishes where status = 1 and due_at <= $1
       order by due_at, submitted_at, publish_id limit 100`,
      [nowMs],
    );
    return rows.map(toPublish);
  }

  finish(
    publishId: number,
    articleId: string,
    pushes: number,
    nowMs: number,
  ): Promise<Publish | undefined> {
    return this.#sql.transaction(async (sql) => {
      const [row] = await sql.query<PublishRow>(
        `select ${PUBLISH} from platform_publishes where publish_id = $1 and status = 1`,
        [publishId],
      );
      if (row === undefined) return undefined;
      const { appid, outcome } = row;
      const articles = outcome === 0 ? await takeDraft(sql, appid, row.media_id) : [];
      const isDone = articles.length > 0;
      if (isDone) {
        const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
        const is = { isSent: false, deleted: [], ...times };
        await addPublication(sql, { articleId, appid, mid: publishId, articles, ...is }, undefined);
      }
      const status = outcome === 0 && !isDone ? FAILED : outcome;
      const [ended] = await sql.query<PublishRow>(
        `update platform_publishes set status = $1, article_id = $2, articles = $3,
           pushes_left = $4, push_at = $5 where publish_id = $6 returning ${PUBLISH}`,
        [status, isDone ? articleId : null, articles.length, pushes, nowMs, publishId],
      );
      return ended && toPublish(ended);
    });
  }

  async takePush(nowMs: number, againAtMs: number): Promise<Publish | undefined> {
    const [row] = await this.#sql.query<PublishRow>(
      `update platform_publishes set pushes_left = pushes_left - 1, push_at = $1
       where publish_id = (select publish_id from platform_publishes
         where pushes_left > 0 and push_at <= $2 order by push_at, publish_id limit 1)
       and pushes_left > 0 and push_at <= $3 returning ${PUBLISH}`,
      [againAtMs, nowMs, nowMs],
    );
    return row && toPublish(row);
  }

  async pushed(publishId: number): Promise<void> {
    await this.#sql.query("update platform_publishes set pushes_left = 0 where publish_id = $1", [
      publishId,
    ]);
  }

  send(
    appid: string,
    mediaId: string,
    { msgId, articleId, clientMsgId }: MassSend,
    nowMs: number,
  ): Promise<"sent" | "no_draft" | "repeated"> {
    return this.#sql.transaction(async (sql) => {
      const known = await sql.query(
        "select 1 as n from platform_publications where appid = $1 and client_msg_id = $2",
        [appid, clientMsgId ?? null],
      );
      if (known.length > 0) return "repeated";
      const articles = await takeDraft(sql, appid, mediaId);
      if (articles.length === 0) return "no_draft";
      const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const is = { isSent: true, deleted: [], ...times };
      await addPublication(sql, { articleId, appid, mid: msgId, articles, ...is }, clientMsgId);
      return "sent";
    });
  }

  async publication(appid: string, articleId: string): Promise<Publication | undefined> {
    const [row] = await this.#sql.query<PublicationRow>(
      `select ${PUBLICATION} from platform_publications where article_id = $1 and appid = $2`,
      [articleId, appid],
    );
    return row && toPublication(row);
  }

  async publicationByMid(appid: string, mid: number): Promise<Publication | undefined> {
    const [row] = await this.#sql.query<PublicationRow>(
      `select ${PUBLICATION} from platform_publications where appid = $1 and mid = $2`,
      [appid, mid],
    );
    return row && toPublication(row);
  }

  async list(appid: string, offset: number, limit: number): Promise<readonly Publication[]> {
    const rows = await this.#sql.query<PublicationRow>(
      `select ${PUBLICATION} from platform_publications where ${LISTED}
       order by updated_at desc, position desc, article_id desc limit $2 offset $3`,
      [appid, limit, offset],
    );
    return rows.map(toPublication);
  }

  async count(appid: string): Promise<number> {
    const [row] = await this.#sql.query<{ n: number }>(
      `select count(*) as n from platform_publications where ${LISTED}`,
      [appid],
    );
    return row?.n ?? 0;
  }

  setDeleted(
    { articleId, appid, articles }: Publication,
    indexes: readonly number[],
    nowMs: number,
  ): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      const isGone = indexes.length === articles.length;
      await sql.query(
        `update platform_publications set deleted = $1, gone = $2, updated_at = $3,
           position = ${nextPosition("$4")}
         where article_id = $5`,
        [JSON.stringify(indexes), isGone ? 1 : 0, nowMs, appid, articleId],
      );
      if (!isGone) return;
      await sql.query("update platform_publishes set status = 5 where article_id = $1", [
        articleId,
      ]);
    });
  }
}
