import { AT, type ReceiptRow } from "../rows.ts";
import { DAY_MS } from "./channel-days.ts";
import { NamedSums } from "./usage-sums.ts";

/** The columns of such a row in the order both databases write them. */
export const INPUT_LOSS_COLUMNS = ["day", "account_id", "channel", "requests", "loss"] as const;

export function dayOf(row: ReceiptRow): number {
  return Math.floor(row[AT.createdAt] / DAY_MS);
}

/**
 * Adds up by UTC day, account and channel what vendors counted beyond our bounds of the input. A receipt that
 * is replaced is one of an interrupted request, which never has such a loss.
 */
export class InputLosses extends NamedSums {
  add(row: ReceiptRow): void {
    const loss = row[AT.inputLoss];
    if (loss === 0n) return;
    this.addTo([dayOf(row), row[AT.accountId], row[AT.channel] ?? ""], [1, loss]);
  }
}

/** What an account lost the house on a day, as text, so that it stays whole. */
export function inputLossSql(account: string, day: string): string {
  return `(select cast(sum(l.loss) as text) from input_losses l
    where l.day = ${day} and l.account_id = ${account})`;
}
