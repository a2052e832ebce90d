import { type Expression, type Kysely, type NotNull, sql as raw, type Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { DoneBy, DraftAuditRecord } from "../audit-record.ts";
import type { Draft, Push } from "../draft.ts";
import { addAuditRecord } from "./audit-outbox.ts";
import { keepVersion, type SaidByVersion } from "./draft-versions.ts";
import { changeDraft, type DraftChange } from "./drafts.ts";
import {
  endExclusiveJob,
  hasExclusiveJob,
  isLeaseOver,
  type Lease,
  noteLeft,
} from "./exclusive-jobs.ts";
import { ADD, type DraftsTables, OPEN, RUNNING, SENT } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** What changes in a push with a step; absent members stay. */
export type PushStep = Partial<
  Omit<
    Push,
    | "id"
    | "accountId"
    | "draftId"
    | "publicAccountId"
    | "kind"
    | "version"
    | "by"
    | "createdAtMs"
    | "updatedAtMs"
  >
> & {
  /** Another version that it is to bring. What that says is kept with it. */
  readonly meant?: SaidByVersion;
  /** What the box is searched by; two pushes with one fingerprint are never sent at once. */
  readonly fingerprint?: string;
  /** What was done with it, for the audit log. */
  readonly record?: DraftAuditRecord | undefined;
};

const COLUMNS = [
  ...["id", "account_id as accountId", "draft_id as draftId", "kind", "version", "state"],
  ...["public_account_id as publicAccountId", "request", "ends", "sends", "sent_at as sentAtMs"],
  ...["media_id as mediaId", "refusal", "doubt", "receipt", "created_at as createdAtMs"],
  ...["begun_by as by", "updated_at as updatedAtMs"],
] as const;

type Row = Selection<DraftsTables, "draft_pushes", (typeof COLUMNS)[number]>;

function toPush(row: Row): Push {
  return {
    ...row,
    refusal: row.refusal === null ? null : JSON.parse(row.refusal),
    receipt: row.receipt === null ? null : JSON.parse(row.receipt),
    by: row.by === null ? undefined : JSON.parse(row.by),
  };
}

/** Steps are few members of a push; what is an object is kept as JSON. */
function columnsOf(taken: PushStep) {
  const { sentAtMs, mediaId, refusal, receipt, meant, record: _record, ...step } = taken;
  return {
    ...step,
    version: meant?.version,
    sent_at: sentAtMs,
    media_id: mediaId,
    refusal: refusal && JSON.stringify(refusal),
    receipt: receipt && JSON.stringify(receipt),
  };
}

/** Newest first. */
function ofDraft(tables: Tables, draftId: string) {
  return tables
    .selectFrom("draft_pushes")
    .where("draft_id", "=", draftId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
}

/** A twin of one that was sent twice may come into the box long after it was over. */
function sentTwice(tables: Tables, draftId: string) {
  return ofDraft(tables, draftId).where("kind", "=", ADD).where("sends", ">", 1).limit(1);
}

/** What was sent is read again while it is on its way, as the last that was stored, and for its twins. */
async function forgetRequests(tables: Tables, draftId: string): Promise<void> {
  const stored = ofDraft(tables, draftId).where("state", "=", "done").limit(1);
  await tables
    .updateTable("draft_pushes")
    .set({ request: null })
    .where("draft_id", "=", draftId)
    .where("request", "is not", null)
    .where("id", "not in", stored.select("id"))
    .where("id", "not in", sentTwice(tables, draftId).select("id"))
    .execute();
}

/** Whether another push of the same words to the same box is not over. */
async function isBusy(tables: Tables, pushId: string, fingerprint: string): Promise<boolean> {
  const rows = await tables
    .selectFrom("draft_pushes as mine")
    .innerJoin("draft_pushes as other", (join) =>
      join.onRef("other.box", "=", "mine.box").onRef("other.id", "<>", "mine.id"),
    )
    .select("other.id")
    .where("mine.id", "=", pushId)
    .where("mine.kind", "=", ADD)
    .where("other.kind", "=", ADD)
    .where("other.fingerprint", "=", fingerprint)
    .where("other.state", "in", SENT)
    .limit(1)
    .execute();
  return rows.length > 0;
}

/** The box of a public account, in the words in which pushes name it. */
function boxOf(url: Expression<string | null>, appid: Expression<string>) {
  return raw<string>`coalesce(${url}, 'built-in') || ' ' || ${appid}`;
}

export class PushRows extends Rows<DraftsTables> {
  /**
   * Also marks the draft as on its way. "busy" when the draft has a push that is not over, or any that
   * came after the one of the id `after`, which was the latest when the draft was read, or an exclusive job
   * is done with it; "stale" when it is gone, belongs to another public account by now, or does not lie
   * any more where it lay when it was read (`mediaId`; absent for one that was in no box), or may be published. What is to be brought is
   * kept with it (`articles`), though something else was saved since it was read.
   */
  add(
    push: Push,
    box: string,
    lease: Lease,
    after: string | undefined,
    { mediaId = null, articles }: Partial<Pick<Draft, "mediaId" | "articles">> = {},
  ): Promise<"added" | "busy" | "stale"> {
    const { id, accountId, draftId, publicAccountId, kind, version, by, createdAtMs } = push;
    const its = { account_id: accountId, public_account_id: publicAccountId };
    return this.tables.atomically(async (tables) => {
      const draft = await tables
        .selectFrom("drafts")
        .select("media_id")
        .where(({ and }) => and({ id: draftId, ...its }))
        .executeTakeFirst();
      if (!draft) return "stale";
      if (await hasExclusiveJob(tables, draftId, createdAtMs)) return "busy";
      const open = await tables
        .selectFrom("draft_pushes")
        .select("id")
        .where("draft_id", "=", draftId)
        .where("state", "in", OPEN)
        .limit(1)
        .execute();
      const latest = await ofDraft(tables, draftId)
        .select(["id", "created_at"])
        .limit(1)
        .executeTakeFirst();
      if (open.length > 0 || latest?.id !== after) return "busy";
      if (draft.media_id !== mediaId) return "stale";
      // What may be published by now is not replaced.
      if (kind === "update" && (await noteLeft(tables, draftId))) return "stale";
      await endExclusiveJob(tables, draftId);
      await forgetRequests(tables, draftId);
      await tables
        .insertInto("draft_pushes")
        .values({
          ...{ id, draft_id: draftId, ...its, box, kind, version, state: "planned", sends: 0 },
          ...{ owner: lease.owner, lease_until: lease.untilMs, begun_by: by && JSON.stringify(by) },
          // The latest is the one that was added last, whatever the clocks of two machines say.
          created_at: Math.max(createdAtMs, (latest?.created_at ?? 0) + 1),
          updated_at: createdAtMs,
        })
        .execute();
      await changeDraft(tables, draftId, { status: "pushing" }, createdAtMs);
      if (articles) await keepVersion(tables, draftId, { version, articles });
      return "added";
    });
  }

  async find(id: string): Promise<Push | undefined> {
    const row = await this.tables
      .selectFrom("draft_pushes")
      .select(COLUMNS)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && toPush(row);
  }

  async latest(draftId: string): Promise<Push | undefined> {
    return (await this.list(draftId, 1))[0];
  }

  /** Newest first. */
  async list(draftId: string, limit: number): Promise<readonly Push[]> {
    const rows = await ofDraft(this.tables, draftId).select(COLUMNS).limit(limit).execute();
    return rows.map(toPush);
  }

  /** The newest that was sent more than once to add it; what was sent is kept with it. */
  async latestSentTwice(draftId: string): Promise<Push | undefined> {
    const row = await sentTwice(this.tables, draftId).select(COLUMNS).executeTakeFirst();
    return row && toPush(row);
  }

  /**
   * Takes a push that nobody holds, as it was left. Undefined when somebody does, or it is over, or an
   * exclusive job is on. One in doubt is made again, by whoever wishes that (`by`); any other is the work of who began it.
   */
  take(id: string, lease: Lease, nowMs: number, by?: DoneBy): Promise<Push | undefined> {
    return this.tables.atomically(async (tables) => {
      const push = await tables
        .selectFrom("draft_pushes")
        .select(COLUMNS)
        .where("id", "=", id)
        .where(isLeaseOver(nowMs))
        .where("state", "in", OPEN)
        .executeTakeFirst();
      if (!push || (await hasExclusiveJob(tables, push.draftId, nowMs))) return undefined;
      await endExclusiveJob(tables, push.draftId);
      const begunBy = by && push.state === "unknown" ? JSON.stringify(by) : push.by;
      await tables
        .updateTable("draft_pushes")
        .set({ owner: lease.owner, lease_until: lease.untilMs, updated_at: nowMs })
        .set({ begun_by: begunBy })
        .where("id", "=", id)
        .execute();
      return toPush({ ...push, by: begunBy });
    });
  }

  /**
   * Writes a step, and with it what it means for the draft. "lost" when the lease is somebody
   * else's by now; "busy" when another push with the same fingerprint is being sent to the same box,
   * or waits there with an unknown outcome.
   */
  step(
    push: Push,
    step: PushStep,
    lease: Lease,
    atMs: number,
    draft?: DraftChange,
  ): Promise<"done" | "lost" | "busy"> {
    return this.tables.atomically(async (tables) => {
      if (step.fingerprint !== undefined && (await isBusy(tables, push.id, step.fingerprint))) {
        return "busy";
      }
      const rows = await tables
        .updateTable("draft_pushes")
        .set({ ...columnsOf(step), lease_until: lease.untilMs, updated_at: atMs })
        .where(({ and }) => and({ id: push.id, owner: lease.owner }))
        .returning("id")
        .execute();
      if (rows.length === 0) return "lost";
      const { meant, record } = step;
      if (record) await addAuditRecord(tables, record);
      if (draft || meant) await changeDraft(tables, push.draftId, draft ?? {}, atMs);
      if (meant) await keepVersion(tables, push.draftId, meant);
      return "done";
    });
  }

  async release(id: string, owner: string): Promise<void> {
    await this.tables
      .updateTable("draft_pushes")
      .set({ lease_until: 0, owner: null })
      .where(({ and }) => and({ id, owner }))
      .execute();
  }

  /** Pushes that a dead process has left between two steps. */
  async listAbandoned(nowMs: number, limit: number): Promise<readonly string[]> {
    const rows = await this.tables
      .selectFrom("draft_pushes")
      .select("id")
      .where("state", "in", RUNNING)
      .where(isLeaseOver(nowMs))
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Pushes that may have put something into the box of which nobody was told yet. */
  async listSent(box: string): Promise<readonly string[]> {
    const rows = await this.tables
      .selectFrom("draft_pushes")
      .select("id")
      .where(({ and }) => and({ box, kind: ADD }))
      .where("state", "in", SENT)
      .orderBy("id")
      .execute();
    return rows.map(({ id }) => id);
  }

  /** What pushes of this draft have put into the box over time, less what is another draft's now. */
  async added(draftId: string): Promise<readonly string[]> {
    const rows = await this.tables
      .selectFrom("draft_pushes as push")
      .select("push.media_id")
      .distinct()
      .where(({ and }) => and({ "push.draft_id": draftId, "push.kind": ADD }))
      .where("push.media_id", "is not", null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("drafts")
              .innerJoin("public_accounts as place", "place.id", "drafts.public_account_id")
              .select("drafts.id")
              .whereRef("drafts.media_id", "=", "push.media_id")
              .whereRef("drafts.id", "<>", "push.draft_id")
              .where(
                ({ ref }) => boxOf(ref("place.platform_url"), ref("place.appid")),
                "=",
                ({ ref }) => ref("push.box"),
              ),
          ),
        ),
      )
      .$narrowType<{ media_id: NotNull }>()
      .execute();
    return rows.map(({ media_id }) => media_id);
  }

  /** Which of these drafts of a box belong to another push, or to another draft of ours. */
  async claimed(
    box: string,
    mediaIds: readonly string[],
    except: { readonly pushId: string; readonly draftId: string },
  ): Promise<ReadonlySet<string>> {
    if (mediaIds.length === 0) return new Set();
    const rows = await this.tables
      .selectFrom("draft_pushes")
      .select("media_id")
      .where("box", "=", box)
      .where("media_id", "in", mediaIds)
      .where("id", "<>", except.pushId)
      .unionAll(({ selectFrom }) =>
        selectFrom("drafts")
          .innerJoin("public_accounts as place", "place.id", "drafts.public_account_id")
          .select("drafts.media_id")
          .where("drafts.media_id", "in", mediaIds)
          .where("drafts.id", "<>", except.draftId)
          .where(({ ref }) => boxOf(ref("place.platform_url"), ref("place.appid")), "=", box),
      )
      .$narrowType<{ media_id: NotNull }>()
      .execute();
    return new Set(rows.map(({ media_id }) => media_id));
  }
}
