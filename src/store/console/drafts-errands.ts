import type { ErrandsStore, Lease } from "../../drafts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

/** Whether somebody deletes or publishes the draft. Only asked where nobody else can write. */
export async function hasErrand(sql: Sql, draftId: string, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    "select owner from draft_errands where draft_id = $1 and lease_until > $2",
    [draftId, nowMs],
  );
  return rows.length > 0;
}

/** Whoever stood still at an errand until its time was over has lost it once a push begins. */
export async function endErrand(sql: Sql, draftId: string): Promise<void> {
  await sql.query("delete from draft_errands where draft_id = $1", [draftId]);
}

export class ErrandRows implements ErrandsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  take(draftId: string, lease: Lease, nowMs: number): Promise<"taken" | "busy" | "gone"> {
    return this.#sql.transaction(async (sql) => {
      const drafts = await sql.query("select id from drafts where id = $1", [draftId]);
      if (drafts.length === 0) return "gone";
      // One that was left between two steps is finished first: it may have put something into the box.
      const pushes = await sql.query(
        `select id from draft_pushes where draft_id = $1
           and (state in ('planned', 'uploading', 'sending')
             or (state = 'unknown' and lease_until > $2)) limit 1`,
        [draftId, nowMs],
      );
      if (pushes.length > 0 || (await hasErrand(sql, draftId, nowMs))) return "busy";
      await sql.query(
        `insert into draft_errands (draft_id, owner, lease_until) values ($1, $2, $3)
         on conflict (draft_id) do update set owner = excluded.owner,
           lease_until = excluded.lease_until`,
        [draftId, lease.owner, lease.untilMs],
      );
      return "taken";
    });
  }

  async renew(draftId: string, { owner, untilMs }: Lease): Promise<boolean> {
    const rows = await this.#sql.query(
      "update draft_errands set lease_until = $1 where draft_id = $2 and owner = $3 returning owner",
      [untilMs, draftId, owner],
    );
    return rows.length > 0;
  }

  async end(draftId: string, owner: string): Promise<void> {
    await this.#sql.query("delete from draft_errands where draft_id = $1 and owner = $2", [
      draftId,
      owner,
    ]);
  }
}
