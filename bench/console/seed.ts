// Fills the tables of either engine past the store, which would take hours for ten million requests.
// What it leaves is what the store would have left: posts, receipts and sums that add up.
import { Database } from "bun:sqlite";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SQL } from "bun";
import { CHANNEL_DAY_COLUMNS, ChannelDays } from "../../src/store/reads/channel-days.ts";
import { Rollups } from "../../src/store/reads/rollups.ts";
import {
  RECEIPT_COLUMNS,
  type ReceiptCells,
  type ReceiptRow,
  rowOf,
} from "../../src/store/rows.ts";
import type { SeedReceipt, Traffic } from "./traffic.ts";

type Value = string | number | bigint | null;
type Row = readonly Value[];

const BATCH = 200_000;
const HOUR_MS = 3_600_000;
const LINES = '[["input",1000,"1000000"],["output",250,"5000000"]]';
const CREDITS_PER_ACCOUNT = 60;
const CREDIT = 10n ** 15n;

const ENTRY_COLUMNS = [
  "account_id",
  "key_id",
  "kind",
  "amount",
  "hold_id",
  "ref",
  "note",
  "created_at",
];
const ROLLUP_COLUMNS = [
  ...["account_id", "key_id", "model", "hour", "requests", "failures", "fresh", "cache_read"],
  ...["cache_write", "cache_write_long", "output", "cost"],
];

/** Takes rows of a table. */
export interface Sink {
  write(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void>;
  /** Leaves the tables as a database that has run for long would be. */
  finish(): Promise<void>;
}

function receiptRow(receipt: SeedReceipt): ReceiptRow {
  const cells: ReceiptCells = {
    id: receipt.id,
    account_id: receipt.account.id,
    key_id: receipt.key.id,
    created_at: receipt.atMs,
    endpoint: "chat",
    model: receipt.model,
    stream: 0,
    status: receipt.status,
    billing_reason: receipt.reason,
    error_code: receipt.status < 400 ? null : "failed",
    channel: receipt.channel || null,
    served_model: null,
    attempts: null,
    vendor_request_id: "req-of-the-vendor-1",
    response_id: receipt.status < 400 ? receipt.responseId : null,
    fresh: receipt.input,
    cache_read: 0,
    cache_write: 0,
    cache_write_long: 0,
    output: receipt.output,
    reasoning: 0,
    web_searches: 0,
    clamped: 0,
    usage_source: "vendor",
    price_version: "2026-11-01",
    lines: LINES,
    vendor_cost: null,
    cost: BigInt(receipt.cost),
    held: BigInt(receipt.held),
    loss: 0n,
    first_byte_ms: 150,
    duration_ms: receipt.durationMs,
    refusal: null,
    output_clamp: null,
    requests: 1,
    last_at: null,
    input_loss: 0n,
  };
  return rowOf(cells);
}

/** The sums of the hour and the day that are being written, added up as the store does. */
class Sums {
  #hour = 0;
  #rollups = new Rollups();
  #channels = new ChannelDays();
  readonly rollupRows: Row[] = [];
  readonly channelRows: Row[] = [];

