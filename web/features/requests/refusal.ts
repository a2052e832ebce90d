import type { Receipt, ReceiptRefusal } from "../../../src/console/contract/receipt.ts";

type RateScope = Exclude<ReceiptRefusal["scope"], "balance" | "budget">;

/** How a limit refused a request: it was used up, had too little left, was held by others, or is a rate. */
export type RefusalKind = "used_up" | "short" | "busy" | "rate";

/** What somebody can do about it, each a line of the receipt. */
export type Remedy = "cheaper" | "wait" | "later" | "slower";

const RATES: readonly RateScope[] = [
  "requests_per_minute",
  "tokens_per_minute",
  "concurrent_requests",
  "bytes_in_flight",
];

export function rateScope(scope: ReceiptRefusal["scope"]): RateScope | undefined {
  return RATES.find((rate) => rate === scope);
}

export function refusalKind(
  receipt: Pick<Receipt, "error_code">,
  { scope, needed }: Pick<ReceiptRefusal, "scope" | "needed">,
): RefusalKind {
  if (rateScope(scope)) return "rate";
  if (receipt.error_code === "budget_busy") return "busy";
  return needed === null ? "used_up" : "short";
}

/** In the order in which they cost the least trouble; raising the limit is a button of its own. */
export function remediesOf(
  kind: RefusalKind,
  { resets_at }: Pick<ReceiptRefusal, "resets_at">,
): readonly Remedy[] {
  const remedies: Remedy[] = [];
  if (kind === "rate") remedies.push("slower");
  if (kind === "busy") remedies.push("later");
  if (kind === "short") remedies.push("cheaper");
  if (resets_at !== null) remedies.push("wait");
  return remedies;
}
