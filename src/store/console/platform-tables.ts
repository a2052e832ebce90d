import type { RoomTables } from "../../lib/sql/sql.ts";

export const PLATFORM_TABLES: RoomTables = {
  room: "platform",
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
