import { AT, type Cell, type ReceiptRow } from "../rows.ts";
import { NamedSums, negated, SUM_COLUMNS } from "./usage-sums.ts";

export const HOUR_MS = 3_600_000;

/** The columns of an hour in the order both databases write them. */
export const ROLLUP_COLUMNS = ["account_id", "key_id", "model", "hour", ...SUM_COLUMNS];

function nameOf(row: ReceiptRow): Cell[] {
  const hour = Math.floor(row[AT.createdAt] / HOUR_MS);
  return [row[AT.accountId], row[AT.keyId], row[AT.model], hour];
}

function partOf(row: ReceiptRow): (number | bigint)[] {
  const requests = row[AT.requests];
  return [
    requests,
    row[AT.status] >= 400 ? requests : 0,
    row[AT.fresh],
    row[AT.cacheRead],
    row[AT.cacheWrite],
    row[AT.cacheWriteLong],
    row[AT.output],
    row[AT.cost],
  ];
}

/** Adds the receipts of a batch up by hour, of one key and model each. */
export class Rollups extends NamedSums {
  add(row: ReceiptRow): void {
    this.addTo(nameOf(row), partOf(row));
  }

  /** Of a receipt that another takes the place of. */
  takeBack(row: ReceiptRow): void {
    this.addTo(nameOf(row), negated(partOf(row)));
  }
}
