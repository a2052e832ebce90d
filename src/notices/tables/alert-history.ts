import type { Kysely } from "kysely";
import type { PageQuery } from "../../lib/listing.ts";
import { Rows } from "../../lib/sql/tables.ts";
import type { NewNotice, OutboxTrouble, PastAlert, ReportedAlert } from "../notice.ts";
import type { AlertMark } from "../rules.ts";
import { ALERT, type NoticesTables } from "./schema.ts";

/** So many messages in trouble are counted. */
const TROUBLES_MAX = 1_000;

type Tables = Kysely<NoticesTables>;

/** An alert that happens in a moment, and is over at once. */
export type MomentaryAlert = ReportedAlert & { readonly accountId: string };

async function insertAlert(
  tables: Tables,
  alert: Omit<PastAlert, "notices"> & { readonly rule: string },
  notices: readonly Pick<NewNotice, "id">[],
): Promise<void> {
  await tables.insertInto("alert_history").values(ALERT.cells(alert)).execute();
  for (const { id: notice_id } of notices) {
    await tables.insertInto("alert_notices").values({ notice_id, alert_id: alert.id }).execute();
  }
}

export async function insertMomentary(
  tables: Tables,
  alert: MomentaryAlert,
  notices: readonly NewNotice[],
): Promise<void> {
  const row = { ...alert, rule: "", subject: "", endedAtMs: alert.toldAtMs };
  await insertAlert(tables, row, notices);
}

/** Takes the place of an earlier alert of the same subject, which is over. */
export async function insertFired(
  tables: Tables,
  alert: ReportedAlert,
  { accountId, rule, subject }: AlertMark,
  notices: readonly NewNotice[],
): Promise<void> {
  await insertAlert(tables, { ...alert, accountId, rule, subject, endedAtMs: null }, notices);
}

/** The alerts of a subject are over. */
export async function endAlerts(
  tables: Tables,
  { accountId: account_id, rule, subject }: Pick<AlertMark, "accountId" | "rule" | "subject">,
  atMs: number,
): Promise<void> {
  await tables
    .updateTable("alert_history")
    .set({ ended_at: atMs })
    .where((eb) => eb.and({ account_id, rule, subject }))
    .where("ended_at", "is", null)
    .execute();
}

export async function sweepAlerts(tables: Tables, beforeMs: number): Promise<void> {
  const over = tables.selectFrom("alert_history").select("id").where("ended_at", "<", beforeMs);
  await tables.deleteFrom("alert_notices").where("alert_id", "in", over).execute();
  await tables.deleteFrom("alert_history").where("ended_at", "<", beforeMs).execute();
}

/** Reads what was told, when and to whom. */
export class AlertHistory extends Rows<NoticesTables> {
  /** The newest first; one more than asked for, where there is one. */
  async page({ after, limit }: PageQuery): Promise<readonly PastAlert[]> {
    const all = this.tables.selectFrom("alert_history").select(ALERT.columns);
    const rows = await (after === undefined ? all : all.where("id", "<", after))
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const notices = await this.tables
      .selectFrom("alert_notices")
      .innerJoin("notices", "notices.id", "alert_notices.notice_id")
      .select(["alert_id", "channel", "address", "state", "error"])
      .where("alert_id", "in", ids)
      .orderBy("notices.id")
      .execute();
    return rows.map(({ rule: _rule, ...alert }) => ({
      ...alert,
      notices: notices
        .filter(({ alert_id }) => alert_id === alert.id)
        .map(({ alert_id: _alert, ...notice }) => notice),
    }));
  }

  /** How many alerts hold now. */
  async open(): Promise<number> {
    const row = await this.tables
      .selectFrom("alert_history")
      .select(({ fn }) => fn.countAll<number>().as("open"))
      .where("ended_at", "is", null)
      .executeTakeFirst();
    return Number(row?.open ?? 0);
  }

  /** Messages that were tried in vain since then; undefined where there are none. */
  async outboxTrouble(sinceMs: number): Promise<OutboxTrouble | undefined> {
    const rows = await this.tables
      .selectFrom("notices")
      .select(["state", "created_at as createdAtMs", "error"])
      .where("state", "in", ["queued", "failed"])
      .where("error", "is not", null)
      .where("created_at", ">=", sinceMs)
      .orderBy("created_at", "desc")
      .limit(TROUBLES_MAX)
      .execute();
    const [newest] = rows;
    if (!newest) return undefined;
    return {
      waiting: rows.filter(({ state }) => state === "queued").length,
      givenUp: rows.filter(({ state }) => state === "failed").length,
      sinceMs: Math.min(...rows.map(({ createdAtMs }) => createdAtMs)),
      error: newest.error,
    };
  }
}
