// Notices from the facts to the door of the receiver: real tables, real mail, real calls.

import { createVault } from "../../src/lib/vault.ts";
import { AlertWatch } from "../../src/notices/alert-watch.ts";
import { Alerts } from "../../src/notices/alerts.ts";
import type { AccountFacts, ChannelFacts, Recipient, UsualHours } from "../../src/notices/facts.ts";
import type { NoticeLimits } from "../../src/notices/limits.ts";
import { Mailer } from "../../src/notices/mailer.ts";
import { NoticeWriter } from "../../src/notices/notice-writer.ts";
import { Outbox } from "../../src/notices/outbox.ts";
import { Webhooks } from "../../src/notices/webhooks.ts";
import { NoticesTable } from "../../src/store/console/notices.ts";
import type { Sql } from "../../src/store/sql.ts";
import { createLog } from "../../src/telemetry/log.ts";

const LIMITS: NoticeLimits = {
  alert_look_ms: 60_000,
  alert_activity_ms: 1_200_000,
  alert_spend_floor_cents: 100,
  notice_tick_ms: 5_000,
  notice_batch_max: 4,
  notice_lease_ms: 120_000,
  notice_attempts_max: 3,
  notice_retry_ms: 30_000,
  notice_retry_ms_max: 21_600_000,
  notice_keep_ms: 86_400_000,
  mail_send_ms: 10_000,
  webhook_timeout_ms: 10_000,
  webhook_failures_max: 4,
};

/** What the house sees; a test moves it. */
export interface NoticeWorld {
  nowMs: number;
  accounts: AccountFacts[];
  channels: ChannelFacts[];
  usual: UsualHours;
  owners: Recipient[];
  operators: Recipient[];
  /** From when on activity was asked for, look by look. */
  readonly asked: number[];
}

export function noticeWorld(): NoticeWorld {
  return {
    nowMs: Date.UTC(2026, 10, 15, 12),
    accounts: [],
    channels: [],
    usual: { total: 0n, hours: 0 },
    owners: [{ email: "ann@example.com", language: "en", timeZone: null }],
    operators: [{ email: "op@example.com", language: "zh-CN", timeZone: null }],
    asked: [],
  };
}

/** One process of an installation; several may share a world and a database. */
export function noticeProcess(sql: Sql, world: NoticeWorld, smtpUrl: string | undefined) {
  const clock = () => world.nowMs;
  const lines: Record<string, unknown>[] = [];
  const log = createLog("info", (line) => lines.push(JSON.parse(line)));
  const store = new NoticesTable(sql);
  const vault = createVault("a secret of the tests, of some length");
  const mailer = new Mailer({ smtpUrl, from: "gate@example.com", sendMs: 10_000 }, log);
  const webhooks = new Webhooks({ timeoutMs: 10_000, loopback: true }, clock);
  const recipients = { owners: async () => world.owners, operators: async () => world.operators };
  const writer = new NoticeWriter(recipients, "https://gate.example.com/console", clock);
  const parts = { store, mailer, webhooks, vault, writer, limits: LIMITS, clock, log };
  const facts = {
    async active(sinceMs: number) {
      world.asked.push(sinceMs);
      return world.accounts;
    },
    usualHours: async () => world.usual,
  };
  const house = {
    operatorAccountId: async () => "acct_operator",
    channels: () => world.channels,
    modelEnds: () => [],
  };
  return {
    store,
    lines,
    alerts: new Alerts(parts),
    watch: new AlertWatch({ ...parts, facts, house }),
    outbox: new Outbox(parts),
  };
}

export type NoticeProcess = ReturnType<typeof noticeProcess>;
