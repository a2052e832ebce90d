import { amount, asNamed, type ColumnsOf, flag, keptAs, plain } from "../../lib/sql/kept.ts";
import type { ClaimedNotice, PastAlert } from "../notice.ts";
import type { AlertMark } from "../rules.ts";
import type { AlertSettings, WebhookSettings } from "../settings.ts";

export const SETTINGS = keptAs<Omit<AlertSettings, "webhook">>()({
  lowBalance: flag("low_balance"),
  lowBalanceThreshold: amount("low_balance_threshold"),
  budgets: flag("budgets"),
  spendSpike: flag("spend_spike"),
  modelDeprecation: flag("model_deprecation"),
  vendorDown: flag("vendor_down"),
  email: flag("email"),
});

/** Without an address there is none. */
type KeptWebhook = Omit<WebhookSettings, "url" | "sealedSecret"> & {
  readonly [Name in "url" | "sealedSecret"]: string | null;
};

export const WEBHOOK = keptAs<KeptWebhook>()({
  url: plain("webhook_url"),
  sealedSecret: plain("webhook_secret"),
  enabled: flag("webhook_enabled"),
  byOperator: flag("webhook_by_operator"),
  failures: plain("webhook_failures"),
  lastError: plain("webhook_error"),
});

interface SettingsTable extends ColumnsOf<typeof SETTINGS>, ColumnsOf<typeof WEBHOOK> {
  readonly account_id: string;
  readonly updated_at: number;
}

interface MarksTable extends Pick<AlertMark, "rule" | "subject" | "mark"> {
  readonly account_id: string;
  readonly seen_at: number;
}

export const NOTICE = keptAs<ClaimedNotice>()({
  ...asNamed("id", "kind", "channel", "address", "subject", "link", "attempts"),
  accountId: plain("account_id"),
  text: plain("body_text"),
  html: plain("body_html"),
  createdAtMs: plain("created_at"),
});

interface OutboxTable extends ColumnsOf<typeof NOTICE> {
  readonly state: "queued" | "sent" | "failed";
  readonly next_at: number;
  readonly claim: string | null;
  readonly error: string | null;
}

export const ALERT = keptAs<Omit<PastAlert, "notices"> & { readonly rule: string }>()({
  ...asNamed("id", "kind", "title", "rule", "subject"),
  accountId: plain("account_id"),
  titleZh: plain("title_zh"),
  toldAtMs: plain("told_at"),
  endedAtMs: plain("ended_at"),
});

export interface NoticesTables {
  readonly alert_settings: SettingsTable;
  readonly alert_tests: { readonly account_id: string; readonly tested_at: number };
  readonly alert_turns: {
    readonly name: string;
    readonly looked_at: number;
    readonly lease_until: number;
  };
  readonly alert_marks: MarksTable;
  readonly alert_history: ColumnsOf<typeof ALERT>;
  /** Which message tells which alert. */
  readonly alert_notices: { readonly notice_id: string; readonly alert_id: string };
  readonly notices: OutboxTable;
}
