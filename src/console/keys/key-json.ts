import { type KeySummary, openSecrets } from "../../accounts/account.ts";
import { budgetToJson } from "../../accounts/keys/budget.ts";
import { shown } from "../../accounts/shown.ts";
import { formatUsd } from "../../catalogue/money.ts";
import type { Key } from "../contract/keys.ts";

function limitOrNull(limit: number): number | null {
  return limit === 0 ? null : limit;
}

export function keyToJson(key: KeySummary, nowMs: number): Key {
  return {
    ...shown(key, "id", "name", "lastFour", "enabled", "createdAtMs", "lastUsedAtMs"),
    ...shown(key, "expiresAtMs", "deletedAtMs", "models", "networks"),
    rpm: limitOrNull(key.requestsPerMinute),
    tpm: limitOrNull(key.tokensPerMinute),
    concurrency: limitOrNull(key.concurrency),
    ...shown(key, "hard", "accountRead", "showCost"),
    budgets: key.budgets.map(budgetToJson),
    used_total: formatUsd(key.used),
    ...shown(key, "held"),
    former_secrets: openSecrets(key, nowMs).map((secret) => shown(secret, "lastFour", "endsAtMs")),
  };
}
