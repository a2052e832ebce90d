// Notices from the facts to the door of the receiver: real tables, real mail, real calls.
import { readConfig } from "../../../src/config/config.ts";
import type { Sql } from "../../../src/lib/sql/sql.ts";
import { TaskGroup } from "../../../src/lib/threads/task-group.ts";
import { AlertWatch } from "../../../src/notices/alert-watch.ts";
import { Alerts } from "../../../src/notices/alerts.ts";
import type {
  AccountFacts,
  ChannelFacts,
  InputLossFacts,
  Recipient,
  UsualHours,
} from "../../../src/notices/facts.ts";
import type { NoticeLimits } from "../../../src/notices/limits.ts";
import { Mailer } from "../../../src/notices/mailer.ts";
import { NoticeWriter } from "../../../src/notices/notice-writer.ts";
import { Outbox } from "../../../src/notices/outbox.ts";
import { NoticesTable } from "../../../src/notices/tables/notices.ts";
import { Webhooks } from "../../../src/notices/webhooks.ts";
import { keptLog } from "../logs.ts";
import { VAULT } from "../vault.ts";

/** Less of everything, so that a test soon comes to the end of it. */
const LIMITS: NoticeLimits = {
  ...readConfig({}).limits,
  notice_batch_max: 4,
  notice_attempts_max: 3,
  notice_keep_ms: 86_400_000,
  mail_send_ms: 10_000,
  webhook_failures_max: 4,
};

/** What the house sees; a test moves it. */
export function noticeWorld() {
  return {
    nowMs: Date.UTC(2026, 10, 15, 12),
    accounts: [] as AccountFacts[],
    channels: [] as ChannelFacts[],
    usual: { total: 0n, hours: 0 } as UsualHours,
    inputLosses: [] as InputLossFacts[],
    owners: [{ email: "ann@example.com", language: "en", timeZone: null }] as Recipient[],
    operators: [{ email: "op@example.com", language: "zh-CN", timeZone: null }] as Recipient[],
    /** From when on activity was asked for, look by look. */
    asked: [] as number[],
  };
}

export type NoticeWorld = ReturnType<typeof noticeWorld>;

/** One process of an installation; several may share a world and a database. */
export function noticeProcess(
  sql: Sql,
  world: NoticeWorld,
  smtpUrl: string | undefined,
  over: { readonly webhooks?: Webhooks; readonly leaseMs?: number } = {},
) {
  const clock = () => world.nowMs;
  const { log, logged } = keptLog("info");
  const store = new NoticesTable(sql);
  const mailer = new Mailer({ smtpUrl, from: "gate@example.com", sendMs: 10_000 }, log);
  const webhooks = over.webhooks ?? new Webhooks({ timeoutMs: 10_000, loopback: true }, clock);
  const recipients = { owners: async () => world.owners, operators: async () => world.operators };
  const writer = new NoticeWriter(recipients, "https://gate.example.com/console", clock);
  const { leaseMs: notice_lease_ms = LIMITS.notice_lease_ms } = over;
  const limits = { ...LIMITS, notice_lease_ms };
  const tasks = new TaskGroup((thrown) => log.error("task_failed", { thrown }));
  const parts = { store, mailer, webhooks, vault: VAULT, writer, limits, tasks, clock, log };
  const facts = {
    async active(sinceMs: number) {
      world.asked.push(sinceMs);
      return world.accounts;
    },
    usualHours: async () => world.usual,
    inputLosses: async (_nowMs: number, beyond: bigint) =>
      world.inputLosses.filter(({ amount }) => amount > beyond),
  };
  const house = {
    operatorAccountId: async () => "acct_operator",
    channels: async () => world.channels,
    modelEnds: () => [],
  };
  return {
    store,
    limits,
    tasks,
    logged,
    alerts: new Alerts(parts),
    watch: new AlertWatch({ ...parts, facts, house }),
    outbox: new Outbox(parts),
  };
}

export type NoticeProcess = ReturnType<typeof noticeProcess>;
