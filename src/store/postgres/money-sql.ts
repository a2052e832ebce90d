import { WINDOW_SECONDS } from "../../admission/rates.ts";
import { HOLD_COLUMNS } from "../money/money-rows.ts";
import { CHANNEL_DAY_COLUMNS, listedChannelSums } from "../reads/channel-days.ts";
import { ROLLUP_COLUMNS } from "../reads/rollups.ts";
import { listed } from "../reads/usage-sums.ts";
import { RECEIPT_COLUMNS } from "../rows.ts";
import { NOW_MS_SQL } from "./connections.ts";

/** Column types of what is written from JSON, where they are not text. */
const TYPES: Readonly<Record<string, string>> = {
  amount: "bigint",
  input_cost: "bigint",
  stream: "smallint",
  created_at: "bigint",
  status: "integer",
  fresh: "bigint",
  cache_read: "bigint",
  cache_write: "bigint",
  cache_write_long: "bigint",
  output: "bigint",
  reasoning: "bigint",
  web_searches: "bigint",
  clamped: "smallint",
  cost: "bigint",
  held: "bigint",
  loss: "bigint",
  overage: "bigint",
  first_byte_ms: "bigint",
  duration_ms: "bigint",
  output_clamp: "bigint",
  more: "bigint",
  used: "bigint",
  running: "bigint",
  hour: "bigint",
  day: "bigint",
  requests: "bigint",
  failures: "bigint",
  second: "bigint",
  tokens: "bigint",
  last_at: "bigint",
  last_used_at: "bigint",
  base: "bigint",
  window_start: "bigint",
  resets_at: "bigint",
};

/** A parameter that holds a JSON list of objects, as a table. */
function table(param: number, columns: readonly string[]): string {
  const typed = columns.map((column) => `${column} ${TYPES[column] ?? "text"}`).join(", ");
  return `json_to_recordset(($${param}::text)::json) as v (${typed})`;
}

/** A parameter that holds a JSON list of texts, as a set. */
function texts(param: number): string {
  return `(select json_array_elements_text(($${param}::text)::json))`;
}

function insert(into: string, columns: readonly string[], param: number): string {
  const names = columns.join(", ");
  return `insert into ${into} (${names}) select ${names} from ${table(param, columns)}`;
}

const ENTRY_COLUMNS = ["account_id", "key_id", "kind", "amount", "hold_id", "created_at"];
const RATE_COLUMNS = ["key_id", "second", "requests", "tokens"];
const TURN_COLUMNS = ["key_id", "id", "base", "window_start", "resets_at"];
const OWN_DAY_COLUMNS = ["owner", ...CHANNEL_DAY_COLUMNS];
const ADD_SUMS = listed((name) => `${name} = rollups.${name} + excluded.${name}`);

/**
 * Locks the scopes of all keys of a batch, in id order: whoever touches a key's money, budgets, holds,
 * rates, rollups or last use has locked its scopes first, so batches of several processes cannot
 * deadlock.
 * The ids are gathered before, not joined: a row that another process has changed is judged again
 * after the wait, and by a join PostgreSQL may then drop it from the result.
 * `$1`: accounts and keys, by which scopes are named; `$2`: holds, to look up theirs.
 */
export const LOCK_SQL = `
  select id, kind, max, used, held, running from scopes where id = any (array(
    select json_array_elements_text(($1::text)::json)
    union select account_id from holds where id in ${texts(2)}
    union select key_id from holds where id in ${texts(2)}
  )) order by id for update`;

/**
 * What a batch needs to know once it has its locks. A statement of its own, because one that had
 * to wait for a lock still sees everything but the locked row as it was before.
 * `$1`: holds; `$2`: keys with rate limits; `$3`: keys with a concurrency limit; `$4`: receipts;
 * `$5`: keys with budgets or without, beside those of the holds.
 */
