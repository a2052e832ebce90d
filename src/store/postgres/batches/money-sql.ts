import { WINDOW_SECONDS } from "../../../admission/rates.ts";
import { usedInSql } from "../../money/budget-rows.ts";
import { HOLD_COLUMNS } from "../../money/money-rows.ts";
import { CHANNEL_DAY_COLUMNS, listedChannelSums } from "../../reads/channel-days.ts";
import { ROLLUP_COLUMNS } from "../../reads/rollups.ts";
import { listed } from "../../reads/usage-sums.ts";
import { MONEY_CELLS, RECEIPT_COLUMNS } from "../../rows.ts";
import { NOW_MS_SQL } from "../connections.ts";
import { proofSql, type SeenPart } from "./proof.ts";

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

/** A parameter that holds a JSON list of texts, as what a column may be any of. */
function texts(param: number): string {
  return `any (array(select json_array_elements_text(($${param}::text)::json)))`;
}

function insert(into: string, columns: readonly string[], param: number): string {
  const names = columns.join(", ");
  return `insert into ${into} (${names}) select ${names} from ${table(param, columns)}`;
}

const ENTRY_COLUMNS = ["account_id", "key_id", "kind", "amount", "hold_id", "created_at"];
const RATE_COLUMNS = ["key_id", "second", "requests", "tokens"];
const TURN_COLUMNS = ["key_id", "id", "base", "window_start", "resets_at"];
const OWN_DAY_COLUMNS = ["owner", ...CHANNEL_DAY_COLUMNS];
/** Amounts of money are texts, since JSON numbers end at 53 bits. */
const RECEIPT_CELLS = RECEIPT_COLUMNS.map(
  (name, i) => `'${name}', ${MONEY_CELLS.includes(i) ? `${name}::text` : name}`,
).join(", ");
const REPLACED_CELLS = RECEIPT_COLUMNS.filter((name) => name !== "id")
  .map((name) => `${name} = v.${name}`)
  .join(", ");
const ADD_SUMS = listed((name) => `${name} = rollups.${name} + excluded.${name}`);

/**
 * Locks the scopes of all keys of a batch, in id order: whoever touches a key's money, budgets, holds,
 * rates, rollups or last use has locked its scopes first, so batches of several processes cannot
 * deadlock.
 * The ids are gathered before, not joined: a row that another process has changed is judged again
 * after the wait, and by a join PostgreSQL may then drop it from the result.
 * `$1`: accounts and keys, by which scopes are named.
 */
export const LOCK_SQL = `
  select id, kind, max, used, held, running from scopes where id = ${texts(1)}
  order by id for update`;

/** Says, until the transaction ends, that it has its locks. Outside of one it ends at once. */
const LOCKED = "'faregate.batch'";

/** The same for whoever knows what these rows are, and proves it behind the lock. */
export const LOCK_KNOWN_SQL = `
  select locked, set_config(${LOCKED}, 'locked', true) from (select count(*) as locked from (
    select 1 from scopes where id = ${texts(1)} order by id for update) known) counted`;

/** What a part of a statement says, with the list that it is about as the given parameter. */
type PartText = (param: number) => string;

/** What a batch may need to know, each by a list of what it asks for. */
const LOADS = {
  holds: (ids) => `select json_agg(json_build_array(id, account_id, key_id, amount::text))
    from holds where id = ${texts(ids)}`,
  /** Of keys with rate limits. */
  seconds: (keys) => `
    select json_agg(json_build_array(key_id, second, requests, tokens) order by key_id, second)
    from rate_seconds where key_id = ${texts(keys)}
    and second > ${NOW_MS_SQL} / 1000 - ${WINDOW_SECONDS + 1}`,
  /** Of keys with a concurrency limit. */
  open_holds: (keys) => `select json_agg(json_build_array(key_id, open)) from
    (select key_id, count(*) as open from holds where key_id = ${texts(keys)} group by key_id) counted`,
  /** Of those that may yet be replaced, all there is to know. */
  receipts: (ids) => `select json_agg(json_build_array(id,
      case when billing_reason = 'interrupted' then json_build_object(${RECEIPT_CELLS}) end))
    from receipts where id = ${texts(ids)}`,
  /** Of keys that may have some. */
  budgets: (
    keys,
  ) => `select json_agg(json_build_object('key_id', key_id, 'id', id, 'period', period,
    'time_zone', time_zone, 'max', max::text, 'base', base::text,
    'window_start', window_start, 'resets_at', resets_at, 'last_charge', greatest(
      (select max(created_at) from entries e where e.key_id = b.key_id and kind = 'post'),
      (select max(created_at) from entries e where e.key_id = b.key_id and kind = 'correction'))))
    from budgets b where key_id = ${texts(keys)}`,
} as const satisfies Record<string, PartText>;

export type Load = keyof typeof LOADS;

/** What keys were charged in windows that their budgets turn to. `$1`: these. */
export const USED_IN_WINDOWS_SQL = `
  select v.name, (${usedInSql("v.key_id", "v.window_start", "v.resets_at")}) as used
  from ${table(1, ["name", "key_id", "window_start", "resets_at"])}`;

