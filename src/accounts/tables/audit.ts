import { sql } from "kysely";
import type { Clock } from "../../lib/clock.ts";
import type { PageQuery } from "../../lib/listing.ts";
import { insertIf } from "../../lib/sql/insert-if.ts";
import type { Sql } from "../../lib/sql/sql.ts";
import { Rows } from "../../lib/sql/tables.ts";
import { type AuditEntry, type AuditFilter, type AuditRecord, newAuditId } from "../audit.ts";
import type { AccountsTables } from "./schema.ts";

type AuditLines = AccountsTables["audit"];

/** Money is told as a text. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner) =>
    typeof inner === "bigint" ? String(inner) : inner,
  );
}

/** What an action is about: `key` of `key.create`. */
function subjectOf(action: string): string {
  return action.split(".")[0] ?? "";
}

/** Who changed what, and when. Nothing in it is ever edited. */
export class AuditTable extends Rows<AccountsTables> {
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    super(sql);
    this.#clock = clock;
  }

  async write(entry: AuditEntry): Promise<void> {
    const { principal, accountId, action, target, detail, changes, kept } = entry;
    const values = {
      id: kept?.id ?? newAuditId(),
      created_at: kept?.atMs ?? this.#clock(),
      user_id: principal.userId ?? null,
      actor: principal.name,
      account_id: accountId,
      ...{ action, target },
      detail: toJson(detail ?? {}),
      changes: changes === undefined ? null : toJson(changes),
      subject: subjectOf(action),
    };
    if (!entry.once) {
      const line = this.tables.insertInto("audit").values(values);
      await (kept ? line.onConflict((conflict) => conflict.doNothing()) : line).execute();
      return;
    }
    const { actor, detail: said } = values;
    const same =
      entry.once === "as_said" ? { action, target, actor, detail: said } : { action, target };
    await insertIf(this.tables, "audit", values, this.#isNew(same));
  }

  #isNew(line: Partial<Pick<AuditLines, "action" | "target" | "actor" | "detail">>) {
    const same = this.tables.selectFrom("audit").select("id");
    return sql<boolean>`not exists ${same.where((eb) => eb.and(line))}`;
  }

  /** The newest first; one more than asked for, where there is one. */
  async list(page: PageQuery, filter: AuditFilter = {}): Promise<readonly AuditRecord[]> {
    const { after, limit } = page;
    const about = filter.action?.includes(".") ? "action" : "subject";
    let asked = this.tables
      .selectFrom("audit")
      .select(["id", "created_at as createdAtMs", "user_id as userId", "actor"])
      .select(["account_id as accountId", "action", "target", "detail", "changes"])
      .orderBy("id", "desc")
      .limit(limit + 1);
    for (const [column, operator, value] of [
      ["account_id", "=", filter.accountId],
      ["actor", "=", filter.actor],
      [about, "=", filter.action],
      ["target", "=", filter.target],
      ["created_at", ">=", filter.fromMs],
      ["created_at", "<", filter.toMs],
      ["id", "<", after],
    ] as const) {
      if (value !== undefined) asked = asked.where(column, operator, value);
    }
    return (await asked.execute()).map((row) => ({
      ...row,
      detail: JSON.parse(row.detail),
      changes: row.changes === null ? null : JSON.parse(row.changes),
    }));
  }
}
