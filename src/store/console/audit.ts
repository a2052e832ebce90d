import type {
  AuditEntry,
  AuditFilter,
  AuditLog,
  AuditReader,
  AuditRecord,
} from "../../accounts/audit.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { PageQuery } from "../../lib/listing.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";

interface Row {
  readonly id: string;
  readonly created_at: number;
  readonly user_id: string | null;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
  readonly changes: string | null;
}

function readRecord(row: Row): AuditRecord {
  return {
    id: row.id,
    createdAtMs: row.created_at,
    userId: row.user_id,
    actor: row.actor,
    accountId: row.account_id,
    action: row.action,
    target: row.target,
    detail: JSON.parse(row.detail),
    changes: row.changes === null ? null : JSON.parse(row.changes),
  };
}

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

export class AuditTable implements AuditLog, AuditReader {
  readonly #sql: Sql;
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  async write(entry: AuditEntry): Promise<void> {
    const { principal, accountId, action, target, detail, changes } = entry;
    await this.#sql.query(
      `insert into audit
         (id, created_at, user_id, actor, account_id, action, target, detail, changes, subject)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        newId("aud_"),
        this.#clock(),
        principal.userId ?? null,
        principal.name,
        accountId,
        action,
        target,
        toJson(detail ?? {}),
        changes === undefined ? null : toJson(changes),
        subjectOf(action),
      ],
    );
  }

  async list(page: PageQuery, filter: AuditFilter = {}): Promise<readonly AuditRecord[]> {
    const { after, limit } = page;
    const about = filter.action?.includes(".") ? "action =" : "subject =";
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    for (const [condition, value] of [
      ["account_id =", filter.accountId],
      ["actor =", filter.actor],
      [about, filter.action],
      ["target =", filter.target],
      ["created_at >=", filter.fromMs],
      ["created_at <", filter.toMs],
      ["id <", after],
    ] as const) {
      if (value === undefined) continue;
      params.push(value);
      conditions.push(`${condition} $${params.length}`);
    }
    const where = conditions.length > 0 ? `where ${conditions.join(" and ")}` : "";
    params.push(limit + 1);
    const rows = await this.#sql.query<Row>(
      `select * from audit ${where} order by id desc limit $${params.length}`,
      params,
    );
    return rows.map(readRecord);
  }
}
