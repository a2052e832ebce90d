import type { Flag } from "../../lib/sql/flag.ts";
import type { NewNotice } from "../notice.ts";
import type { AlertMark } from "../rules.ts";

export interface AlertSettingsTable {
  readonly account_id: string;
  readonly low_balance: Flag;
  /** Written as bigint and read as text. */
  readonly low_balance_threshold: bigint | null;
  readonly budgets: Flag;
  readonly spend_spike: Flag;
  readonly model_deprecation: Flag;
  readonly vendor_down: Flag;
  readonly email: Flag;
  readonly webhook_url: string | null;
  readonly webhook_secret: string | null;
  /** 1 or 0. */
  readonly webhook_enabled: number;
  readonly webhook_failures: number;
  readonly webhook_error: string | null;
  readonly updated_at: number;
}

interface MarksTable extends Pick<AlertMark, "rule" | "subject" | "mark"> {
  readonly account_id: string;
  readonly seen_at: number;
}

interface OutboxTable
  extends Pick<NewNotice, "id" | "kind" | "channel" | "address" | "subject" | "link"> {
  readonly account_id: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly created_at: number;
  readonly state: "queued" | "sent" | "failed";
  readonly attempts: number;
  readonly next_at: number;
  readonly claim: string | null;
  readonly error: string | null;
}

export interface NoticesTables {
  readonly alert_settings: AlertSettingsTable;
  readonly alert_tests: { readonly account_id: string; readonly tested_at: number };
  readonly alert_turns: {
    readonly name: string;
    readonly looked_at: number;
    readonly lease_until: number;
  };
  readonly alert_marks: MarksTable;
  readonly notices: OutboxTable;
}
