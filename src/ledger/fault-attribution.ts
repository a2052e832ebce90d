import { FAULTS, type FaultName } from "../lib/faults.ts";
import type { Receipt } from "./receipt.ts";

/**
 * The cause of a request without an answer: the client, the rights of its key, a limit of its key or account, the
 * vendor, the operator (who holds the vendors' keys), or the gateway itself.
 */
export const ATTRIBUTIONS = ["client", "key", "limit", "vendor", "operator", "gateway"] as const;
type Attribution = (typeof ATTRIBUTIONS)[number];

const BY_LIMIT: readonly FaultName[] = ["rate_limit_exceeded", "budget_exceeded", "budget_busy"];
const BY_KEY: readonly FaultName[] = ["model_not_allowed"];

function isOne(code: string | null, names: readonly FaultName[]): boolean {
  return names.some((name) => name === code);
}

/** The client gets our own message, since the vendor's message names our account. */
const IN_OUR_WORDS: readonly FaultName[] = ["over_upstream_quota"];

/**
 * True if a vendor's message is about the request, so that the client got it. All others are about our account with
 * the vendor, which is the operator's business.
 */
export function concernsClient(code: string | null): boolean {
  const row = Object.entries(FAULTS).find(([name]) => name === code)?.[1];
  return row !== undefined && row.status < 500 && !isOne(code, IN_OUR_WORDS);
}

function ofRefusal({ status, errorCode }: Pick<Receipt, "status" | "errorCode">): Attribution {
  if (isOne(errorCode, BY_LIMIT)) return "limit";
  if (isOne(errorCode, BY_KEY)) return "key";
  return status >= 500 ? "gateway" : "client";
}

/** Computed from fields that every receipt has, so that old receipts get it too. Null if the request succeeded. */
export function attributionOf(
  receipt: Pick<Receipt, "status" | "billingReason" | "errorCode">,
): Attribution | null {
  const { status, billingReason, errorCode } = receipt;
  if (status < 400) return null;
  switch (billingReason) {
    case "refused":
      return ofRefusal(receipt);
    case "gateway_failed":
    case "interrupted":
    case "taken_over":
      return "gateway";
    case "upstream_failed":
    case "upstream_failed_with_usage":
      if (status < 500) return "client";
      return errorCode === "model_unavailable" ? "operator" : "vendor";
    default:
      return "client";
  }
}