  add(row: ReceiptRow, atMs: number): void {
    const hour = Math.floor(atMs / HOUR_MS);
    if (hour !== this.#hour) this.#endHour();
    if (Math.floor(hour / 24) !== Math.floor(this.#hour / 24)) this.#endDay();
    this.#hour = hour;
    this.#rollups.add(row);
    this.#channels.add(row);
  }

  end(): void {
    this.#endHour();
    this.#endDay();
  }

  #endHour(): void {
    this.rollupRows.push(...this.#rollups.all());
    this.#rollups = new Rollups();
  }

  #endDay(): void {
    this.channelRows.push(...this.#channels.all());
    this.#channels = new ChannelDays();
  }
}

function entryRow({ id, account, key, cost, atMs, status }: SeedReceipt): Row {
  return [account.id, key.id, status < 400 ? "post" : "void", cost, id, null, null, atMs];
}

async function seedRequests(traffic: Traffic, sink: Sink, told: (rows: number) => void) {
  const sums = new Sums();
  const receipts: Row[] = [];
  const entries: Row[] = [];
  let count = 0;
  const flush = async () => {
    await sink.write("receipts", RECEIPT_COLUMNS, receipts.splice(0));
    await sink.write("entries", ENTRY_COLUMNS, entries.splice(0));
    await sink.write("rollups", ROLLUP_COLUMNS, sums.rollupRows.splice(0));
    await sink.write("channel_days", CHANNEL_DAY_COLUMNS, sums.channelRows.splice(0));
    told(count);
  };
  for (const receipt of traffic.receipts()) {
    const row = receiptRow(receipt);
    sums.add(row, receipt.atMs);
    receipts.push(row);
    if (receipt.reason !== "refused") entries.push(entryRow(receipt));
    count += 1;
    if (receipts.length === BATCH) await flush();
  }
  sums.end();
  await flush();
}

/** Accounts, keys, credits, then requests, and at last what they add up to. */
export async function seed(
  traffic: Traffic,
  sink: Sink,
  told: (rows: number) => void,
): Promise<void> {
  const { accounts, startMs } = traffic;
  await sink.write(
    "accounts",
    ["id", "name", "operator", "enabled", "hard", "created_at"],
    accounts.map(({ id }, i) => [id, `Account ${i}`, 0, 1, 0, startMs]),
  );
  const keyColumns = ["id", "account_id", "hash", "last_four", "name", "enabled", "rpm", "tpm"];
  const more = ["concurrency", "hard", "account_read", "show_cost", "created_at"];
  await sink.write(
    "keys",
    [...keyColumns, ...more],
    accounts.flatMap(({ id: accountId, keys }) =>
      keys.map(({ id }, i) => [
        id,
        accountId,
        id,
        "abcd",
        `Key ${i}`,
        1,
        0,
        0,
        0,
        0,
        0,
        1,
        startMs,
      ]),
    ),
  );
  await sink.write(
    "entries",
    ENTRY_COLUMNS,
    accounts.flatMap(({ id }) =>
      Array.from({ length: CREDITS_PER_ACCOUNT }, (_, i) => {
        const ref = `ref-${id}-${i}`;
        return [id, null, "topup", CREDIT, null, ref, "Top-up", startMs + i * 36 * HOUR_MS];
      }),
    ),
  );
  await seedRequests(traffic, sink, told);
  const credited = CREDIT * BigInt(CREDITS_PER_ACCOUNT);
  await sink.write(
    "scopes",
    ["id", "account_id", "key_id", "kind", "max", "used", "held"],
    accounts.flatMap(({ id: accountId, used, keys }) => [
      [accountId, accountId, null, "balance", credited, used, 0],
      ...keys.map((key): Row => [key.id, accountId, key.id, "key", null, key.used, 0]),
    ]),
  );
  await sink.finish();
}

export function sqliteSink(path: string): Sink {
  const db = new Database(path, { readwrite: true });
  // Nothing of it need outlive the run.
  db.run("pragma synchronous = off");
  db.run("pragma cache_size = -1000000");
  db.run("pragma foreign_keys = off");
  return {
    async write(table, columns, rows) {
      const places = columns.map(() => "?").join(", ");
      const insert = db.prepare(`insert into ${table} (${columns.join(", ")}) values (${places})`);
      db.transaction(() => {
        for (const row of rows) insert.run(...row);
      })();
    },
    async finish() {
      db.run("pragma wal_checkpoint(truncate)");
      db.close();
    },
  };
}

function copyText(rows: readonly Row[]): string {
  return rows.map((row) => row.map((value) => value ?? "\\N").join("\t")).join("\n");
}

/** `folder` must be one that the server may read. */
export function postgresSink(sql: SQL, folder: string): Sink {
  return {
    async write(table, columns, rows) {
      if (rows.length === 0) return;
      const path = join(folder, "rows");
      writeFileSync(path, `${copyText(rows)}\n`);
      chmodSync(path, 0o644);
      await sql.unsafe(`copy ${table} (${columns.join(", ")}) from '${path}'`);
      rmSync(path);
    },
    async finish() {
      await sql.unsafe("vacuum analyze");
    },
  };
}
