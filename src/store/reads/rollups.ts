import { AT, type ReceiptRow } from "../rows.ts";
import { NamedSums, SUM_COLUMNS } from "./usage-sums.ts";

export const HOUR_MS = 3_600_000;

/** The columns of an hour in the order both databases write them. */
export const ROLLUP_COLUMNS = ["account_id", "key_id", "model", "hour", ...SUM_COLUMNS];

/** Adds the receipts of a batch up by hour, of one key and model each. */
export class Rollups extends NamedSums {
  add(row: ReceiptRow): void {
    const requests = row[AT.requests];
    const hour = Math.floor(row[AT.createdAt] / HOUR_MS);
    this.addTo(
      [row[AT.accountId], row[AT.keyId], row[AT.model], hour],
      [
        requests,
        row[AT.status] >= 400 ? requests : 0,
        row[AT.fresh],
        row[AT.cacheRead],
        row[AT.cacheWrite],
        row[AT.cacheWriteLong],
        row[AT.output],
        row[AT.cost],
      ],
    );
  }
}
