import type { Receipt, ReceiptLine } from "../../../src/console/contract/receipt.ts";
import { addDecimals, toUnits } from "../../lib/decimal.ts";

/** Prices are told for as many as vendors tell them for. */
const MILLION = 6;
const THOUSAND = 3;

/** A reason of the books, or one that says more than the books do. */
type Reason = Receipt["billing_reason"] | "no_vendor";

const BILLING_REASONS: readonly Reason[] = [
  "completed",
  "completed_estimated",
  "client_closed",
  "client_closed_finished",
  "budget_ended",
  "upstream_failed_with_usage",
  "upstream_failed",
  "upstream_refused",
  "gateway_failed",
  "interrupted",
  "taken_over",
  "refused",
];

/** `decimal` × 10^`places`, by moving its point. */
export function shiftPoint(decimal: string, places: number): string {
  const negative = decimal.startsWith("-");
  const [whole = "", fraction = ""] = decimal.replace("-", "").split(".");
  const padded = fraction.padEnd(places, "0");
  const left = `${whole}${padded.slice(0, places)}`.replace(/^0+(?=\d)/, "");
  const right = padded.slice(places).replace(/0+$/, "");
  return `${negative ? "-" : ""}${left}${right && `.${right}`}`;
}

/** What a million tokens, or a thousand searches, cost at the price of a line. */
export function listedPrice(line: Pick<ReceiptLine, "item" | "unit_price">): string {
  return shiftPoint(line.unit_price, line.item === "web_search" ? THOUSAND : MILLION);
}

/** What rounding up to the smallest amount of the ledger added to the lines. */
export function roundingOf(lines: readonly ReceiptLine[], cost: string): string {
  if (lines.length === 0) return "0";
  const sum = addDecimals(...lines.map(({ amount }) => amount));
  const rounding = addDecimals(cost, `-${sum}`);
  return toUnits(rounding) > 0n ? rounding : "0";
}

/** What the hold gave back, where it held more than was charged. */
export function releasedOf(held: string, charged: string): string {
  const rest = addDecimals(held, `-${charged}`);
  return toUnits(rest) > 0n ? rest : "0";
}

/**
 * The reason, where these pages have words for it. Receipts of before call it a failure of the vendor when
 * it refused what the client had sent.
 */
export function shownReason({
  billing_reason: reason,
  blame,
  vendor_called: called = true,
}: Pick<Receipt, "blame"> &
  Partial<Pick<Receipt, "vendor_called">> & { readonly billing_reason: string }):
  | Reason
  | undefined {
  if (reason === "upstream_failed" && !called) return "no_vendor";
  if (reason === "upstream_failed" && blame === "client") return "upstream_refused";
  return BILLING_REASONS.find((known) => known === reason);
}
