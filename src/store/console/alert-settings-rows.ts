import type { SqlValue } from "../../lib/sql/sql.ts";
import type { AlertSettings, WebhookSettings } from "../../notices/settings.ts";

/** A row of `alert_settings`, its threshold as text. */
export interface SettingsRow {
  readonly account_id: string;
  readonly low_balance: number;
  readonly threshold: string | null;
  readonly budgets: number;
  readonly spend_spike: number;
  readonly model_deprecation: number;
  readonly vendor_down: number;
  readonly email: number;
  readonly webhook_url: string | null;
  readonly webhook_secret: string;
  readonly webhook_enabled: number;
  readonly webhook_failures: number;
  readonly webhook_error: string | null;
}

function readWebhook(row: SettingsRow): WebhookSettings | null {
  if (row.webhook_url === null) return null;
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

const SETTINGS_COLUMNS = [
  "account_id",
  "low_balance",
  "low_balance_threshold",
  "budgets",
  "spend_spike",
  "model_deprecation",
  "vendor_down",
  "email",
  "webhook_url",
  "webhook_secret",
  "webhook_enabled",
  "webhook_failures",
  "webhook_error",
  "updated_at",
] as const;

function flag(value: boolean): number {
  return value ? 1 : 0;
}

export function settingsCells(
  accountId: string,
  settings: AlertSettings,
  nowMs: number,
): SqlValue[] {
  const { webhook } = settings;
  return [
    accountId,
    flag(settings.lowBalance),
    settings.lowBalanceThreshold,
    flag(settings.budgets),
    flag(settings.spendSpike),
    flag(settings.modelDeprecation),
    flag(settings.vendorDown),
    flag(settings.email),
    webhook?.url ?? null,
    webhook?.sealedSecret ?? null,
    flag(webhook?.enabled ?? false),
    webhook?.failures ?? 0,
    webhook?.lastError ?? null,
    nowMs,
  ];
}

export const SAVE_SETTINGS_SQL = `
  insert into alert_settings (${SETTINGS_COLUMNS.join(", ")})
  values (${SETTINGS_COLUMNS.map((_name, at) => `$${at + 1}`).join(", ")})
  on conflict (account_id) do update set
    ${SETTINGS_COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")}`;
