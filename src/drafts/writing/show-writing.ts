import { formatUsd, parseUsd } from "../../catalogue/money.ts";
import type { WritingCall } from "../draft.ts";

/** Calls of models as clients see them; a key that shows no costs has none to show here either. */
export function showWriting(calls: readonly WritingCall[]) {
  return calls.map(({ requestId, model, cost, purpose }) => ({
    request_id: requestId,
    model,
    purpose,
    cost: cost === "" ? null : cost,
  }));
}

/** What the writing has cost in all, in dollars; null where a part of it is not shown. */
export function writingCost(calls: readonly WritingCall[]): string | null {
  let sum = 0n;
  for (const { cost } of calls) {
    const amount = parseUsd(cost);
    if (amount === undefined) return null;
    sum += amount;
  }
  return formatUsd(sum);
}
