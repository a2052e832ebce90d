import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import type { AlertMark } from "../../notices/rules.ts";
import type { AlertSettings, WebhookSettings } from "../../notices/settings.ts";
import type { ClaimedNotice, NewNotice, NoticeStore } from "../../notices/store.ts";
import {
  readSettings,
  SAVE_SETTINGS_SQL,
  type SettingsRow,
  settingsCells,
} from "./alert-settings-rows.ts";

function places(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(", ");
}

interface NoticeRow {
  readonly id: string;
  readonly account_id: string;
  readonly kind: string;
  readonly channel: "email" | "webhook";
  readonly address: string;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly link: string;
  readonly created_at: number;
  readonly attempts: number;
}

function readNotice(row: NoticeRow): ClaimedNotice {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    channel: row.channel,
    address: row.address,
    subject: row.subject,
    text: row.body_text,
    html: row.body_html,
    link: row.link,
    createdAtMs: row.created_at,
    attempts: row.attempts,
  };
}

function markCells({ accountId, rule, subject, mark, seenAtMs }: AlertMark): SqlValue[] {
  return [accountId, rule, subject, mark, seenAtMs];
}

async function insertNotices(sql: Sql, notices: readonly NewNotice[]): Promise<void> {
  for (const notice of notices) {
    const { id, accountId, kind, channel, address, subject, text, html, link } = notice;
    await sql.query(
      `insert into notices (id, account_id, kind, channel, address, subject, body_text, body_html,
         link, created_at, state, attempts, next_at)
       values (${places(9)}, $10, 'queued', 0, $10)`,
      [id, accountId, kind, channel, address, subject, text, html, link, notice.createdAtMs],
    );
  }
}

