import type { Database } from "bun:sqlite";
import type { BudgetWindow } from "../../../accounts/keys/budget-window.ts";
import { BUDGET_COLUMNS, type BudgetCells, USED_IN_SQL } from "../../money/budget-rows.ts";
import type { OrphanRow } from "../../money/interrupted.ts";
import { HOLD_COLUMNS } from "../../money/money-rows.ts";
import { CHANNEL_DAY_COLUMNS, listedChannelSums } from "../../reads/channel-days.ts";
import { INPUT_LOSS_COLUMNS } from "../../reads/input-losses.ts";
import { type Cell, RECEIPT_COLUMNS, type ReceiptColumn } from "../../rows.ts";
import { ManyRows } from "./many-rows.ts";

function places(columns: readonly string[]): string {
  return columns.map(() => "?").join(", ");
}

const ENTRY_COLUMNS = ["account_id", "key_id", "kind", "amount", "hold_id", "created_at"];

const INSERT_RECEIPT_SQL = `insert into receipts (${RECEIPT_COLUMNS.join(", ")})
  values (${places(RECEIPT_COLUMNS)})`;

/** The receipt of a request that was taken for dead, and has not ended otherwise. */
export const INTERRUPTED_SQL = `select ${RECEIPT_COLUMNS.join(", ")} from receipts
  where id = ? and billing_reason = 'interrupted'`;

/** Whether a key was charged in a window, by other than one hold. */
const CHARGED_IN_SQL = `
  select 1 from entries where key_id = ?1 and kind = 'post'
    and created_at >= ?2 and created_at < ?3 and hold_id <> ?4
  union all
  select 1 from entries where key_id = ?1 and kind = 'correction'
    and created_at >= ?2 and created_at < ?3 and hold_id <> ?4
  limit 1`;

/** What records add up to. */
function prepareSums(db: Database) {
  return {
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
    addInputLoss: db.prepare(
      `insert into input_losses (${INPUT_LOSS_COLUMNS.join(", ")})
       values (${places(INPUT_LOSS_COLUMNS)})
       on conflict (day, account_id, channel) do update set
         requests = requests + excluded.requests, loss = loss + excluded.loss`,
    ),
  };
}

