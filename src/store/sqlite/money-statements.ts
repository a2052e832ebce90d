import type { Database } from "bun:sqlite";
import type { RateSecond } from "../../admission/rates.ts";
import { BUDGET_COLUMNS, type BudgetCells } from "../money/budget-rows.ts";
import type { OrphanRow } from "../money/interrupted.ts";
import { HOLD_COLUMNS, type HoldRow } from "../money/money-rows.ts";
import type { ScopeRow } from "../money/scope-book.ts";
import { CHANNEL_DAY_COLUMNS, listedChannelSums } from "../reads/channel-days.ts";
import { RECEIPT_COLUMNS } from "../rows.ts";

function places(columns: readonly string[]): string {
  return columns.map(() => "?").join(", ");
}

const INSERT_RECEIPT_SQL = `insert into receipts (${RECEIPT_COLUMNS.join(", ")})
  values (${places(RECEIPT_COLUMNS)})`;

/** What admission is judged by. */
function prepareScopes(db: Database) {
  return {
    scopes: db
      .prepare<ScopeRow, [string, string]>(
        "select id, kind, max, used, held, running from scopes where id in (?, ?)",
      )
      .safeIntegers(true),
    moveScope: db.prepare(
      "update scopes set used = used + ?, held = held + ?, running = running + ? where id = ?",
    ),

    budgets: db
      .prepare<BudgetCells, [string]>(`select ${BUDGET_COLUMNS} from budgets where key_id = ?`)
      .safeIntegers(true),
    resetBudget: db.prepare(
      "update budgets set base = ?, window_start = ?, resets_at = ? where key_id = ? and id = ?",
    ),
  };
}

/** The prepared statements of the money writer. Parameters bind in the order they appear. */
export function prepareMoney(db: Database) {
  return {
    begin: db.prepare("begin immediate"),
    commit: db.prepare("commit"),
    rollback: db.prepare("rollback"),

    ...prepareScopes(db),

    openHolds: db.prepare<{ open: number }, [string]>(
      "select count(*) as open from holds where key_id = ?",
    ),
    insertHold: db.prepare(
      `insert into holds (${HOLD_COLUMNS.join(", ")}) values (${places(HOLD_COLUMNS)})`,
    ),
    findHold: db
      .prepare<HoldRow, [string]>("select id, account_id, key_id, amount from holds where id = ?")
      .safeIntegers(true),
    raiseHold: db.prepare("update holds set amount = amount + ? where id = ?"),
    removeHold: db.prepare("delete from holds where id = ? and amount = ?"),
    takeHold: db
      .prepare<HoldRow, [string]>(
        "delete from holds where id = ? returning id, account_id, key_id, amount",
      )
      .safeIntegers(true),
    orphans: db
      .prepare<OrphanRow, [string]>("select * from holds where owner <> ? order by id")
      .safeIntegers(true),

    insertEntry: db.prepare(
      `insert into entries (account_id, key_id, kind, amount, hold_id, created_at)
       values (?, ?, ?, ?, ?, ?)`,
    ),
    insertReceipt: db.prepare(`${INSERT_RECEIPT_SQL} on conflict (id) do nothing`),
    addToReceipt: db.prepare(
      `${INSERT_RECEIPT_SQL} on conflict (id) do update set
         requests = requests + excluded.requests, last_at = max(last_at, excluded.last_at)`,
    ),
    addRollup: db.prepare(
      `insert into rollups (account_id, key_id, model, hour, requests, failures,
         fresh, cache_read, cache_write, cache_write_long, output, cost)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (account_id, key_id, model, hour) do update set
         requests = requests + excluded.requests, failures = failures + excluded.failures,
         fresh = fresh + excluded.fresh, cache_read = cache_read + excluded.cache_read,
         cache_write = cache_write + excluded.cache_write,
         cache_write_long = cache_write_long + excluded.cache_write_long,
         output = output + excluded.output, cost = cost + excluded.cost`,
    ),
    addChannelDay: db.prepare(
      `insert into channel_days (${CHANNEL_DAY_COLUMNS.join(", ")})
       values (${places(CHANNEL_DAY_COLUMNS)})
       on conflict (day, channel, model, price_version) do update set
         ${listedChannelSums((name) => `${name} = ${name} + excluded.${name}`)}`,
    ),
    touchKey: db.prepare(
      "update keys set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?",
    ),

    rateSeconds: db.prepare<RateSecond, [string, number]>(
      "select second, requests, tokens from rate_seconds where key_id = ? and second > ? order by second",
    ),
    writeRateSecond: db.prepare(
      `insert into rate_seconds (key_id, second, requests, tokens) values (?, ?, ?, ?)
       on conflict (key_id, second) do update set
         requests = excluded.requests, tokens = excluded.tokens`,
    ),
    forgetRateSeconds: db.prepare("delete from rate_seconds where second < ?"),
  };
}

export type MoneyStatements = ReturnType<typeof prepareMoney>;
