import type { RoomTables } from "../../lib/sql/sql.ts";
import { astrayIndex, astrayIndexToTable } from "../migrations/astray-index.ts";
import { overdrafts } from "../migrations/hard-balances.ts";
import { inputLosses } from "../migrations/input-losses.ts";
import { APPEND_ONLY } from "./append-only.ts";
import { WRITE_BATCH_2 } from "./batches/write-batch.ts";
import { WRITE_BATCH_1 } from "./batches/write-batch-1.ts";
import { USAGE_BY_ROWS, USAGE_TABLES } from "./usage-tables.ts";

/**
 * The tables, one text per version, with the names of the SQLite files so that reads are shared.
 * Flags are 0 and 1, money is nano-USD, times are milliseconds since 1970. A text that has been
 * released is never edited; the next change is a new one, and says below whether older programs can go on
 * with it.
 */
export const VERSIONS: readonly string[] = [
  `
  create table accounts (
    id text primary key,
    name text not null,
    operator smallint not null,
    enabled smallint not null,
    hard smallint not null,
    created_at bigint not null
  );
  create unique index accounts_one_operator on accounts (operator) where operator = 1;

  create table keys (
    id text primary key,
    account_id text not null references accounts (id),
    hash text not null unique,
    last_four text not null,
    name text not null,
    enabled smallint not null,
    expires_at bigint,
    models text,
    networks text,
    rpm bigint not null,
    tpm bigint not null,
    concurrency bigint not null,
    hard smallint not null,
    account_read smallint not null,
    show_cost smallint not null,
    created_at bigint not null,
    last_used_at bigint
  );
  create index keys_account on keys (account_id, id);

  -- A balance (key_id null, max = credited, used = charged) or a budget of a key (max null = none).
  create table scopes (
    id text primary key,
    account_id text not null references accounts (id),
    key_id text references keys (id),
    kind text not null check (kind in ('balance', 'budget')),
    max bigint,
    used bigint not null default 0 check (used >= 0),
    held bigint not null default 0 check (held >= 0)
  );
  create index scopes_of_key on scopes (account_id, key_id);

  -- Open holds only: a resolved one leaves its trace in entries and receipts.
  create table holds (
    id text primary key,
    account_id text not null,
    key_id text not null,
    owner text not null,
    amount bigint not null check (amount >= 0),
    input_cost bigint not null,
    model text not null,
    endpoint text not null,
    channel text not null,
    stream smallint not null,
    created_at bigint not null
  );
  create index holds_of_key on holds (key_id);

  create table entries (
    seq bigint generated always as identity primary key,
    account_id text not null references accounts (id),
    key_id text,
    kind text not null check (kind in ('trial', 'topup', 'post', 'void')),
    amount bigint not null check (amount >= 0),
    hold_id text,
    ref text,
    note text,
    created_at bigint not null
  );
  create unique index entries_resolved_once on entries (hold_id) where kind in ('post', 'void');
  create unique index entries_credited_once on entries (ref) where ref is not null;

  create table receipts (
    id text primary key,
    account_id text not null,
    key_id text not null,
    created_at bigint not null,
    endpoint text not null,
    model text not null,
    stream smallint not null,
    status integer not null,
    billing_reason text not null,
    error_code text,
    channel text,
    vendor_request_id text,
    response_id text,
    fresh bigint not null,
    cache_read bigint not null,
    cache_write bigint not null,
    output bigint not null,
    reasoning bigint not null,
    web_searches bigint not null,
    clamped smallint not null,
    usage_source text not null,
    price_version text,
    lines text not null,
    cost bigint not null check (cost >= 0),
    held bigint not null,
    loss bigint not null,
    first_byte_ms bigint,
    duration_ms bigint not null
  );
  create index receipts_response on receipts (response_id) where response_id is not null;

  create table rollups (
    account_id text not null,
    key_id text not null,
    model text not null,
    hour bigint not null,
    requests bigint not null,
    failures bigint not null,
    fresh bigint not null,
    cache_read bigint not null,
    cache_write bigint not null,
    output bigint not null,
    cost bigint not null,
    primary key (account_id, key_id, model, hour)
  );

  create table rate_seconds (
    key_id text not null,
    second bigint not null,
    requests bigint not null,
    tokens bigint not null,
    primary key (key_id, second)
  );

  -- Serving processes. A hold whose owner is not here, or whose lease has run out, is nobody's.
  create table owners (
    id text primary key,
    lease_until bigint not null
  );

  create table responses (
    id text primary key,
    account_id text not null,
    key_id text not null,
    parent_id text,
    created_at bigint not null,
    expires_at bigint not null,
    bytes bigint not null,
    body bytea not null
  );
  -- Bodies arrive compressed.
  alter table responses alter column body set storage external;
  create index responses_account on responses (account_id, created_at, id, bytes);
  create index responses_expiry on responses (expires_at);

  create table response_items (
    item_id text not null,
    response_id text not null references responses (id) on delete cascade,
    primary key (item_id, response_id)
  );
  create index response_items_response on response_items (response_id);
  `,
  `
  alter table receipts add column cache_write_long bigint not null default 0;
  alter table receipts add column served_model text;
  alter table receipts add column attempts text;
  alter table receipts add column vendor_cost text;
  alter table rollups add column cache_write_long bigint not null default 0;
  `,
  `
  -- What a budget has used is what its key has used beyond base; posts since window_start add up to it.
  create table budgets (
    key_id text not null references keys (id),
    id text not null,
    period text not null check (period in ('total', 'day', 'week', 'month')),
    time_zone text not null,
    max bigint not null check (max >= 0),
    base bigint not null check (base >= 0),
    window_start bigint not null,
    resets_at bigint check ((resets_at is null) = (period = 'total')),
    primary key (key_id, id)
  );
  insert into budgets
    select key_id, 'bud_' || replace(key_id, 'key_', ''), 'total', 'UTC', max, 0, 0, null
    from scopes where kind = 'budget' and max is not null;

  -- A key may have several budgets. Its scope is what it has used and holds in all, without a maximum.
  alter table scopes drop constraint scopes_kind_check;
  update scopes set kind = 'key', max = null where kind = 'budget';
  alter table scopes add check (kind in ('balance', 'key')),
    add check ((max is null) = (kind = 'key'));
  drop index scopes_of_key;

  -- Money that is given back, and play money that is taken back.
  alter table entries drop constraint entries_kind_check;
  alter table entries add constraint entries_kind_check check (kind in
    ('post', 'void', 'topup', 'trial', 'test', 'restore', 'refund', 'reversal'));

  -- What the console reads: the statement of an account, its hours, its newest requests.
  create index entries_of_money on entries (account_id, created_at, seq)
    where kind <> 'post' and kind <> 'void';
  create index rollups_of_account on rollups (account_id, hour);
  create index receipts_of_account on receipts (account_id, id);
  `,
  USAGE_TABLES,
  `
  -- How many requests hold money in a scope, which is what the rest of it is shared among.
  alter table scopes add column running bigint not null default 0;
  update scopes set running = (select count(*) from holds h
      where h.amount > 0 and (h.account_id = scopes.id or h.key_id = scopes.id))
    where id in (select account_id from holds union select key_id from holds);
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
    state text not null check (state in ('running', 'kept', 'not_kept')),
    created_at bigint not null,
    expires_at bigint not null,
    bytes bigint not null,
    body bytea check ((body is null) = (state <> 'kept')),
    primary key (key_id, value)
  );
  -- Bodies arrive compressed.
  alter table kept_answers alter column body set storage external;
  create index kept_answers_account on kept_answers (account_id, created_at, request_id, bytes)
    where bytes > 0;
  create index kept_answers_expiry on kept_answers (expires_at);
  `,
  `
  -- Why a request was refused for money, and to how much output it was cut for it.
  alter table receipts add column refusal text;
  alter table receipts add column output_clamp bigint;
  `,
  `
  -- Refusals that come in a loop share a receipt: how many they are, and when the last of them came.
  alter table receipts add column requests bigint not null default 1;
  alter table receipts add column last_at bigint;
  `,
  `
  -- What a key was charged since a moment, for budgets that are set while their window runs.
  create index entries_of_key on entries (key_id, created_at, amount) where kind = 'post';
  `,
  `
  -- A deleted key stays for the books; a key that was given another secret is opened by the one before
  -- until that ends.
  alter table keys add column deleted_at bigint;
  create table former_secrets (
    hash text primary key,
    key_id text not null references keys (id),
    last_four text not null,
    ends_at bigint not null
  );
  create index former_secrets_of_key on former_secrets (key_id, ends_at);
  `,
  `
  -- What a request came to whose hold was voided while it ran: a third kind of end, once for each hold. The
  -- rows that are there have been checked by the constraint of before, which allowed less.
  alter table entries drop constraint entries_kind_check;
  alter table entries add constraint entries_kind_check check (kind in
    ('post', 'void', 'correction', 'topup', 'trial', 'test', 'restore', 'refund', 'reversal')) not valid;
  -- Older programs never write such an entry.
  create unique index entries_corrected_once on entries (hold_id) where kind = 'correction';
  create index entries_corrected_of_key on entries (key_id, created_at, amount)
    where kind = 'correction';
  `,
  `
  -- By what name a serving process is known to those who read the log of another.
  alter table owners add column name text not null default '';
  `,
  `
  -- For how long a lease is taken: one that lies further ahead was taken before the clock was set back.
  alter table owners add column lease_ms bigint;
  `,
  astrayIndex("strpos"),
  `
  -- Requests whose ids tell another time than they have, since a clock was set: whoever writes such a receipt notes
  -- it here. The index of them was reckoned for every receipt.
  create table astray_receipts (
    account_id text collate "C" not null,
    id text collate "C" not null,
    primary key (account_id, id)
  );
  ${astrayIndexToTable("strpos")}
  `,
  `
  -- How often a process may have lost what it had sent: what was sent before is not written any more.
  alter table owners add column epoch bigint not null default 0;
  `,
  WRITE_BATCH_1,
  USAGE_BY_ROWS,
  overdrafts("bigint"),
  APPEND_ONLY,
  inputLosses("bigint", 'collate "C"'),
  WRITE_BATCH_2,
];

/**
 * `least` is the number of the last version that older programs cannot go on with. Those that do not know version 13
 * take a debit that was given up for one that was made; those that do not know version 15 write receipts that are
 * astray without a note of it.
 */
export const TABLES: RoomTables = { room: "money", versions: VERSIONS, least: 15 };
