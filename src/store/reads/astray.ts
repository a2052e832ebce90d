// Requests whose id tells another time than they have themselves, because a clock was set between both.
import { idTime } from "../../lib/ids.ts";
import { AT, type ReceiptRow } from "../rows.ts";

/** A request gets its id before its time is taken: that of its admission, where it was cut short. */
export const SLACK_MS = 120_000;
/** A clock that is corrected goes back a little, and ids stay ahead of it until it has caught up. */
export const LEAD_MS = 5_000;

/**
 * Where lists look for requests of a time, by their ids, such a receipt is not: whoever writes it notes it in
 * `astray_receipts`. Decided here, since a condition of the database is reckoned for every row that is written. A
 * receipt that is replaced by one that is not astray stays noted: a list that finds it twice shows it once.
 */
export function isAstray(row: ReceiptRow): boolean {
  const toldMs = idTime(row[AT.id]);
  if (toldMs === undefined) return true;
  const leadMs = toldMs - row[AT.createdAt];
  return leadMs < -SLACK_MS || leadMs > LEAD_MS;
}
