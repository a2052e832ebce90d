import type { Kysely } from "kysely";
import { cameBy } from "../../lib/sql/came-by.ts";
import { Rows } from "../../lib/sql/tables.ts";
import { inDoubt } from "../publish/publish-doubt.ts";
import { LEASE_MS } from "../push/leases.ts";
import { changeDraft } from "./drafts.ts";
import { type DraftsTables, RUNNING } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** A right to take the steps of a push or job until a time. */
export interface Lease {
  readonly owner: string;
  readonly untilMs: number;
}

/** True once the lease of a row has ended. */
export function isLeaseOver(nowMs: number) {
  return cameBy("lease_until", nowMs, LEASE_MS);
}

/** True while a process deletes or publishes the draft. Call it only in a transaction that keeps other writers out. */
export async function hasExclusiveJob(
  tables: Tables,
  draftId: string,
  nowMs: number,
): Promise<boolean> {
  const rows = await tables
    .selectFrom("draft_errands")
    .select("owner")
    .where("draft_id", "=", draftId)
    .where(({ not }) => not(isLeaseOver(nowMs)))
    .execute();
  return rows.length > 0;
}

/** Ends an exclusive job. A worker that paused until its lease ended has lost the job when a push begins. */
export async function endExclusiveJob(tables: Tables, draftId: string): Promise<void> {
  await tables.deleteFrom("draft_errands").where("draft_id", "=", draftId).execute();
}

/**
 * What an exclusive job has left that is over: where it asked the platform to publish a draft that lies in the box, and did not
 * live to say what came of that, the draft is in doubt from then on. True where it is.
 */
export async function noteLeft(tables: Tables, draftId: string): Promise<boolean> {
  const left = await tables
    .selectFrom("draft_errands")
    .innerJoin("drafts", "drafts.id", "draft_errands.draft_id")
    .select("submitted_at")
    .where("draft_id", "=", draftId)
    .where("status", "=", "in_box")
    .executeTakeFirst();
  if (!left || left.submitted_at === null) return false;
  await endExclusiveJob(tables, draftId);
  await changeDraft(tables, draftId, inDoubt(left.submitted_at), left.submitted_at);
  return true;
}

/** Jobs that delete or publish a draft. No push of the draft runs meanwhile, and no such job runs during a push. */
export class ExclusiveJobRows extends Rows<DraftsTables> {
  /** "busy" while a push of the draft runs or has been left, or somebody else is on an exclusive job. */
  take(draftId: string, lease: Lease, nowMs: number): Promise<"taken" | "busy" | "gone"> {
    return this.tables.atomically(async (tables) => {
      const drafts = await tables
        .selectFrom("drafts")
        .select("id")
        .where("id", "=", draftId)
        .execute();
      if (drafts.length === 0) return "gone";
      // One that was left between two steps is finished first: it may have put something into the box.
      const pushes = await tables
        .selectFrom("draft_pushes")
        .select("id")
        .where("draft_id", "=", draftId)
        .where((eb) =>
          eb.or([
            eb("state", "in", RUNNING),
            eb("state", "=", "unknown").and(eb.not(isLeaseOver(nowMs))),
          ]),
        )
        .limit(1)
        .execute();
      if (pushes.length > 0 || (await hasExclusiveJob(tables, draftId, nowMs))) return "busy";
      await noteLeft(tables, draftId);
      const held = { owner: lease.owner, lease_until: lease.untilMs, submitted_at: null };
      await tables
        .insertInto("draft_errands")
        .values({ draft_id: draftId, ...held })
        .onConflict((conflict) => conflict.column("draft_id").doUpdateSet(held))
        .execute();
      return "taken";
    });
  }

  /** False if another process holds it by now. */
  renew(draftId: string, { owner, untilMs }: Lease): Promise<boolean> {
    return this.#change(draftId, owner, { lease_until: untilMs });
  }

  /** The platform is about to be asked to publish the draft. False if another process holds the job by now. */
  submits(draftId: string, owner: string, atMs: number): Promise<boolean> {
    return this.#change(draftId, owner, { submitted_at: atMs });
  }

  async #change(
    draftId: string,
    owner: string,
    cells: Partial<Pick<DraftsTables["draft_errands"], "lease_until" | "submitted_at">>,
  ): Promise<boolean> {
    const rows = await this.tables
      .updateTable("draft_errands")
      .set(cells)
      .where(({ and }) => and({ draft_id: draftId, owner }))
      .returning("owner")
      .execute();
    return rows.length > 0;
  }

  async end(draftId: string, owner: string): Promise<void> {
    await this.tables
      .deleteFrom("draft_errands")
      .where(({ and }) => and({ draft_id: draftId, owner }))
      .execute();
  }
}