export const LOAD_SQL = `
  select ${NOW_MS_SQL} as now_ms, pg_current_xact_id()::text as xid,
    (select json_agg(json_build_array(id, account_id, key_id, amount::text))
      from holds where id in ${texts(1)})::text as holds,
    (select json_agg(json_build_array(key_id, second, requests, tokens) order by key_id, second)
      from rate_seconds where key_id in ${texts(2)}
      and second > ${NOW_MS_SQL} / 1000 - ${WINDOW_SECONDS + 1})::text as seconds,
    (select json_agg(json_build_array(key_id, open)) from (select key_id, count(*) as open
      from holds where key_id in ${texts(3)} group by key_id) counted)::text as open_holds,
    (select json_agg(id) from receipts where id in ${texts(4)})::text as receipts,
    (select json_agg(json_build_object('key_id', key_id, 'id', id, 'period', period,
      'time_zone', time_zone, 'max', max::text, 'base', base::text,
      'window_start', window_start, 'resets_at', resets_at))
      from budgets where key_id in (select json_array_elements_text(($5::text)::json)
        union select key_id from holds where id in ${texts(1)}))::text as budgets`;

/**
 * Everything a batch writes, in one statement. It fails unless it finds as many rows as it must of those
 * that are there: the locks make it impossible, and were it possible, money would be written twice or not
 * at all. `$1`: holds taken; `$2`: raised; `$3`: opened; `$4`: entries; `$5`: receipts; `$6`: scopes;
 * `$7`: rate seconds; `$8`: rollups; `$9`: keys used; `$10`: budgets whose period has turned;
 * `$11`: days of channels, which lie apart by process, so that none waits for another; `$12`: refusals
 * that share a receipt; `$13`: the rows to be found.
 */
export const WRITE_SQL = `
  with taken as (delete from holds where id in ${texts(1)} returning 1),
  raised as (update holds h set amount = h.amount + v.more
    from ${table(2, ["id", "more"])} where h.id = v.id returning 1),
  opened as (${insert("holds", HOLD_COLUMNS, 3)}),
  entered as (${insert("entries", ENTRY_COLUMNS, 4)}),
  received as (${insert("receipts", RECEIPT_COLUMNS, 5)}),
  moved as (update scopes s
    set used = s.used + v.used, held = s.held + v.held, running = s.running + v.running
    from ${table(6, ["id", "used", "held", "running"])} where s.id = v.id returning 1),
  timed as (${insert("rate_seconds", RATE_COLUMNS, 7)}
    on conflict (key_id, second) do update set
      requests = excluded.requests, tokens = excluded.tokens),
  summed as (${insert("rollups", ROLLUP_COLUMNS, 8)}
    on conflict (account_id, key_id, model, hour) do update set ${ADD_SUMS}),
  touched as (update keys k set last_used_at = greatest(k.last_used_at, v.last_used_at)
    from ${table(9, ["id", "last_used_at"])} where k.id = v.id),
  turned as (update budgets b
    set base = v.base, window_start = v.window_start, resets_at = v.resets_at
    from ${table(10, TURN_COLUMNS)} where b.key_id = v.key_id and b.id = v.id returning 1),
  routed as (${insert("channel_days", OWN_DAY_COLUMNS, 11)}
    on conflict (day, channel, model, price_version, owner) do update set
      ${listedChannelSums((name) => `${name} = channel_days.${name} + excluded.${name}`)}),
  shared as (${insert("receipts", RECEIPT_COLUMNS, 12)}
    on conflict (id) do update set requests = receipts.requests + excluded.requests,
      last_at = greatest(receipts.last_at, excluded.last_at))
  select case when found = $13::text then 1
    else ('a batch has found ' || found || ' rows instead of ' || $13::text)::integer end as complete
  from (select concat_ws(', ', 'taken ' || (select count(*) from taken),
    'raised ' || (select count(*) from raised), 'moved ' || (select count(*) from moved),
    'turned ' || (select count(*) from turned)) as found) counted`;