/** What a batch may write, each part a list of rows. */
const WRITES = {
  taken: (ids) => `delete from holds where id = ${texts(ids)} returning 1`,
  raised: (rows) => `update holds h set amount = h.amount + v.more
    from ${table(rows, ["id", "more"])} where h.id = v.id returning 1`,
  opened: (rows) => insert("holds", HOLD_COLUMNS, rows),
  entered: (rows) => insert("entries", ENTRY_COLUMNS, rows),
  received: (rows) => insert("receipts", RECEIPT_COLUMNS, rows),
  /** Receipts of requests that were taken for dead and have ended otherwise. */
  replaced: (rows) => `update receipts r set ${REPLACED_CELLS}
    from ${table(rows, RECEIPT_COLUMNS)}
    where r.id = v.id and r.billing_reason = 'interrupted' returning 1`,
  moved: (rows) => `update scopes s
    set used = s.used + v.used, held = s.held + v.held, running = s.running + v.running
    from ${table(rows, ["id", "used", "held", "running"])} where s.id = v.id returning 1`,
  timed: (rows) => `${insert("rate_seconds", RATE_COLUMNS, rows)}
    on conflict (key_id, second) do update set
      requests = excluded.requests, tokens = excluded.tokens`,
  summed: (rows) => `${insert("rollups", ROLLUP_COLUMNS, rows)}
    on conflict (account_id, key_id, model, hour) do update set ${ADD_SUMS}`,
  touched: (rows) => `update keys k set last_used_at = greatest(k.last_used_at, v.last_used_at)
    from ${table(rows, ["id", "last_used_at"])} where k.id = v.id`,
  /** Budgets whose period has turned. */
  turned: (rows) => `update budgets b
    set base = v.base, window_start = v.window_start, resets_at = v.resets_at
    from ${table(rows, TURN_COLUMNS)} where b.key_id = v.key_id and b.id = v.id returning 1`,
  /** Days of channels, which lie apart by process, so that none waits for another. */
  routed: (rows) => `${insert("channel_days", OWN_DAY_COLUMNS, rows)}
    on conflict (day, channel, model, price_version, owner) do update set
      ${listedChannelSums((name) => `${name} = channel_days.${name} + excluded.${name}`)}`,
  /** Refusals that share a receipt. */
  shared: (rows) => `${insert("receipts", RECEIPT_COLUMNS, rows)}
    on conflict (id) do update set requests = receipts.requests + excluded.requests,
      last_at = greatest(receipts.last_at, excluded.last_at)`,
  /** Which of all these receipts are astray, be it that it was noted before. */
  strayed: (rows) => `${insert("astray_receipts", ["account_id", "id"], rows)}
    on conflict do nothing`,
} as const satisfies Record<string, PartText>;

export type Write = keyof typeof WRITES;

/** Parts of which every row must be there already, so that it can be counted. */
const FOUND: readonly Write[] = ["taken", "raised", "replaced", "moved", "turned"];

export function isFound(part: Write): boolean {
  return FOUND.includes(part);
}

/** Texts by their parts: the same few come again and again, and are prepared once. */
function remembered<Part extends string, Also extends string = never>(
  compose: (parts: readonly Part[], also: readonly Also[] | undefined) => string,
) {
  const texts = new Map<string, string>();
  return (parts: readonly Part[], also?: readonly Also[]): string => {
    const name = also ? `${parts.join()} ${also.join()}` : parts.join();
    let text = texts.get(name);
    if (text === undefined) {
      text = compose(parts, also);
      texts.set(name, text);
    }
    return text;
  };
}

/**
 * What a batch needs to know once it has its locks, with a parameter for each part. A statement of its
 * own, because one that had to wait for a lock still sees everything but the locked row as it was before.
 */
export const loadSql = remembered<Load>((parts) => {
  const cells = parts.map((part, i) => `, (${LOADS[part](i + 1)})::text as ${part}`);
  return `select ${NOW_MS_SQL} as now_ms, pg_current_xact_id()::text as xid${cells.join("")}`;
});

/**
 * All that a batch writes, in one statement with a parameter for each part. Parts without a row are left
 * out: each costs the database about as much as a row does. It fails unless it finds as many rows as the
 * next parameter says: the locks make that impossible, and were it possible, money would be written twice
 * or not at all. One that was foreseen also fails unless all is as it was foreseen, by the parameters behind that.
 */
export const writeSql = remembered<Write, SeenPart>((parts, seen) => {
  const made = parts.map((part, i) => `${part} as (${WRITES[part](i + 1)})`);
  const counts = parts
    .filter(isFound)
    .map((part) => `'${part} ' || (select count(*) from ${part})`);
  const expected = `$${parts.length + 1}::text`;
  const isLocked = `coalesce(current_setting(${LOCKED}, true), '') = 'locked'`;
  const unforeseen = seen
    ? `when (${isLocked} and ${proofSql(seen, NOW_MS_SQL, parts.length + 2)}) is not true
        then ('a batch has found other rows than it knew, and asks: ' || found)::integer`
    : "";
  return `with ${made.join(", ")}
    select case when found is distinct from ${expected}
        then ('a batch has found ' || found || ' rows instead of ' || ${expected})::integer
      ${unforeseen} else 1 end as complete, ${NOW_MS_SQL} as now_ms
    from (select concat_ws(', ', ${["null", ...counts].join(", ")}) as found) counted`;
});
