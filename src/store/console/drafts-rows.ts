import type { ArticleDoc } from "../../drafts/contract/article.ts";
import type { Draft, DraftVersion, WritingCall } from "../../drafts/draft.ts";
import type { DraftChange, DraftKey, DraftsStore, SeenDraft } from "../../drafts/store.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly public_account_id: string;
  readonly articles: string;
  readonly version: number;
  readonly pushed_version: number | null;
  readonly media_id: string | null;
  readonly status: Draft["status"];
  readonly publish_id: string | null;
  readonly writing: string;
  readonly created_at: number;
  readonly updated_at: number;
}

function toDraft(row: Row): Draft {
  return {
    id: row.id,
    accountId: row.account_id,
    publicAccountId: row.public_account_id,
    articles: JSON.parse(row.articles) as readonly ArticleDoc[],
    version: row.version,
    pushedVersion: row.pushed_version,
    mediaId: row.media_id,
    status: row.status,
    publishId: row.publish_id,
    writing: JSON.parse(row.writing) as readonly WritingCall[],
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

/** What belongs to a draft and goes with it. */
export const DRAFT_TABLES = ["draft_versions", "draft_pushes", "draft_keys", "draft_errands"];

interface VersionRow {
  readonly draft_id: string;
  readonly version: number;
  readonly articles: string;
  readonly saved_by: string;
  readonly created_at: number;
}

function toVersion(row: VersionRow): DraftVersion {
  return {
    draftId: row.draft_id,
    version: row.version,
    articles: JSON.parse(row.articles) as readonly ArticleDoc[],
    by: row.saved_by,
    createdAtMs: row.created_at,
  };
}

const COLUMNS: Readonly<Record<keyof DraftChange, string>> = {
  status: "status",
  mediaId: "media_id",
  pushedVersion: "pushed_version",
  publishId: "publish_id",
  publicAccountId: "public_account_id",
};

/** Also for pushes, whose steps change the draft in the same transaction. */
export async function changeDraft(
  sql: Sql,
  id: string,
  change: DraftChange,
  atMs: number,
): Promise<void> {
  const entries = Object.entries(change) as [keyof DraftChange, SqlValue][];
  const sets = [...entries.map(([name]) => COLUMNS[name]), "updated_at"].map(
    (column, at) => `${column} = $${at + 1}`,
  );
  await sql.query(`update drafts set ${sets.join(", ")} where id = $${sets.length + 1}`, [
    ...entries.map(([, value]) => value),
    atMs,
    id,
  ]);
}

async function insertVersion(sql: Sql, version: DraftVersion): Promise<void> {
  const { draftId, by, createdAtMs } = version;
  const articles = JSON.stringify(version.articles);
  await sql.query(
    `insert into draft_versions (draft_id, version, articles, chars, saved_by, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [draftId, version.version, articles, articles.length, by, createdAtMs],
  );
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
  sql: Sql,
  publicAccountId: string,
  mediaId: string,
): Promise<Draft | undefined> {
  const [row] = await sql.query<Row>(
    "select * from drafts where media_id = $1 and public_account_id = $2 order by id limit 1",
    [mediaId, publicAccountId],
  );
  return row && toDraft(row);
}

async function refuseOverflow(sql: Sql, draftId: string, charsMax: number): Promise<void> {
  const [row] = await sql.query<{ sum: string | null }>(
    `select cast(sum(v.chars) as text) as sum
     from draft_versions v join drafts d on d.id = v.draft_id
     where d.account_id = (select account_id from drafts where id = $1)`,
    [draftId],
  );
  if (Number(row?.sum ?? 0) > charsMax) throw new Undone("full");
}

export class DraftRows implements DraftsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(
    draft: Draft,
    by: string,
    charsMax: number,
    key?: DraftKey,
  ): Promise<"added" | "key_lost" | "full"> {
    const work = this.#sql.transaction(async (sql) => {
      await this.#insert(sql, draft, by, key);
      await refuseOverflow(sql, draft.id, charsMax);
      return "added" as const;
    });
    return orUndone(work);
  }

  addFound(
    draft: Draft & { readonly mediaId: string },
    by: string,
    box: string,
    charsMax: number,
  ): Promise<Draft | "busy" | "full"> {
    const { publicAccountId, mediaId } = draft;
    const work = this.#sql.transaction(async (sql) => {
      const known = await findInBox(sql, publicAccountId, mediaId);
      if (known) return known;
      const pushes = await sql.query(
        `select id from draft_pushes
         where box = $1 and media_id = $2 and state in ('sending', 'unknown') limit 1`,
        [box, mediaId],
      );
      if (pushes.length > 0) return "busy" as const;
      await this.#insert(sql, draft, by, undefined);
      await refuseOverflow(sql, draft.id, charsMax);
      return draft;
    });
    return orUndone<Draft | "busy", "full">(work);
  }

  async #insert(sql: Sql, draft: Draft, by: string, key: DraftKey | undefined): Promise<void> {
    const { id, accountId, version, createdAtMs } = draft;
    if (key) {
      const bound = await sql.query(
        `update draft_keys set draft_id = $1, answer = $2
         where account_id = $3 and idem_key = $4 and owner = $5 and draft_id is null
         returning idem_key`,
        [id, key.answer ?? null, accountId, key.key, key.owner],
      );
      if (bound.length === 0) throw new Undone("key_lost");
    }
    await sql.query(
      `insert into drafts (id, account_id, public_account_id, articles, version, pushed_version,
         media_id, status, publish_id, writing, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        id,
        accountId,
        draft.publicAccountId,
        JSON.stringify(draft.articles),
        version,
        draft.pushedVersion,
        draft.mediaId,
        draft.status,
        draft.publishId,
        JSON.stringify(draft.writing),
        createdAtMs,
        draft.updatedAtMs,
      ],
    );
    await insertVersion(sql, { draftId: id, version, articles: draft.articles, by, createdAtMs });
  }

  async find(accountId: string, id: string): Promise<Draft | undefined> {
    const [row] = await this.#sql.query<Row>(
      "select * from drafts where account_id = $1 and id = $2",
      [accountId, id],
    );
    return row && toDraft(row);
  }

  findByMedia(publicAccountId: string, mediaId: string): Promise<Draft | undefined> {
    return findInBox(this.#sql, publicAccountId, mediaId);
  }

  async list(
    accountId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly Draft[]> {
    const rows =
      after === undefined
        ? await this.#sql.query<Row>(
            "select * from drafts where account_id = $1 order by id desc limit $2",
            [accountId, limit],
          )
        : await this.#sql.query<Row>(
            "select * from drafts where account_id = $1 and id < $2 order by id desc limit $3",
            [accountId, after, limit],
          );
    return rows.map(toDraft);
  }

  async change(id: string, change: DraftChange, atMs: number): Promise<void> {
    await changeDraft(this.#sql, id, change, atMs);
  }

  move(id: string, publicAccountId: string, atMs: number): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const rows = await sql.query(
        `update drafts set public_account_id = $1, updated_at = $2
         where id = $3 and status in ('local', 'refused') and media_id is null returning id`,
        [publicAccountId, atMs, id],
      );
      return rows.length > 0;
    });
  }

  async changeSeen(seen: SeenDraft, change: DraftChange, atMs: number): Promise<void> {
    await this.#sql.transaction(async (sql) => {
      const rows = await sql.query(
        `update drafts set updated_at = $1
         where id = $2 and status = $3 and media_id = $4 returning id`,
        [atMs, seen.id, seen.status, seen.mediaId],
      );
      if (rows.length > 0) await changeDraft(sql, seen.id, change, atMs);
    });
  }

  addWriting(id: string, calls: readonly WritingCall[]): Promise<void> {
    return this.#sql.transaction(async (sql) => {
      const [row] = await sql.query<{ writing: string }>(
        "select writing from drafts where id = $1",
        [id],
      );
      if (!row) return;
      const all = [...(JSON.parse(row.writing) as readonly WritingCall[]), ...calls];
      await sql.query("update drafts set writing = $1 where id = $2", [JSON.stringify(all), id]);
    });
  }

  saveVersion(
    version: DraftVersion,
    base: number,
    replaces: number | undefined,
    charsMax: number,
  ): Promise<"saved" | "changed" | "full"> {
    const work = this.#sql.transaction(async (sql) => {
      const saved = await sql.query(
        `update drafts set articles = $1, version = $2, updated_at = $3
         where id = $4 and version = $5 returning id`,
        [
          JSON.stringify(version.articles),
          version.version,
          version.createdAtMs,
          version.draftId,
          base,
        ],
      );
      if (saved.length === 0) return "changed" as const;
      if (replaces !== undefined) {
        await sql.query("delete from draft_versions where draft_id = $1 and version = $2", [
          version.draftId,
          replaces,
        ]);
      }
      await insertVersion(sql, version);
      await refuseOverflow(sql, version.draftId, charsMax);
      return "saved" as const;
    });
    return orUndone(work);
  }

  async versions(draftId: string, limit: number): Promise<readonly DraftVersion[]> {
    const rows = await this.#sql.query<VersionRow>(
      "select * from draft_versions where draft_id = $1 order by version desc limit $2",
      [draftId, limit],
    );
    return rows.map(toVersion);
  }

  async findVersion(draftId: string, version: number): Promise<DraftVersion | undefined> {
    const [row] = await this.#sql.query<VersionRow>(
      "select * from draft_versions where draft_id = $1 and version = $2",
      [draftId, version],
    );
    return row && toVersion(row);
  }

  async trimVersions(draftId: string, keep: number, charsMax: number): Promise<void> {
    await this.#sql.query(
      `delete from draft_versions
       where draft_id = $1 and version in (
         select version from (
           select version, row_number() over (order by version desc) as place,
             sum(chars) over (order by version desc) as total
           from draft_versions where draft_id = $1) as counted
         where place > $2 or (place > 1 and total > $3))
       and version not in (
         select pushed_version from drafts where id = $1 and pushed_version is not null)
       and version not in (select version from draft_pushes where draft_id = $1
         and state in ('planned', 'uploading', 'sending', 'unknown'))`,
      [draftId, keep, charsMax],
    );
  }

  remove(accountId: string, id: string, owner: string): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const mine = await sql.query(
        `select owner from draft_errands join drafts on drafts.id = draft_errands.draft_id
         where drafts.id = $1 and drafts.account_id = $2 and draft_errands.owner = $3`,
        [id, accountId, owner],
      );
      if (mine.length === 0) return false;
      for (const table of DRAFT_TABLES) {
        await sql.query(`delete from ${table} where draft_id = $1`, [id]);
      }
      await sql.query("delete from drafts where id = $1", [id]);
      return true;
    });
  }
}
