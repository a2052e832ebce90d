import { type Kysely, sql } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { NoticeLimits } from "../limits.ts";
import type { ClaimedNotice, NewNotice, ReportedAlert } from "../notice.ts";
import type { AlertMark } from "../rules.ts";
import { type AlertSettings, putBack, type Replaced, type WebhookSettings } from "../settings.ts";
import {
  endAlerts,
  insertFired,
  insertMomentary,
  type MomentaryAlert,
  sweepAlerts,
} from "./alert-history.ts";
import { readSettings, settingsCells, webhookCells } from "./alert-settings.ts";
import { NOTICE, type NoticesTables, SETTINGS, WEBHOOK } from "./schema.ts";

async function insertNotices(
  tables: Kysely<NoticesTables>,
  notices: readonly NewNotice[],
): Promise<void> {
  for (const notice of notices) {
    const cells = NOTICE.cells({ ...notice, attempts: 0 });
    const queued = { ...cells, state: "queued", next_at: notice.createdAtMs } as const;
    await tables.insertInto("notices").values(queued).execute();
  }
}

/** Written to before it is read: whoever changes it meanwhile waits for the end of this, on PostgreSQL too. */
async function takeSettings(
  tables: Kysely<NoticesTables>,
  accountId: string,
  nowMs: number,
): Promise<AlertSettings | undefined> {
  const row = await tables
    .updateTable("alert_settings")
    .set({ updated_at: nowMs })
    .where("account_id", "=", accountId)
    .returning([...SETTINGS.columns, ...WEBHOOK.columns])
    .executeTakeFirst();
  return row && readSettings(row);
}

interface WebhookFailure {
  readonly error: string;
  /** The last of so many in a row switches it off. */
  readonly max: number;
  /** What tells that it is switched off. */
  readonly notices?: readonly NewNotice[];
  readonly alert?: MomentaryAlert;
}

type ClaimLimits = Pick<
  NoticeLimits,
  "notice_lease_ms" | "notice_retry_ms" | "notice_retry_ms_max"
>;

/** Beyond so many doublings every wait is the longest. */
const DOUBLINGS_MAX = 20;

/**
 * What was never tried is due at once. Of the rest the time has come, or lies further ahead than a lease or the wait
 * after so many tries: since before a clock was set back, and not only by another's that is a little ahead.
 */
function dueBy(nowMs: number, limits: ClaimLimits) {
  const {
    notice_lease_ms: leaseMs,
    notice_retry_ms: retryMs,
    notice_retry_ms_max: mostMs,
  } = limits;
  const [attempts, nextAt] = [sql.ref("attempts"), sql.ref("next_at")];
  const doubled = sql`${retryMs} * (cast(1 as bigint) << cast(${attempts} - 1 as integer))`;
  const wait = sql`case when ${attempts} > ${sql.lit(DOUBLINGS_MAX)} then ${mostMs}
    when ${doubled} > ${mostMs} then ${mostMs}
    when ${doubled} < ${leaseMs} then ${leaseMs}
    else ${doubled} end`;
  return sql<boolean>`(${attempts} = 0 or ${nextAt} <= ${nowMs}
    or ${nextAt} > ${nowMs + leaseMs} + ${wait})`;
}

export class NoticesTable extends Rows<NoticesTables> {
  /** What the accounts chose; those that chose nothing are left out. */
  async settings(accountIds: readonly string[]): Promise<ReadonlyMap<string, AlertSettings>> {
    if (accountIds.length === 0) return new Map();
    const rows = await this.tables
      .selectFrom("alert_settings")
      .select("account_id")
      .select(SETTINGS.columns)
      .select(WEBHOOK.columns)
      .where("account_id", "in", accountIds)
      .execute();
    return new Map(rows.map((row) => [row.account_id, readSettings(row)]));
  }

