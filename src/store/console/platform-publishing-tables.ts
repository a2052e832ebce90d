import type { RoomTables } from "../../lib/sql/sql.ts";

/** What the public-account platform publishes, from the moment that a draft is handed in. */
export const PLATFORM_PUBLISHING_TABLES: RoomTables = {
  room: "platform-publishing",
  versions: [
    `
    create table platform_publishes (
      publish_id bigint primary key,
      appid text not null,
      media_id text not null,
      origin text not null,
      status integer not null,
      outcome integer not null,
      failed text not null,
      article_id text,
      articles integer not null,
      submitted_at bigint not null,
      due_at bigint not null,
      pushes_left integer not null,
      push_at bigint not null
    );
    create unique index platform_publishes_one_at_once on platform_publishes (appid, media_id)
      where status = 1;
    create index platform_publishes_due on platform_publishes (due_at) where status = 1;
    create index platform_publishes_to_push on platform_publishes (push_at)
      where pushes_left > 0;
    create index platform_publishes_of_article on platform_publishes (article_id);

    create table platform_publications (
      article_id text primary key,
      appid text not null,
      sent integer not null,
      mid bigint not null,
      articles text not null,
      deleted text not null,
      gone integer not null,
      client_msg_id text,
      created_at bigint not null,
      updated_at bigint not null
    );
    create unique index platform_publications_mid on platform_publications (appid, mid);
    create unique index platform_publications_client on platform_publications
      (appid, client_msg_id);
    create index platform_publications_of_account on platform_publications
      (appid, sent, gone, updated_at);
    `,
    "alter table platform_publications add column position bigint not null default 0",
  ],
};
