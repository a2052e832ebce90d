import { endedAt, type NanoUsd } from "../../catalogue/money.ts";
import {
  AT,
  type Cell,
  MONEY_CELLS,
  RECEIPT_COLUMNS,
  type ReceiptCells,
  type ReceiptColumn,
  type ReceiptRow,
  readReceipt,
  rowOf,
  writeReceipt,
} from "../rows.ts";
import type { HoldRow } from "./money-rows.ts";
import type { Operation } from "./operations.ts";

/** A hold as recovery reads it; integers come back as either database returns them. */
export interface OrphanRow extends HoldRow {
  readonly input_cost: NanoUsd;
  readonly model: string;
  readonly endpoint: string;
  readonly channel: string;
  readonly stream: number | bigint;
  readonly created_at: number | bigint;
}

/** What is written of a request whose process died: nothing charged, the vendor's bill is the house's. */
export function interruptedRow(hold: OrphanRow, nowMs: number): ReceiptRow {
  const cells: ReceiptCells = {
    id: hold.id,
    account_id: hold.account_id,
    key_id: hold.key_id,
    created_at: Number(hold.created_at),
    endpoint: hold.endpoint,
    model: hold.model,
    stream: Number(hold.stream),
    status: 500,
    billing_reason: "interrupted",
    error_code: "internal_error",
    channel: hold.channel,
    served_model: null,
    attempts: null,
    vendor_request_id: null,
    response_id: null,
    fresh: 0,
    cache_read: 0,
    cache_write: 0,
    cache_write_long: 0,
    output: 0,
    reasoning: 0,
    web_searches: 0,
    clamped: 0,
    usage_source: "none",
    price_version: null,
    lines: "[]",
    vendor_cost: null,
    cost: 0n,
    held: hold.amount,
    loss: hold.input_cost,
    first_byte_ms: null,
    duration_ms: Math.max(0, nowMs - Number(hold.created_at)),
    refusal: null,
    output_clamp: null,
    requests: 1,
    last_at: null,
    input_loss: 0n,
  };
  return rowOf(cells);
}

/**
 * The receipt of a correction that may charge no more than this. The rest is the house's loss, and a line takes it
 * back, so that the lines still sum.
 */
export function correctedWithin(row: ReceiptRow, most: NanoUsd): ReceiptRow {
  const cells = Object.fromEntries(RECEIPT_COLUMNS.map((name, i) => [name, row[i]]));
  const receipt = readReceipt(cells as Record<ReceiptColumn, Cell>);
  const charge = endedAt(receipt.charge, most);
  const loss = receipt.loss + receipt.charge.amount - charge.amount;
  return writeReceipt({ ...receipt, charge, loss });
}

/** Whether a row says so of its request. Only such a receipt is ever replaced: by how it really ended. */
export function isInterrupted(row: ReceiptRow): boolean {
  return row[AT.billingReason] === "interrupted";
}

/** A row as a database has returned it: integers may be numbers, bigints or texts. */
export function rowAsRead(cells: Readonly<Record<ReceiptColumn, Cell>>): ReceiptRow {
  const row = RECEIPT_COLUMNS.map((name, i) => {
    const cell = cells[name];
    if (MONEY_CELLS.includes(i)) return BigInt(cell ?? 0);
    return typeof cell === "bigint" ? Number(cell) : cell;
  });
  return row as readonly Cell[] as ReceiptRow;
}

/** The end of such a request. What it took of its key's tokens per minute leaves the window with its minute. */
export function interruption(hold: OrphanRow, nowMs: number): Operation {
  const row = interruptedRow(hold, nowMs);
  return { kind: "settle", post: false, row };
}
