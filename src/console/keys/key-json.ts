import type { FormerSecret, KeySummary } from "../../accounts/account.ts";
import { budgetToJson } from "../../accounts/keys/budget.ts";
import { shown } from "../../accounts/shown.ts";
import { formatUsd } from "../../catalogue/money.ts";
import type { Key } from "../contract/keys.ts";

function limitOrNull(limit: number): number | null {
  return limit === 0 ? null : limit;
}

/** The secrets of before that still open a key. */
export function openSecrets(key: KeySummary, nowMs: number): readonly FormerSecret[] {
  return key.formerSecrets.filter(({ endsAtMs }) => endsAtMs > nowMs);
}

export function keyToJson(key: KeySummary, nowMs: number): Key {
  return {
    ...shown(key, "id", "name", "lastFour", "enabled", "models", "networks", "hard", "held"),
    ...shown(key, "createdAtMs", "lastUsedAtMs", "expiresAtMs", "deletedAtMs"),
    ...shown(key, "accountRead", "showCost"),
    rpm: limitOrNull(key.requestsPerMinute),
    tpm: limitOrNull(key.tokensPerMinute),
    concurrency: limitOrNull(key.concurrency),
    budgets: key.budgets.map(budgetToJson),
    used_total: formatUsd(key.used),
    former_secrets: openSecrets(key, nowMs).map((secret) => shown(secret, "lastFour", "endsAtMs")),
  };
}
