import type { RoomTables } from "../../lib/sql/sql.ts";
import { astrayIndex, astrayIndexToTable } from "../migrations/astray-index.ts";
import { overdrafts } from "../migrations/hard-balances.ts";
import { inputLosses } from "../migrations/input-losses.ts";
import { APPEND_ONLY } from "./append-only.ts";
import { JOURNAL_NUMBERS, JOURNAL_TABLES } from "./journal/journal-tables.ts";
import { USAGE_TABLES } from "./usage-tables.ts";

/**
 * Tables of the money file, one text per version. A text that has been released is never edited;
 * the next change is a new one, and says below whether older programs can go on with it.
 */
export const MONEY_VERSIONS: readonly string[] = [
  `
  create table accounts (
    id text primary key,
    name text not null,
    operator integer not null,
    enabled integer not null,
    hard integer not null,
    created_at integer not null
  ) strict, without rowid;
  create unique index accounts_one_operator on accounts (operator) where operator = 1;

  create table keys (
    id text primary key,
    account_id text not null references accounts (id),
    hash text not null unique,
    last_four text not null,
    name text not null,
    enabled integer not null,
    expires_at integer,
    models text,
    networks text,
    rpm integer not null,
    tpm integer not null,
    concurrency integer not null,
    hard integer not null,
    account_read integer not null,
    show_cost integer not null,
    created_at integer not null,
    last_used_at integer
  ) strict, without rowid;
  create index keys_account on keys (account_id, id);

  -- A balance (key_id null, max = credited, used = charged) or a budget of a key (max null = none).
  create table scopes (
    id text primary key,
    account_id text not null references accounts (id),
    key_id text references keys (id),
    kind text not null check (kind in ('balance', 'budget')),
    max integer,
    used integer not null default 0 check (used >= 0),
    held integer not null default 0 check (held >= 0)
  ) strict, without rowid;
  create index scopes_of_key on scopes (account_id, key_id);

  -- Open holds only: a resolved one leaves its trace in entries and receipts.
  create table holds (
    id text primary key,
    account_id text not null,
    key_id text not null,
    owner text not null,
    amount integer not null check (amount >= 0),
    input_cost integer not null,
    model text not null,
    endpoint text not null,
    channel text not null,
    stream integer not null,
    created_at integer not null
  ) strict, without rowid;
  create index holds_of_key on holds (key_id);

  create table entries (
    seq integer primary key,
    account_id text not null references accounts (id),
    key_id text,
    kind text not null check (kind in ('trial', 'topup', 'post', 'void')),
    amount integer not null check (amount >= 0),
    hold_id text,
    ref text,
    note text,
    created_at integer not null
  ) strict;
  create unique index entries_resolved_once on entries (hold_id) where kind in ('post', 'void');
  create unique index entries_credited_once on entries (ref) where ref is not null;

  create table receipts (
    id text primary key,
    account_id text not null,
    key_id text not null,
    created_at integer not null,
    endpoint text not null,
    model text not null,
    stream integer not null,
    status integer not null,
    billing_reason text not null,
    error_code text,
    channel text,
    vendor_request_id text,
    response_id text,
    fresh integer not null,
    cache_read integer not null,
    cache_write integer not null,
    output integer not null,
    reasoning integer not null,
    web_searches integer not null,
    clamped integer not null,
    usage_source text not null,
    price_version text,
    lines text not null,
    cost integer not null check (cost >= 0),
    held integer not null,
    loss integer not null,
    first_byte_ms integer,
    duration_ms integer not null
  ) strict, without rowid;
  create index receipts_response on receipts (response_id) where response_id is not null;

  create table rollups (
    account_id text not null,
    key_id text not null,
    model text not null,
    hour integer not null,
    requests integer not null,
    failures integer not null,
    fresh integer not null,
    cache_read integer not null,
    cache_write integer not null,
    output integer not null,
    cost integer not null,
    primary key (account_id, key_id, model, hour)
  ) strict, without rowid;

  create table rate_seconds (
    key_id text not null,
    second integer not null,
    requests integer not null,
    tokens integer not null,
    primary key (key_id, second)
  ) strict, without rowid;
  `,
  `
  -- Rows of this size are added to the end of a table by rowid; without one, pages were split in half
  -- and twice as many were written. The names of kinds are compared one by one, because a list of four
  -- is built as a table of its own for every row that is checked against it.
  alter table receipts rename to receipts_1;
  create table receipts (
    id text not null primary key,
    account_id text not null,
    key_id text not null,
    created_at integer not null,
    endpoint text not null,
    model text not null,
    stream integer not null,
    status integer not null,
    billing_reason text not null,
    error_code text,
    channel text,
    vendor_request_id text,
    response_id text,
    fresh integer not null,
    cache_read integer not null,
    cache_write integer not null,
    output integer not null,
    reasoning integer not null,
    web_searches integer not null,
    clamped integer not null,
    usage_source text not null,
    price_version text,
    lines text not null,
    cost integer not null check (cost >= 0),
    held integer not null,
    loss integer not null,
    first_byte_ms integer,
    duration_ms integer not null,
    cache_write_long integer not null,
    served_model text,
    attempts text,
    vendor_cost text
  ) strict;
  insert into receipts select *, 0, null, null, null from receipts_1 order by id;
  drop table receipts_1;
  create index receipts_response on receipts (response_id) where response_id is not null;

  alter table entries rename to entries_1;
  create table entries (
    seq integer primary key,
    account_id text not null references accounts (id),
    key_id text,
    kind text not null
      check (kind = 'post' or kind = 'void' or kind = 'trial' or kind = 'topup'),
    amount integer not null check (amount >= 0),
    hold_id text,
    ref text,
    note text,
    created_at integer not null
  ) strict;
  insert into entries select * from entries_1 order by seq;
  drop table entries_1;
  create unique index entries_resolved_once on entries (hold_id) where kind in ('post', 'void');
  create unique index entries_credited_once on entries (ref) where ref is not null;

  alter table rollups add column cache_write_long integer not null default 0;

  -- Moves when something changes that a kept key would still show as it was.
  create table key_changes (
    id integer primary key check (id = 1),
    count integer not null
  ) strict;
  insert into key_changes values (1, 0);
  create trigger key_changed after update of account_id, hash, last_four, name, enabled, expires_at,
    models, networks, rpm, tpm, concurrency, hard, account_read, show_cost on keys
    begin update key_changes set count = count + 1; end;
  create trigger key_removed after delete on keys
    begin update key_changes set count = count + 1; end;
  create trigger account_changed after update on accounts
    begin update key_changes set count = count + 1; end;
  `,
  `
  -- A key may have several budgets. Its scope is what it has used and holds in all, without a maximum.
  alter table scopes rename to scopes_2;
  create table scopes (
    id text primary key,
    account_id text not null references accounts (id),
    key_id text references keys (id),
    kind text not null check (kind = 'balance' or kind = 'key'),
    max integer check ((max is null) = (kind = 'key')),
    used integer not null default 0 check (used >= 0),
    held integer not null default 0 check (held >= 0)
  ) strict, without rowid;
  insert into scopes
    select id, account_id, key_id, case kind when 'budget' then 'key' else kind end,
      case kind when 'budget' then null else max end, used, held
    from scopes_2;

  -- What a budget has used is what its key has used beyond base; posts since window_start add up to it.
  create table budgets (
    key_id text not null references keys (id),
    id text not null,
    period text not null
      check (period = 'total' or period = 'day' or period = 'week' or period = 'month'),
    time_zone text not null,
    max integer not null check (max >= 0),
    base integer not null check (base >= 0),
    window_start integer not null,
    resets_at integer check ((resets_at is null) = (period = 'total')),
    primary key (key_id, id)
  ) strict, without rowid;
  insert into budgets
    select key_id, 'bud_' || replace(key_id, 'key_', ''), 'total', 'UTC', max, 0, 0, null
    from scopes_2 where kind = 'budget' and max is not null;
  drop table scopes_2;

  -- Money that is given back, and play money that is taken back.
  alter table entries rename to entries_2;
  create table entries (
    seq integer primary key,
    account_id text not null references accounts (id),
    key_id text,
    kind text not null check (kind = 'post' or kind = 'void' or kind = 'topup' or kind = 'trial'
      or kind = 'test' or kind = 'restore' or kind = 'refund' or kind = 'reversal'),
    amount integer not null check (amount >= 0),
    hold_id text,
    ref text,
    note text,
    created_at integer not null
  ) strict;
  insert into entries select * from entries_2 order by seq;
  drop table entries_2;
  create unique index entries_resolved_once on entries (hold_id) where kind in ('post', 'void');
  create unique index entries_credited_once on entries (ref) where ref is not null;

  -- What the console reads: the statement of an account, its hours, its newest requests.
  create index entries_of_money on entries (account_id, created_at, seq)
    where kind <> 'post' and kind <> 'void';
  create index rollups_of_account on rollups (account_id, hour);
  create index receipts_of_account on receipts (account_id, id);
  `,
  USAGE_TABLES,
  `
  -- How many requests hold money in a scope, which is what the rest of it is shared among.
  alter table scopes add column running integer not null default 0;
  update scopes set running = (select count(*) from holds h
      where h.amount > 0 and (h.account_id = scopes.id or h.key_id = scopes.id))
    where id in (select account_id from holds union select key_id from holds);
  `,
  `
  -- Why a request was refused for money, and to how much output it was cut for it.
  alter table receipts add column refusal text;
  alter table receipts add column output_clamp integer;
  `,
  `
  -- Refusals that come in a loop share a receipt: how many they are, and when the last of them came.
  alter table receipts add column requests integer not null default 1;
  alter table receipts add column last_at integer;
  `,
  `
  -- What a key was charged since a moment, for budgets that are set while their window runs.
  create index entries_of_key on entries (key_id, created_at, amount) where kind = 'post';
  `,
  `
  -- A deleted key stays for the books; a key that was given another secret is opened by the one before
  -- until that ends.
  alter table keys add column deleted_at integer;
  create table former_secrets (
    hash text primary key,
    key_id text not null references keys (id),
    last_four text not null,
    ends_at integer not null
  ) strict, without rowid;
  create index former_secrets_of_key on former_secrets (key_id, ends_at);
  create trigger key_deleted after update of deleted_at on keys
    begin update key_changes set count = count + 1; end;
  create trigger former_secret_changed after update on former_secrets
    begin update key_changes set count = count + 1; end;
  create trigger former_secret_removed after delete on former_secrets
    begin update key_changes set count = count + 1; end;
  `,
  JOURNAL_TABLES,
  JOURNAL_NUMBERS,
  `
  -- What a request came to whose hold was voided while it ran: a third kind of end, once for each hold.
  alter table entries rename to entries_3;
  create table entries (
    seq integer primary key,
    account_id text not null references accounts (id),
    key_id text,
    kind text not null check (kind = 'post' or kind = 'void' or kind = 'correction' or kind = 'topup'
      or kind = 'trial' or kind = 'test' or kind = 'restore' or kind = 'refund' or kind = 'reversal'),
    amount integer not null check (amount >= 0),
    hold_id text,
    ref text,
    note text,
    created_at integer not null
  ) strict;
  insert into entries (seq, account_id, key_id, kind, amount, hold_id, ref, note, created_at)
    select seq, account_id, key_id, kind, amount, hold_id, ref, note, created_at
    from entries_3 order by seq;
  drop table entries_3;
  create unique index entries_resolved_once on entries (hold_id) where kind in ('post', 'void');
  create unique index entries_corrected_once on entries (hold_id) where kind = 'correction';
  create unique index entries_credited_once on entries (ref) where ref is not null;
  create index entries_of_money on entries (account_id, created_at, seq)
    where kind <> 'post' and kind <> 'void';
  create index entries_of_key on entries (key_id, created_at, amount) where kind = 'post';
  create index entries_corrected_of_key on entries (key_id, created_at, amount)
    where kind = 'correction';
  `,
  astrayIndex("instr"),
  `
  -- Requests whose ids tell another time than they have, since a clock was set: whoever writes such a receipt notes
  -- it here. The index of them was reckoned for every receipt.
  create table astray_receipts (
    account_id text not null,
    id text not null,
    primary key (account_id, id)
  ) strict, without rowid;
  ${astrayIndexToTable("instr")}
  `,
  overdrafts("integer"),
  APPEND_ONLY,
  inputLosses("integer"),
];

/**
 * `least` is the number of the last version that older programs cannot go on with. Those that do not know version 14
 * write receipts that are astray without a note of it.
 */
export const MONEY_TABLES: RoomTables = { room: "money", versions: MONEY_VERSIONS, least: 14 };
