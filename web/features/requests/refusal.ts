import type { Receipt, ReceiptRefusal } from "./contract.ts";

/** How money refused a request: a limit was used up, had too little left, or was held by others. */
export type RefusalKind = "used_up" | "short" | "busy";

/** What somebody can do about it, each a line of the receipt. */
export type Remedy = "cheaper" | "wait" | "later" | "raise" | "top_up";

export function refusalKind(
  receipt: Pick<Receipt, "error_code">,
  { needed }: Pick<ReceiptRefusal, "needed">,
): RefusalKind {
  if (receipt.error_code === "budget_busy") return "busy";
  return needed === null ? "used_up" : "short";
}

/** In the order in which they cost the least trouble. */
export function remediesOf(
  kind: RefusalKind,
  { scope, resets_at }: Pick<ReceiptRefusal, "scope" | "resets_at">,
): readonly Remedy[] {
  const remedies: Remedy[] = [];
  if (kind === "busy") remedies.push("later");
  if (kind === "short") remedies.push("cheaper");
  if (resets_at !== null) remedies.push("wait");
  remedies.push(scope === "balance" ? "top_up" : "raise");
  return remedies;
}
