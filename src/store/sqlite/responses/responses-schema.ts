import type { RoomTables } from "../../../lib/sql/sql.ts";

/** Tables of the file of stored responses, apart from money so that neither waits for the other. */
const VERSIONS: readonly string[] = [
  `
  create table responses (
    id text primary key,
    account_id text not null,
    key_id text not null,
    parent_id text,
    created_at integer not null,
    expires_at integer not null,
    bytes integer not null,
    body blob not null
  ) strict;
  create index responses_account on responses (account_id, created_at, id, bytes);
  create index responses_expiry on responses (expires_at);

  create table response_items (
    item_id text not null,
    response_id text not null references responses (id) on delete cascade,
    primary key (item_id, response_id)
  ) strict, without rowid;
  create index response_items_response on response_items (response_id);
  `,
  `
  -- Who has an Idempotency-Key of a key, and the answer under it. Whether that answer counts is for the
  -- receipt of its request to say.
  create table kept_answers (
    key_id text not null,
    value text not null,
    account_id text not null,
    request_id text not null,
    fingerprint text not null,
    owner text not null,
    state text not null check (state = 'running' or state = 'kept' or state = 'not_kept'),
    created_at integer not null,
    expires_at integer not null,
    bytes integer not null,
    body blob check ((body is null) = (state <> 'kept')),
    primary key (key_id, value)
  ) strict;
  create index kept_answers_account on kept_answers (account_id, created_at, request_id, bytes)
    where bytes > 0;
  create index kept_answers_expiry on kept_answers (expires_at);
  `,
];

/** `least` is the number of the last version that older programs cannot go on with. */
export const RESPONSE_TABLES: RoomTables = { room: "responses", versions: VERSIONS, least: 2 };
