import { FAULTS, type FaultName } from "../lib/faults.ts";
import type { Receipt } from "./receipt.ts";

/**
 * Whose doing it was that a request did not get its answer: what was sent, or who sent it; what its key
 * may not; a limit of its key or its account; the vendor; whoever keeps the vendors' keys; ourselves.
 */
export const BLAMES = ["client", "key", "limit", "vendor", "operator", "gateway"] as const;
type Blame = (typeof BLAMES)[number];

const BY_LIMIT: readonly FaultName[] = ["rate_limit_exceeded", "budget_exceeded", "budget_busy"];
const BY_KEY: readonly FaultName[] = ["model_not_allowed"];

function isOne(code: string | null, names: readonly FaultName[]): boolean {
  return names.some((name) => name === code);
}

/** Told to whoever sent the request in our words, since the vendor's name our account. */
const IN_OUR_WORDS: readonly FaultName[] = ["over_upstream_quota"];

/**
 * Whether a vendor's words are about the request: whoever sent it has heard them. All others are about our
 * standing with the vendor, which is the operator's business.
 */
export function concernsClient(code: string | null): boolean {
  const row = Object.entries(FAULTS).find(([name]) => name === code)?.[1];
  return row !== undefined && row.status < 500 && !isOne(code, IN_OUR_WORDS);
}

function ofRefusal({ status, errorCode }: Pick<Receipt, "status" | "errorCode">): Blame {
  if (isOne(errorCode, BY_LIMIT)) return "limit";
  if (isOne(errorCode, BY_KEY)) return "key";
  return status >= 500 ? "gateway" : "client";
}

/** Made of what every receipt has, so that those of before are judged as well. Null where all is well. */
export function blameOf(
  receipt: Pick<Receipt, "status" | "billingReason" | "errorCode">,
): Blame | null {
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
