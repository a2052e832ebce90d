import type { RoomTables } from "../../lib/sql/sql.ts";

export const DRAFTS_TABLES: RoomTables = {
  room: "drafts",
  least: 4,
  versions: [
    `
    create table public_accounts (
      id text primary key,
      account_id text not null,
      name text not null,
      kind text not null check (kind in ('built-in', 'wechat')),
      appid text not null,
      sealed_secret text not null,
      platform_url text,
      is_default integer not null,
      theme text,
      author text,
      publish_allowed integer not null,
      created_at bigint not null
    );
    create unique index public_accounts_named on public_accounts (account_id, name);
    create unique index public_accounts_one_default on public_accounts (account_id)
      where is_default = 1;
    create index public_accounts_by_appid on public_accounts (appid);

    create table draft_tokens (
      box text not null,
      appid text not null,
      secret_sum text not null,
      sealed text,
      sum text,
      refresh_at bigint not null,
      turn_owner text,
      turn_until bigint not null,
      primary key (box, appid, secret_sum)
    );

    create table draft_uploads (
      box text not null,
      appid text not null,
      used_for text not null check (used_for in ('body', 'material')),
      sha256 text not null,
      media_id text,
      url text,
      created_at bigint not null,
      primary key (box, appid, used_for, sha256)
    );

    create table drafts (
      id text primary key,
      account_id text not null,
      public_account_id text not null,
      articles text not null,
      version integer not null,
      pushed_version integer,
      media_id text,
      status text not null,
      publish_id text,
      writing text not null,
      created_at bigint not null,
      updated_at bigint not null
    );
    create index drafts_of_account on drafts (account_id, id);
    create index drafts_in_box on drafts (media_id) where media_id is not null;

    create table draft_versions (
      draft_id text not null references drafts (id),
      version integer not null,
      articles text not null,
      chars bigint not null,
      saved_by text not null,
      created_at bigint not null,
      primary key (draft_id, version)
    );

    create table draft_keys (
      account_id text not null,
      idem_key text not null,
      request_sum text not null,
      draft_id text,
      owner text not null,
      lease_until bigint not null,
      primary key (account_id, idem_key)
    );
    create index draft_keys_of_draft on draft_keys (draft_id) where draft_id is not null;

    create table draft_pushes (
      id text primary key,
      account_id text not null,
      draft_id text not null references drafts (id),
      public_account_id text not null,
      box text not null,
      kind text not null check (kind in ('add', 'update')),
      version integer not null,
      state text not null
        check (state in ('planned', 'uploading', 'sending', 'done', 'refused', 'unknown')),
      request text,
      fingerprint text,
      sends integer not null,
      sent_at bigint,
      media_id text,
      refusal text,
      doubt text,
      receipt text,
      owner text,
      lease_until bigint not null,
      created_at bigint not null,
      updated_at bigint not null
    );
    create index draft_pushes_of_draft on draft_pushes (draft_id, id);
    create unique index draft_pushes_one_open on draft_pushes (draft_id)
      where state in ('planned', 'uploading', 'sending', 'unknown');
    create unique index draft_pushes_one_of_its_words on draft_pushes (box, fingerprint)
      where kind = 'add' and state in ('sending', 'unknown') and fingerprint is not null;
    create index draft_pushes_left on draft_pushes (lease_until)
      where state in ('planned', 'uploading', 'sending');
    create index draft_pushes_media on draft_pushes (box, media_id) where media_id is not null;
    `,
    `
    alter table draft_pushes add column ends integer not null default 0;

    create table draft_errands (
      draft_id text primary key references drafts (id),
      owner text not null,
      lease_until bigint not null
    );

    alter table draft_keys add column failure text;
    `,
    // Only for public accounts that have more than an AppSecret.
    `
    create table public_account_access (
      public_account_id text primary key,
      credential text not null check (credential in ('secret', 'supplied', 'component')),
      proxy_origin text,
      sealed_proxy text,
      source_origin text,
      sealed_source text,
      component_appid text,
      sealed_component_secret text,
      sealed_token text,
      token_until bigint not null,
      sealed_ticket text,
      ticket_at bigint not null,
      sealed_refresh text
    );
    create index public_account_access_component on public_account_access (component_appid)
      where component_appid is not null;
    `,
    // What was made under a key beside a draft, or in its place, for whoever comes with the key again.
    `
    alter table draft_keys add column answer text;
    `,
    // What lists show of the articles.
    `
    alter table draft_versions add column lines text;
    `,
    // What a model has answered is known by who began, also to who takes the key over.
    `
    alter table draft_keys add column begun_by text;
    `,
    // What was done to a box, until the audit log has it. It outlives its draft.
    `
    create table draft_deeds (
      id text primary key,
      account_id text not null,
      draft_id text not null,
      action text not null,
      done_by text not null,
      detail text not null,
      created_at bigint not null
    );
    create index draft_deeds_of_draft on draft_deeds (draft_id, id);
    `,
    // Who is to be named for a push, also where another process finishes it.
    `
    alter table draft_pushes add column begun_by text;
    `,
    // So long nobody knows whether a draft will be published, since the answer was lost.
    `
    alter table drafts add column publish_doubt_until bigint;
    `,
    // What is kept under keys that have no draft is forgotten when its time is over.
    `
    create index draft_keys_kept on draft_keys (lease_until) where draft_id is null;
    `,
    // When an exclusive job asked the platform to publish its draft, until it is known what came of that.
    `
    alter table draft_errands add column submitted_at bigint;
    `,
  ],
};

export const DRAFT_DOORS_TABLES: RoomTables = {
  room: "draft-doors",
  least: 1,
  versions: [
    `
    create table kept_keys (
      account_id text not null,
      purpose text not null,
      key_id text not null,
      sealed_secret text not null,
      primary key (account_id, purpose)
    );

    create table serving (
      place integer primary key check (place = 1),
      address text not null
    );
    `,
  ],
};
