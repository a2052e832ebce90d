import type { AuditEntry, AuditLog, AuditReader, AuditRecord } from "../../accounts/audit.ts";
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { PageQuery } from "../../lib/listing.ts";
import type { Sql, SqlValue } from "../sql.ts";

interface Row {
  readonly id: string;
  readonly created_at: number;
  readonly user_id: string | null;
  readonly actor: string;
  readonly account_id: string | null;
  readonly action: string;
  readonly target: string;
  readonly detail: string;
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
  };
}

export class AuditTable implements AuditLog, AuditReader {
  readonly #sql: Sql;
  readonly #clock: Clock;

  constructor(sql: Sql, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  async write({ visitor, accountId, action, target, detail }: AuditEntry): Promise<void> {
    await this.#sql.query(
      `insert into audit (id, created_at, user_id, actor, account_id, action, target, detail)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        newId("aud_"),
        this.#clock(),
        visitor.userId ?? null,
        visitor.name,
        accountId,
        action,
        target,
        JSON.stringify(detail ?? {}, (_name, value) =>
          typeof value === "bigint" ? String(value) : value,
        ),
      ],
    );
  }

  async list({ after, limit }: PageQuery, accountId?: string): Promise<readonly AuditRecord[]> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    for (const [condition, value] of [
      ["account_id =", accountId],
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
