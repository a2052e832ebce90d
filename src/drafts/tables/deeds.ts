import type { Kysely, Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { Deed } from "../deed.ts";
import type { DraftsTables } from "./schema.ts";

const COLUMNS = [
  ...["id", "account_id as accountId", "draft_id as draftId", "action", "done_by as by"],
  ...["detail", "created_at as atMs"],
] as const;

type Row = Selection<DraftsTables, "draft_deeds", (typeof COLUMNS)[number]>;

function toDeed(row: Row): Deed {
  return { ...row, by: JSON.parse(row.by), detail: JSON.parse(row.detail) };
}

/** In the transaction that writes what was done. */
export async function keepDeed(tables: Kysely<DraftsTables>, deed: Deed): Promise<void> {
  const { id, accountId, draftId, action, by, detail, atMs } = deed;
  await tables
    .insertInto("draft_deeds")
    .values({
      ...{ id, account_id: accountId, draft_id: draftId, action, created_at: atMs },
      ...{ done_by: JSON.stringify(by), detail: JSON.stringify(detail) },
    })
    .execute();
}

/** What the audit log has still to be told. It outlives its draft. */
export class DeedRows extends Rows<DraftsTables> {
  add(deed: Deed): Promise<void> {
    return keepDeed(this.tables, deed);
  }

  /** The oldest first. */
  async ofDraft(draftId: string): Promise<readonly Deed[]> {
    return (await this.#all().where("draft_id", "=", draftId).execute()).map(toDeed);
  }

  /** The oldest first. */
  async list(limit: number): Promise<readonly Deed[]> {
    return (await this.#all().limit(limit).execute()).map(toDeed);
  }

  async forget(id: string): Promise<void> {
    await this.tables.deleteFrom("draft_deeds").where("id", "=", id).execute();
  }

  #all() {
    return this.tables.selectFrom("draft_deeds").select(COLUMNS).orderBy("id");
  }
}