export class NoticesTable implements NoticeStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async settings(accountIds: readonly string[]): Promise<ReadonlyMap<string, AlertSettings>> {
    if (accountIds.length === 0) return new Map();
    const rows = await this.#sql.query<SettingsRow>(
      `select *, cast(low_balance_threshold as text) as threshold from alert_settings
       where account_id in (${places(accountIds.length)})`,
      accountIds,
    );
    return new Map(rows.map((row) => [row.account_id, readSettings(row)]));
  }

  async saveSettings(accountId: string, settings: AlertSettings, nowMs: number): Promise<void> {
    await this.#sql.query(SAVE_SETTINGS_SQL, settingsCells(accountId, settings, nowMs));
  }

  async takeTest(accountId: string, nowMs: number, gapMs: number): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into alert_tests (account_id, tested_at) values ($1, $2)
       on conflict (account_id) do update set tested_at = excluded.tested_at
       where alert_tests.tested_at <= $3 returning account_id`,
      [accountId, nowMs, nowMs - gapMs],
    );
    return rows.length > 0;
  }

  async webhookWorked(accountId: string): Promise<void> {
    await this.#sql.query(
      `update alert_settings set webhook_failures = 0, webhook_error = null
       where account_id = $1`,
      [accountId],
    );
  }

  async webhookFailed(
    accountId: string,
    { url }: Pick<WebhookSettings, "url">,
    error: string,
    failuresMax: number,
  ): Promise<boolean> {
    // An address that was changed meanwhile has not failed.
    const rows = await this.#sql.query<{ webhook_enabled: number }>(
      `update alert_settings set webhook_failures = webhook_failures + 1, webhook_error = $1,
         webhook_enabled = case when webhook_failures + 1 >= $2 then 0 else 1 end
       where account_id = $3 and webhook_url = $4 and webhook_enabled = 1
       returning webhook_enabled`,
      [error, failuresMax, accountId, url],
    );
    return rows[0]?.webhook_enabled === 0;
  }

  async takeTurn(name: string, nowMs: number, leaseUntilMs: number): Promise<number | undefined> {
    const [row] = await this.#sql.query<{ looked_at: number }>(
      `insert into alert_turns (name, looked_at, lease_until) values ($1, $2, $3)
       on conflict (name) do update set lease_until = excluded.lease_until
       where alert_turns.lease_until <= $2 returning looked_at`,
      [name, nowMs, leaseUntilMs],
    );
    return row?.looked_at;
  }

  async endTurn(name: string, lookedAtMs: number): Promise<void> {
    await this.#sql.query("update alert_turns set looked_at = $1 where name = $2", [
      lookedAtMs,
      name,
    ]);
  }

  async marks(accountIds: readonly string[]): Promise<readonly AlertMark[]> {
    if (accountIds.length === 0) return [];
    const rows = await this.#sql.query<{
      readonly account_id: string;
      readonly rule: string;
      readonly subject: string;
      readonly mark: string;
      readonly seen_at: number;
    }>(`select * from alert_marks where account_id in (${places(accountIds.length)})`, accountIds);
    return rows.map(({ account_id, rule, subject, mark, seen_at }) => ({
      accountId: account_id,
      rule,
      subject,
      mark,
      seenAtMs: seen_at,
    }));
  }

  fire(mark: AlertMark, notices: readonly NewNotice[]): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const fired = await sql.query(
        `insert into alert_marks (account_id, rule, subject, mark, seen_at)
         values ($1, $2, $3, $4, $5)
         on conflict (account_id, rule, subject)
         do update set mark = excluded.mark, seen_at = excluded.seen_at
         where alert_marks.mark <> excluded.mark returning account_id`,
        markCells(mark),
      );
      if (fired.length === 0) return false;
      await insertNotices(sql, notices);
      return true;
    });
  }

  async see({ accountId, rule, subject, mark, seenAtMs }: AlertMark): Promise<void> {
    await this.#sql.query(
      `update alert_marks set seen_at = $1
       where account_id = $2 and rule = $3 and subject = $4 and mark = $5 and seen_at < $1`,
      [seenAtMs, accountId, rule, subject, mark],
    );
  }

  async arm(mark: AlertMark): Promise<void> {
    await this.#sql.query(
      `delete from alert_marks
       where account_id = $1 and rule = $2 and subject = $3 and mark = $4 and seen_at = $5`,
      markCells(mark),
    );
  }

  async add(notices: readonly NewNotice[]): Promise<void> {
    await this.#sql.transaction((sql) => insertNotices(sql, notices));
  }

  async claim(
    claim: string,
    nowMs: number,
    leaseUntilMs: number,
    limit: number,
  ): Promise<readonly ClaimedNotice[]> {
    // The time is compared twice: of two that chose the same rows, the second finds them taken.
    const rows = await this.#sql.query<NoticeRow>(
      `update notices set claim = $1, next_at = $2, attempts = attempts + 1
       where state = 'queued' and next_at <= $3 and id in (
         select id from notices where state = 'queued' and next_at <= $3
         order by next_at, id limit $4)
       returning *`,
      [claim, leaseUntilMs, nowMs, limit],
    );
    return rows.map(readNotice);
  }

  async sent(id: string, claim: string, nowMs: number): Promise<void> {
    await this.#end("sent", id, claim, nowMs, null);
  }

  async retry(id: string, claim: string, nextAtMs: number, error: string): Promise<void> {
    await this.#end("queued", id, claim, nextAtMs, error);
  }

  async giveUp(id: string, claim: string, nowMs: number, error: string): Promise<void> {
    await this.#end("failed", id, claim, nowMs, error);
  }

  async #end(
    state: "sent" | "queued" | "failed",
    id: string,
    claim: string,
    atMs: number,
    error: string | null,
  ): Promise<void> {
    await this.#sql.query(
      `update notices set state = $1, next_at = $2, error = $3, claim = null
       where id = $4 and claim = $5 and state = 'queued'`,
      [state, atMs, error, id, claim],
    );
  }

  async sweep(beforeMs: number): Promise<void> {
    await this.#sql.query(
      "delete from notices where (state = 'sent' or state = 'failed') and next_at < $1",
      [beforeMs],
    );
  }
}