/** What records are made into. */
function prepareRows(db: Database) {
  return {
    /** Ends of which none is there yet. */
    entries: new ManyRows(db, "entries", ENTRY_COLUMNS),
    receipts: new ManyRows(db, "receipts", RECEIPT_COLUMNS),
    /** The first end of a hold is its end: `entries_resolved_once`. */
    insertEntry: db.prepare(
      `insert into entries (${ENTRY_COLUMNS.join(", ")}) values (${places(ENTRY_COLUMNS)})
       on conflict (hold_id) where kind in ('post', 'void') do nothing`,
    ),
    /** What was voided is corrected once: `entries_corrected_once`. */
    insertCorrection: db.prepare(
      `insert into entries (account_id, key_id, kind, amount, hold_id, created_at)
       values (?, ?, 'correction', ?, ?, ?)
       on conflict (hold_id) where kind = 'correction' do nothing`,
    ),
    interrupted: db
      .prepare<Record<ReceiptColumn, Cell>, [string]>(INTERRUPTED_SQL)
      .safeIntegers(true),
    replaceReceipt: db.prepare(
      `${INSERT_RECEIPT_SQL} on conflict (id) do update set
         ${RECEIPT_COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    ),
    insertReceipt: db.prepare(`${INSERT_RECEIPT_SQL} on conflict (id) do nothing`),
    addToReceipt: db.prepare(
      `${INSERT_RECEIPT_SQL} on conflict (id) do update set
         requests = requests + excluded.requests, last_at = max(last_at, excluded.last_at)`,
    ),
    noteAstray: db.prepare(
      "insert into astray_receipts (account_id, id) values (?, ?) on conflict do nothing",
    ),
    touchKey: db.prepare(
      "update keys set last_used_at = max(coalesce(last_used_at, 0), ?) where id = ?",
    ),
    used: db
      .prepare<{ used: bigint }, [string]>("select used from scopes where id = ?")
      .safeIntegers(true),
    // Where nothing is held nobody runs: a program from before the count was kept may have settled here.
    moveScope: db.prepare(
      `update scopes set used = used + ?1, held = held + ?2,
         running = case held when 0 then 0 else running end + ?3 where id = ?4`,
    ),
    budgets: db
      .prepare<BudgetCells, [string]>(`select ${BUDGET_COLUMNS} from budgets where key_id = ?`)
      .safeIntegers(true),
    usedIn: db.prepare<{ used: string }, [string, number, number]>(USED_IN_SQL),
    chargedIn: db.prepare<object, [string, number, number, string]>(CHARGED_IN_SQL),
    resetBudget: db.prepare(
      "update budgets set base = ?, window_start = ?, resets_at = ? where key_id = ? and id = ?",
    ),
    dropHold: db.prepare("delete from holds where id = ?"),
  };
}

/** The prepared statements of the journal. Parameters bind in the order they appear. */
export function prepareJournal(db: Database) {
  return {
    begin: db.prepare("begin immediate"),
    commit: db.prepare("commit"),
    rollback: db.prepare("rollback"),

    lines: new ManyRows(db, "journal", ["seq", "record"]),
    records: db
      .prepare<{ seq: number; record: string }, []>("select seq, record from journal order by seq")
      .safeIntegers(false),
    forget: db.prepare("delete from journal"),
    /** Up to which number lines have become rows, where those before were the ones until then. */
    goOn: db.prepare("update journal_position set applied = ?2 where applied = ?1 - 1"),
    goOnAnyway: db.prepare("update journal_position set applied = max(applied, ?)"),
    lastLine: db
      .prepare<{ applied: number; last: number }, []>(
        `select applied, max(applied, coalesce((select max(seq) from journal), 0)) as last
         from journal_position`,
      )
      .safeIntegers(false),
    noteGap: db.prepare(
      "insert into journal_gaps (first, last, found_at) values (?, ?, ?) on conflict (first) do nothing",
    ),
    takeOut: db.prepare("delete from journal where seq = ?"),
    setAside: db.prepare(
      "insert into journal_set_aside (record, reason, created_at) values (?, ?, ?)",
    ),

    ...prepareRows(db),
    ...prepareSums(db),

    isResolved: db.prepare<{ one: number }, [string]>(
      "select 1 as one from entries where hold_id = ? and kind in ('post', 'void')",
    ),
    holds: db
      .prepare<OrphanRow, []>(`select ${HOLD_COLUMNS.join(", ")} from holds order by id`)
      .safeIntegers(true),
    putHold: db.prepare(
      `insert into holds (${HOLD_COLUMNS.join(", ")}) values (${places(HOLD_COLUMNS)})
       on conflict (id) do update set amount = excluded.amount`,
    ),

    writeRateSecond: db.prepare(
      `insert into rate_seconds (key_id, second, requests, tokens) values (?, ?, ?, ?)
       on conflict (key_id, second) do update set
         requests = excluded.requests, tokens = excluded.tokens`,
    ),
    forgetRateSeconds: db.prepare("delete from rate_seconds where second < ?"),
  };
}

export type JournalStatements = ReturnType<typeof prepareJournal>;

/** A charge that has just been written. */
export interface Charge {
  readonly id: string;
  readonly cost: bigint;
}

const NO_CHARGE: Charge = { id: "", cost: 0n };

/**
 * What a key was charged in a window, as far as it has become rows. Mostly the window has just begun with one charge: to look
 * for what was given back of others goes through all the money of an account.
 */
export function usedIn(
  sql: JournalStatements,
  keyId: string,
  { startMs, endMs }: BudgetWindow,
  { id, cost } = NO_CHARGE,
): bigint {
  if (!sql.chargedIn.get(keyId, startMs, endMs, id)) return cost;
  return BigInt(sql.usedIn.get(keyId, startMs, endMs)?.used ?? 0);
}