  /** What somebody chooses by what is there, which is undefined where nothing was chosen yet. */
  changeSettings(
    accountId: string,
    nowMs: number,
    choose: (before: AlertSettings | undefined) => AlertSettings,
  ): Promise<{ readonly before: AlertSettings | undefined; readonly settings: AlertSettings }> {
    return this.tables.atomically(async (tables) => {
      const before = await takeSettings(tables, accountId, nowMs);
      const settings = choose(before);
      const cells = { ...settingsCells(settings), updated_at: nowMs };
      await tables
        .insertInto("alert_settings")
        .values({ account_id: accountId, ...cells })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(cells))
        .execute();
      return { before, settings };
    });
  }

  /** Undoes a change of a webhook, as far as it is still there: one that is being written is waited for. */
  putBackWebhook(accountId: string, replaced: Replaced, nowMs: number): Promise<void> {
    return this.tables.atomically(async (tables) => {
      const now = await takeSettings(tables, accountId, nowMs);
      if (!now) return;
      await tables
        .updateTable("alert_settings")
        .set(webhookCells(putBack(now.webhook, replaced)))
        .where("account_id", "=", accountId)
        .execute();
    });
  }

  /** Whether a test may be sent: only one of two that come within the gap. */
  async takeTest(accountId: string, nowMs: number, gapMs: number): Promise<boolean> {
    const rows = await this.tables
      .insertInto("alert_tests")
      .values({ account_id: accountId, tested_at: nowMs })
      .onConflict((conflict) =>
        conflict
          .column("account_id")
          .doUpdateSet({ tested_at: nowMs })
          .where(cameBy("alert_tests.tested_at", nowMs - gapMs, gapMs)),
      )
      .returning("account_id")
      .execute();
    return rows.length > 0;
  }

  async webhookWorked(accountId: string): Promise<void> {
    await this.tables
      .updateTable("alert_settings")
      .set({ webhook_failures: 0, webhook_error: null })
      .where("account_id", "=", accountId)
      .execute();
  }

  /** Counts a failure; true when it is the one that switched the webhook off, which its notices tell, in one write. */
  webhookFailed(
    accountId: string,
    { url }: Pick<WebhookSettings, "url">,
    failure: WebhookFailure,
  ): Promise<boolean> {
    const { error, max, notices = [], alert } = failure;
    return this.tables.atomically(async (tables) => {
      const row = await tables
        .updateTable("alert_settings")
        .set(({ eb, lit }) => ({
          webhook_failures: eb("webhook_failures", "+", 1),
          webhook_error: error,
          webhook_enabled: eb
            .case()
            .when("webhook_failures", ">=", max - 1)
            .then(lit(0))
            .else(lit(1))
            .end(),
        }))
        // An address that was changed meanwhile has not failed.
        .where((eb) => eb.and({ account_id: accountId, webhook_url: url, webhook_enabled: 1 }))
        .returning("webhook_enabled")
        .executeTakeFirst();
      if (row?.webhook_enabled !== 0) return false;
      await insertNotices(tables, notices);
      if (alert) await insertMomentary(tables, alert, notices);
      return true;
    });
  }

  /**
   * The right to look, until the lease ends, for one process of all: when the last look was that
   * came to its end, or undefined for those who came too late.
   */
  async takeLease(name: string, nowMs: number, leaseMs: number): Promise<number | undefined> {
    const leaseUntilMs = nowMs + leaseMs;
    const row = await this.tables
      .insertInto("alert_turns")
      .values({ name, looked_at: nowMs, lease_until: leaseUntilMs })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({ lease_until: leaseUntilMs })
          .where(cameBy("alert_turns.lease_until", nowMs, leaseMs)),
      )
      .returning("looked_at")
      .executeTakeFirst();
    return row?.looked_at;
  }

  async endLease(name: string, lookedAtMs: number): Promise<void> {
    const turn = this.tables.updateTable("alert_turns").where("name", "=", name);
    await turn.set({ looked_at: lookedAtMs }).execute();
  }

  async marks(accountIds: readonly string[]): Promise<readonly AlertMark[]> {
    if (accountIds.length === 0) return [];
    return this.tables
      .selectFrom("alert_marks")
      .select(["account_id as accountId", "rule", "subject", "mark", "seen_at as seenAtMs"])
      .where("account_id", "in", accountIds)
      .execute();
  }

  /**
   * Together, and only if nobody did so before: false then, and nothing is written. `last` is the mark by which it was
   * judged, which may be the same one of long ago.
   */
  fire(
    fired: AlertMark,
    notices: readonly NewNotice[],
    last?: Pick<AlertMark, "seenAtMs">,
    alert?: ReportedAlert,
  ): Promise<boolean> {
    const { accountId: account_id, rule, subject, mark, seenAtMs: seen_at } = fired;
    return this.tables.atomically(async (tables) => {
      const rows = await tables
        .insertInto("alert_marks")
        .values({ account_id, rule, subject, mark, seen_at })
        .onConflict((conflict) =>
          conflict
            .columns(["account_id", "rule", "subject"])
            .doUpdateSet({ mark, seen_at })
            .where(({ eb, or }) =>
              or([
                eb("alert_marks.mark", "<>", mark),
                ...(last ? [eb("alert_marks.seen_at", "=", last.seenAtMs)] : []),
              ]),
            ),
        )
        .returning("account_id")
        .execute();
      if (rows.length === 0) return false;
      await insertNotices(tables, notices);
      await endAlerts(tables, fired, last?.seenAtMs ?? seen_at);
      if (alert) await insertFired(tables, alert, fired, notices);
      return true;
    });
  }

  async see({ accountId, rule, subject, mark, seenAtMs }: AlertMark): Promise<void> {
    await this.tables
      .updateTable("alert_marks")
      .set({ seen_at: seenAtMs })
      .where((eb) => eb.and({ account_id: accountId, rule, subject, mark }))
      .where("seen_at", "<", seenAtMs)
      .execute();
  }

  /** Forgets the mark, unless another process has fired or seen it again meanwhile. */
  async arm(last: AlertMark): Promise<void> {
    const { accountId, rule, subject, mark, seenAtMs } = last;
    await this.tables.atomically(async (tables) => {
      const rows = await tables
        .deleteFrom("alert_marks")
        .where((eb) => eb.and({ account_id: accountId, rule, subject, mark, seen_at: seenAtMs }))
        .returning("rule")
        .execute();
      if (rows.length > 0) await endAlerts(tables, last, seenAtMs);
    });
  }

  async add(notices: readonly NewNotice[], alert?: MomentaryAlert): Promise<void> {
    await this.tables.atomically(async (tables) => {
      await insertNotices(tables, notices);
      if (alert) await insertMomentary(tables, alert, notices);
    });
  }

  /** Due notices that nobody else is sending, until the lease ends. `claim` names this taking. */
  claim(
    claim: string,
    nowMs: number,
    limits: ClaimLimits & Pick<NoticeLimits, "notice_batch_max">,
  ): Promise<readonly ClaimedNotice[]> {
    const isDue = dueBy(nowMs, limits);
    const leaseUntilMs = nowMs + limits.notice_lease_ms;
    const due = this.tables
      .selectFrom("notices")
      .select("id")
      .where("state", "=", "queued")
      .where(isDue)
      .orderBy("next_at")
      .orderBy("id")
      .limit(limits.notice_batch_max);
    return (
      this.tables
        .updateTable("notices")
        .set(({ eb }) => ({ claim, next_at: leaseUntilMs, attempts: eb("attempts", "+", 1) }))
        // The time is compared twice: of two that chose the same rows, the second finds them taken.
        .where("state", "=", "queued")
        .where(isDue)
        .where("id", "in", due)
        .returning(NOTICE.columns)
        .execute()
    );
  }

  /** Of a claim that has run out meanwhile nothing is written. */
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
    await this.tables
      .updateTable("notices")
      .set({ state, next_at: atMs, error, claim: null })
      .where((eb) => eb.and({ id, claim, state: "queued" }))
      .execute();
  }

  /** Removes notices that were done with before then. */
  async sweep(beforeMs: number): Promise<void> {
    const done = this.tables.deleteFrom("notices").where("state", "in", ["sent", "failed"]);
    await done.where("next_at", "<", beforeMs).execute();
    await sweepAlerts(this.tables, beforeMs);
  }
}
