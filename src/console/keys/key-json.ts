import type { FormerSecret, KeySummary } from "../../accounts/account.ts";
import { budgetToJson } from "../../accounts/keys/budget.ts";
import { formatUsd } from "../../catalogue/money.ts";
import type { Key } from "../contract/keys.ts";

const instant = (ms: number): string => new Date(ms).toISOString();
const moment = (ms: number | null) => (ms === null ? null : instant(ms));

function limitOrNull(limit: number): number | null {
  return limit === 0 ? null : limit;
}

/** The secrets of before that still open a key. */
export function openSecrets(key: KeySummary, nowMs: number): readonly FormerSecret[] {
  return key.formerSecrets.filter(({ endsAtMs }) => endsAtMs > nowMs);
}

export function keyToJson(key: KeySummary, nowMs: number): Key {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    enabled: key.enabled,
    created_at: instant(key.createdAtMs),
    last_used_at: moment(key.lastUsedAtMs),
    expires_at: moment(key.expiresAtMs),
    deleted_at: moment(key.deletedAtMs),
    models: key.models,
    networks: key.networks,
    rpm: limitOrNull(key.requestsPerMinute),
    tpm: limitOrNull(key.tokensPerMinute),
    concurrency: limitOrNull(key.concurrency),
    hard: key.hard,
    account_read: key.accountRead,
    show_cost: key.showCost,
    budgets: key.budgets.map(budgetToJson),
    used_total: formatUsd(key.used),
    held: formatUsd(key.held),
    former_secrets: openSecrets(key, nowMs).map(({ lastFour, endsAtMs }) => ({
      last_four: lastFour,
      ends_at: instant(endsAtMs),
    })),
  };
}
