import type { Kysely, Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { DraftAuditRecord } from "../audit-record.ts";
import type { DraftsTables } from "./schema.ts";

const COLUMNS = [
  ...["id", "account_id as accountId", "draft_id as draftId", "action", "done_by as by"],
  ...["detail", "created_at as atMs"],
] as const;

type Row = Selection<DraftsTables, "draft_deeds", (typeof COLUMNS)[number]>;

function toAuditRecord(row: Row): DraftAuditRecord {
  return { ...row, by: JSON.parse(row.by), detail: JSON.parse(row.detail) };
}

/** In the transaction that writes what was done. */
export async function addAuditRecord(
  tables: Kysely<DraftsTables>,
  record: DraftAuditRecord,
): Promise<void> {
  const { id, accountId, draftId, action, by, detail, atMs } = record;
  await tables
    .insertInto("draft_deeds")
    .values({
      ...{ id, account_id: accountId, draft_id: draftId, action, created_at: atMs },
      ...{ done_by: JSON.stringify(by), detail: JSON.stringify(detail) },
    })
    .execute();
}

/** Audit records that are still to be sent to the audit log. They outlive their draft. */
export class AuditOutboxRows extends Rows<DraftsTables> {
  add(record: DraftAuditRecord): Promise<void> {
    return addAuditRecord(this.tables, record);
  }

  /** The oldest first. */
  async ofDraft(draftId: string): Promise<readonly DraftAuditRecord[]> {
    return (await this.#all().where("draft_id", "=", draftId).execute()).map(toAuditRecord);
  }

  /** The oldest first. */
  async list(limit: number): Promise<readonly DraftAuditRecord[]> {
    return (await this.#all().limit(limit).execute()).map(toAuditRecord);
  }

  async forget(id: string): Promise<void> {
    await this.tables.deleteFrom("draft_deeds").where("id", "=", id).execute();
  }

  #all() {
    return this.tables.selectFrom("draft_deeds").select(COLUMNS).orderBy("id");
  }
}
