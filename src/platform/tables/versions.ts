import type { RoomTables } from "../../lib/sql/sql.ts";

export const PLATFORM_TABLES: RoomTables = {
  room: "platform",
  least: 2,
  versions: [
    `
    create table platform_accounts (
      appid text primary key,
      owner text not null,
      name text not null,
      secret text not null,
      sandbox integer not null,
      type text not null check (type in ('subscription', 'service', 'other')),
      verified integer not null,
      comment_right integer not null,
      product_right text not null check (product_right in ('ok', 'restricted', 'off')),
      ip_list text not null,
      frozen integer not null,
      callback_url text,
      created_at bigint not null
    );
    create index platform_accounts_of_owner on platform_accounts (owner, created_at);
    create unique index platform_accounts_one_sandbox on platform_accounts (owner)
      where sandbox = 1;

    create table platform_tokens (
      hash text primary key,
      sealed text not null,
      appid text not null,
      kind text not null,
      sets text not null,
      created_at bigint not null,
      expires_at bigint not null,
      superseded_at bigint,
      forced integer not null,
      position bigint not null
    );
    create index platform_tokens_of_account on platform_tokens (appid, kind, position);
    create index platform_tokens_by_end on platform_tokens (expires_at);

    create table platform_quotas (
      appid text not null,
      period text not null,
      name text not null,
      used bigint not null,
      primary key (appid, period, name)
    );

    create table platform_calls (
      rid text primary key,
      appid text,
      at bigint not null,
      cost_ms bigint not null,
      method text not null,
      path text not null,
      url text not null,
      request_body text not null,
      response_body text not null,
      client_ip text not null,
      errcode bigint not null,
      field text
    );
    create index platform_calls_by_time on platform_calls (at);
    create index platform_calls_of_account on platform_calls (appid, at);

    create table platform_drafts (
      media_id text primary key,
      appid text not null,
      chars bigint not null,
      created_at bigint not null,
      updated_at bigint not null,
      position bigint not null
    );
    create index platform_drafts_of_account on platform_drafts (appid, position);

    create table platform_articles (
      media_id text not null references platform_drafts (media_id) on delete cascade,
      position integer not null,
      submitted text not null,
      stored text not null,
      primary key (media_id, position)
    );

    create table platform_products (
      key text primary key,
      appid text not null,
      product_id text not null,
      article_type text not null,
      card_type integer not null,
      created_at bigint not null
    );
    create unique index platform_products_one_card
      on platform_products (appid, product_id, article_type, card_type);
    `,
    "alter table platform_accounts add column position bigint not null default 0",
  ],
};

/** Uploads to the public-account platform. The bytes are apart, so that lists need not read them. */
export const PLATFORM_MEDIA_TABLES: RoomTables = {
  room: "platform-media",
  least: 1,
  versions: [
    `
    create table platform_media (
      media_id text primary key,
      appid text not null,
      keeping text not null,
      type text not null,
      file_name text not null,
      format text not null,
      bytes bigint not null,
      title text not null,
      introduction text not null,
      public_id text not null,
      created_at bigint not null,
      expires_at bigint,
      position bigint not null
    );
    create unique index platform_media_public on platform_media (public_id);
    create index platform_media_of_account on platform_media (appid, keeping, type, position);
    create index platform_media_by_end on platform_media (expires_at);

    create table platform_media_files (
      media_id text primary key references platform_media (media_id) on delete cascade,
      data text not null
    );
    `,
  ],
};

/** What the public-account platform publishes, from the moment that a draft is handed in. */
export const PLATFORM_PUBLISHING_TABLES: RoomTables = {
  room: "platform-publishing",
  least: 2,
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
