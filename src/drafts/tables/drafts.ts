import type { Kysely, Selection } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { DraftAuditRecord } from "../audit-record.ts";
import type { Draft, DraftLine, DraftVersion, WritingCall } from "../draft.ts";
import { addAuditRecord } from "./audit-outbox.ts";
import { listDrafts } from "./draft-lines.ts";
import { charsOfAccount, forgetVersion, insertVersion } from "./draft-versions.ts";
import type { DraftKey } from "./keys.ts";
import { DRAFT_TABLES, type DraftsTables, SENT } from "./schema.ts";

type Tables = Kysely<DraftsTables>;

/** A draft as it was when the platform was asked about it. */
type SeenDraft = Pick<Draft, "id" | "status" | "mediaId">;

/** What of a draft changes beside its articles; absent members stay. */
export type DraftChange = Partial<
  Pick<
    Draft,
    "status" | "mediaId" | "pushedVersion" | "publishId" | "publishDoubtUntilMs" | "publicAccountId"
  >
>;

const COLUMNS = [
  ...["id", "account_id as accountId", "public_account_id as publicAccountId", "articles"],
  ...["version", "pushed_version as pushedVersion", "media_id as mediaId", "status", "writing"],
  ...["publish_id as publishId", "publish_doubt_until as publishDoubtUntilMs"],
  ...["created_at as createdAtMs", "updated_at as updatedAtMs"],
] as const;
type Row = Selection<DraftsTables, "drafts", (typeof COLUMNS)[number]>;
function toDraft(row: Row): Draft {
  return { ...row, articles: JSON.parse(row.articles), writing: JSON.parse(row.writing) };
}

/** Also for pushes, whose steps change the draft in the same transaction. */
export async function changeDraft(
  tables: Tables,
  id: string,
  change: DraftChange,
  atMs: number,
): Promise<void> {
  const { status, mediaId, pushedVersion, publishId, publicAccountId } = change;
  await tables
    .updateTable("drafts")
    .set({ status, media_id: mediaId, pushed_version: pushedVersion, publish_id: publishId })
    .set({ public_account_id: publicAccountId, updated_at: atMs })
    .set({ publish_doubt_until: change.publishDoubtUntilMs })
    .where("id", "=", id)
    .execute();
}

/** Leaves the transaction, with nothing done. */
class Undone<T extends string> extends Error {
  readonly why: T;

  constructor(why: T) {
    super(why);
    this.why = why;
  }
}

/** What the work comes to, or why nothing was done. */
async function orUndone<T, W extends string>(work: Promise<T>): Promise<T | W> {
  try {
    return await work;
  } catch (thrown) {
    if (thrown instanceof Undone) return thrown.why as W;
    throw thrown;
  }
}

async function findInBox(
  tables: Tables,
  publicAccountId: string,
  mediaId: string,
): Promise<Draft | undefined> {
  const row = await tables
    .selectFrom("drafts")
    .select(COLUMNS)
    .where(({ and }) => and({ media_id: mediaId, public_account_id: publicAccountId }))
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toDraft(row);
}

async function refuseOverflow(tables: Tables, accountId: string, charsMax: number): Promise<void> {
  if ((await charsOfAccount(tables, accountId)) > charsMax) throw new Undone("full");
}

async function insertDraft(
  tables: Tables,
  draft: Draft,
  by: string,
  key: DraftKey | undefined,
): Promise<void> {
  const { id, accountId, articles, version, status, createdAtMs } = draft;
  if (key) {
    const bound = await tables
      .updateTable("draft_keys")
      .set({ draft_id: id, answer: key.answer ?? null })
      .where(({ and }) => and({ account_id: accountId, idem_key: key.key, owner: key.owner }))
      .where("draft_id", "is", null)
      .returning("idem_key")
      .execute();
    if (bound.length === 0) throw new Undone("key_lost");
  }
  await tables
    .insertInto("drafts")
    .values({
      ...{ id, account_id: accountId, public_account_id: draft.publicAccountId, version, status },
      articles: JSON.stringify(articles),
      pushed_version: draft.pushedVersion,
      media_id: draft.mediaId,
      publish_id: draft.publishId,
      writing: JSON.stringify(draft.writing),
      created_at: createdAtMs,
      updated_at: draft.updatedAtMs,
    })
    .execute();
  await insertVersion(tables, { draftId: id, version, articles, by, createdAtMs });
}

async function moveDraft(
  tables: Tables,
  id: string,
  publicAccountId: string,
  atMs: number,
): Promise<boolean> {
  const rows = await tables
    .updateTable("drafts")
    .set({ public_account_id: publicAccountId, updated_at: atMs })
    .where("id", "=", id)
    .where("status", "in", ["local", "refused"])
    .where("media_id", "is", null)
    .returning("id")
    .execute();
  return rows.length > 0;
}

export class DraftRows extends Rows<DraftsTables> {
  /**
   * The draft and its first version, and where there is a key, the two bound together. Nothing has
   * happened when the key is somebody else's by now, or when the account's drafts, with all of their
   * versions, would be more than `charsMax`.
   */
  add(
    draft: Draft,
    by: string,
    charsMax: number,
    key?: DraftKey,
  ): Promise<"added" | "key_lost" | "full"> {
    const work = this.tables.atomically(async (tables) => {
      await insertDraft(tables, draft, by, key);
      await refuseOverflow(tables, draft.accountId, charsMax);
      return "added" as const;
    });
    return orUndone(work);
  }

