import type { AlertSettings, WebhookSettings } from "../settings.ts";
import { SETTINGS, WEBHOOK } from "./schema.ts";

type Row = Parameters<typeof SETTINGS.read>[0] & Parameters<typeof WEBHOOK.read>[0];

export function readSettings(row: Row): AlertSettings {
  const { url, sealedSecret, ...rest } = WEBHOOK.read(row);
  const webhook = url === null || sealedSecret === null ? null : { url, sealedSecret, ...rest };
  return { ...SETTINGS.read(row), webhook };
}

const NO_WEBHOOK = {
  ...{ url: null, sealedSecret: null, enabled: false, byOperator: false },
  ...{ failures: 0, lastError: null },
};

export function webhookCells(webhook: WebhookSettings | null) {
  return WEBHOOK.cells(webhook ?? NO_WEBHOOK);
}

export function settingsCells({ webhook, ...settings }: AlertSettings) {
  return { ...SETTINGS.cells(settings), ...webhookCells(webhook) };
}
