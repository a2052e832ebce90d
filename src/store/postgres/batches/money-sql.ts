import { WINDOW_SECONDS } from "../../../admission/rates.ts";
import { usedInSql } from "../../money/budget-rows.ts";
import { MONEY_CELLS, RECEIPT_COLUMNS } from "../../rows.ts";
import { NOW_MS_SQL } from "../connections.ts";
import { table, texts } from "./json-tables.ts";

/** Amounts of money are texts, since JSON numbers end at 53 bits. */
const RECEIPT_CELLS = RECEIPT_COLUMNS.map(
  (name, i) => `'${name}', ${MONEY_CELLS.includes(i) ? `${name}::text` : name}`,
).join(", ");

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
} as const satisfies Record<string, (param: number) => string>;

export type Load = keyof typeof LOADS;

/** What keys were charged in windows that their budgets turn to. `$1`: these. */
export const USED_IN_WINDOWS_SQL = `
  select v.name, (${usedInSql("v.key_id", "v.window_start", "v.resets_at")}) as used
  from ${table(1, ["name", "key_id", "window_start", "resets_at"])}`;

/** The same few texts come again and again, and are prepared once. */
const loadTexts = new Map<string, string>();

/**
 * What a batch needs to know once it has its locks, with a parameter for each part. A statement of its
 * own, because one that had to wait for a lock still sees everything but the locked row as it was before.
 */
export function loadSql(parts: readonly Load[]): string {
  const name = parts.join();
  const known = loadTexts.get(name);
  if (known !== undefined) return known;
  const cells = parts.map((part, i) => `, (${LOADS[part](i + 1)})::text as ${part}`);
  const text = `select ${NOW_MS_SQL} as now_ms, pg_current_xact_id()::text as xid${cells.join("")}`;
  loadTexts.set(name, text);
  return text;
}