  /**
   * A draft that was found in a box, with its media id. The one that has this media id already where
   * there is one; "busy" when a push has found it and is not over; "full" as with an add.
   */
  addFound(
    draft: Draft & { readonly mediaId: string },
    by: string,
    box: string,
    charsMax: number,
  ): Promise<Draft | "busy" | "full"> {
    const { publicAccountId, mediaId } = draft;
    const work = this.tables.atomically(async (tables) => {
      const known = await findInBox(tables, publicAccountId, mediaId);
      if (known) return known;
      const pushes = await tables
        .selectFrom("draft_pushes")
        .select("id")
        .where(({ and }) => and({ box, media_id: mediaId }))
        .where("state", "in", SENT)
        .limit(1)
        .execute();
      if (pushes.length > 0) return "busy" as const;
      await insertDraft(tables, draft, by, undefined);
      await refuseOverflow(tables, draft.accountId, charsMax);
      return draft;
    });
    return orUndone<Draft | "busy", "full">(work);
  }

  async find(accountId: string, id: string): Promise<Draft | undefined> {
    const row = await this.#ofAccount(accountId).where("id", "=", id).executeTakeFirst();
    return row && toDraft(row);
  }

  findByMedia(publicAccountId: string, mediaId: string): Promise<Draft | undefined> {
    return findInBox(this.tables, publicAccountId, mediaId);
  }

  /** Newest first; `after` is the last id of the page before. */
  list(accountId: string, after: string | undefined, limit: number): Promise<readonly DraftLine[]> {
    return listDrafts(this.tables, accountId, after, limit);
  }

  change(id: string, change: DraftChange, atMs: number): Promise<void> {
    return changeDraft(this.tables, id, change, atMs);
  }

  /** To another public account. False for one that is in a box, on its way there, or may be. */
  move(id: string, publicAccountId: string, atMs: number): Promise<boolean> {
    return moveDraft(this.tables, id, publicAccountId, atMs);
  }

  /**
   * What was found out about a draft in a box, if that is still what lies there and nobody pushes it. What was done to
   * find it out is kept in any case.
   */
  async changeSeen(
    seen: SeenDraft,
    change: DraftChange,
    atMs: number,
    record?: DraftAuditRecord,
  ): Promise<void> {
    await this.tables.atomically(async (tables) => {
      if (record) await addAuditRecord(tables, record);
      const rows = await tables
        .updateTable("drafts")
        .set({ updated_at: atMs })
        .where("id", "=", seen.id)
        .where("status", "=", seen.status)
        .where("media_id", "=", seen.mediaId)
        .returning("id")
        .execute();
      if (rows.length > 0) await changeDraft(tables, seen.id, change, atMs);
    });
  }

  /** Calls of a model that were made for a draft that is there already. Those that it has are not there twice. */
  addWriting(id: string, calls: readonly WritingCall[]): Promise<void> {
    return this.tables.atomically(async (tables) => {
      const row = await tables
        .selectFrom("drafts")
        .select("writing")
        .where("id", "=", id)
        .executeTakeFirst();
      if (!row) return;
      const before: readonly WritingCall[] = JSON.parse(row.writing);
      const known = new Set(before.map(({ requestId }) => requestId));
      const more = calls.filter(({ requestId }) => !known.has(requestId));
      await tables
        .updateTable("drafts")
        .set({ writing: JSON.stringify([...before, ...more]) })
        .where("id", "=", id)
        .execute();
    });
  }

  /**
   * A new version. `replaces` is an earlier one that is not kept, unless it is on its way. "changed" when the draft is not at
   * `base` any more, "full" as with an add. `to` is another public account that it goes to with that; "placed" where it
   * cannot.
   */
  saveVersion(
    version: DraftVersion,
    base: number,
    replaces: number | undefined,
    charsMax: number,
    to?: string,
  ): Promise<"saved" | "changed" | "full" | "placed"> {
    const { draftId, createdAtMs } = version;
    const work = this.tables.atomically(async (tables) => {
      const saved = await tables
        .updateTable("drafts")
        .set({ articles: JSON.stringify(version.articles), version: version.version })
        .set({ updated_at: createdAtMs })
        .where(({ and }) => and({ id: draftId, version: base }))
        .returning("account_id as accountId")
        .executeTakeFirst();
      if (!saved) return "changed" as const;
      const isPlaced = to !== undefined && !(await moveDraft(tables, draftId, to, createdAtMs));
      if (isPlaced) throw new Undone("placed");
      if (replaces !== undefined) await forgetVersion(tables, draftId, replaces);
      await insertVersion(tables, version);
      await refuseOverflow(tables, saved.accountId, charsMax);
      return "saved" as const;
    });
    return orUndone(work);
  }

  /** With all that belongs to it, but for what was done. False if this owner no longer holds the exclusive job. */
  remove(
    accountId: string,
    id: string,
    owner: string,
    record?: DraftAuditRecord,
  ): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      const mine = await tables
        .selectFrom("draft_errands")
        .innerJoin("drafts", "drafts.id", "draft_errands.draft_id")
        .select("owner")
        .where(({ and }) => and({ "drafts.id": id, account_id: accountId, owner }))
        .execute();
      if (mine.length === 0) return false;
      for (const table of DRAFT_TABLES) {
        await tables.deleteFrom(table).where("draft_id", "=", id).execute();
      }
      await tables.deleteFrom("drafts").where("id", "=", id).execute();
      if (record) await addAuditRecord(tables, record);
      return true;
    });
  }

  #ofAccount(accountId: string) {
    return this.tables.selectFrom("drafts").select(COLUMNS).where("account_id", "=", accountId);
  }
}
