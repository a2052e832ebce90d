import type { Selectable } from "kysely";
import type { AlertSettings, WebhookSettings } from "../settings.ts";
import type { AlertSettingsTable } from "./schema.ts";

interface SettingsRow extends Selectable<AlertSettingsTable> {
  readonly threshold: string | null;
}

function readWebhook(row: SettingsRow): WebhookSettings | null {
  if (row.webhook_url === null || row.webhook_secret === null) return null;
  return {
    url: row.webhook_url,
    sealedSecret: row.webhook_secret,
    enabled: row.webhook_enabled === 1,
    failures: row.webhook_failures,
    lastError: row.webhook_error,
  };
}

export function readSettings(row: SettingsRow): AlertSettings {
  return {
    lowBalance: row.low_balance === 1,
    lowBalanceThreshold: row.threshold === null ? null : BigInt(row.threshold),
    budgets: row.budgets === 1,
    spendSpike: row.spend_spike === 1,
    modelDeprecation: row.model_deprecation === 1,
    vendorDown: row.vendor_down === 1,
    email: row.email === 1,
    webhook: readWebhook(row),
  };
}

/** Every column but the account's. */
export function settingsCells({ webhook, ...settings }: AlertSettings, nowMs: number) {
  return {
    low_balance: settings.lowBalance,
    low_balance_threshold: settings.lowBalanceThreshold,
    budgets: settings.budgets,
    spend_spike: settings.spendSpike,
    model_deprecation: settings.modelDeprecation,
    vendor_down: settings.vendorDown,
    email: settings.email,
    webhook_url: webhook?.url ?? null,
    webhook_secret: webhook?.sealedSecret ?? null,
    webhook_enabled: Number(webhook?.enabled ?? false),
    webhook_failures: webhook?.failures ?? 0,
    webhook_error: webhook?.lastError ?? null,
    updated_at: nowMs,
  };
}
