import type { Refusal } from "../../drafts/contract/push.ts";
import type { Push, Receipt } from "../../drafts/draft.ts";
import type { DraftChange, Lease, PushesStore, PushStep } from "../../drafts/store.ts";
import type { Sql, SqlValue } from "../../lib/sql/sql.ts";
import { endErrand, hasErrand } from "./drafts-errands.ts";
import { changeDraft } from "./drafts-rows.ts";

interface Row {
  readonly id: string;
  readonly account_id: string;
  readonly draft_id: string;
  readonly public_account_id: string;
  readonly kind: Push["kind"];
  readonly version: number;
  readonly state: Push["state"];
  readonly request: string | null;
  readonly ends: number;
  readonly sends: number;
  readonly sent_at: number | null;
  readonly media_id: string | null;
  readonly refusal: string | null;
  readonly doubt: string | null;
  readonly receipt: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function toPush(row: Row): Push {
  return {
    id: row.id,
    accountId: row.account_id,
    draftId: row.draft_id,
    publicAccountId: row.public_account_id,
    kind: row.kind,
    version: row.version,
    state: row.state,
    request: row.request,
    ends: row.ends,
    sends: row.sends,
    sentAtMs: row.sent_at,
    mediaId: row.media_id,
    refusal: row.refusal === null ? null : (JSON.parse(row.refusal) as Refusal),
    doubt: row.doubt,
    receipt: row.receipt === null ? null : (JSON.parse(row.receipt) as Receipt),
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
  };
}

const NEWEST_FIRST = "order by created_at desc, id desc";
const OPEN = "state in ('planned', 'uploading', 'sending', 'unknown')";
/** Something may be in the box of it, and its draft does not have it yet. */
const SENT = "state in ('sending', 'unknown')";
const RUNNING = "state in ('planned', 'uploading', 'sending')";

const COLUMNS: Readonly<Record<keyof PushStep, string>> = {
  state: "state",
  version: "version",
  request: "request",
  ends: "ends",
  sends: "sends",
  sentAtMs: "sent_at",
  mediaId: "media_id",
  refusal: "refusal",
  doubt: "doubt",
  receipt: "receipt",
  fingerprint: "fingerprint",
};

/** Steps are few members of a push; what is an object is kept as JSON. */
function cellsOf(step: PushStep): { readonly columns: string[]; readonly values: SqlValue[] } {
  const entries = Object.entries(step) as [keyof PushStep, PushStep[keyof PushStep]][];
  return {
    columns: entries.map(([name]) => COLUMNS[name]),
    values: entries.map(([, value]) =>
      typeof value === "object" && value !== null ? JSON.stringify(value) : (value ?? null),
    ),
  };
}

/** A twin of it may come into the box long after it was over. */
const SENT_TWICE = "kind = 'add' and sends > 1";

/** What was sent is read again while it is on its way, as the last that was stored, and for its twins. */
async function forgetRequests(sql: Sql, draftId: string): Promise<void> {
  await sql.query(
    `update draft_pushes set request = null
     where draft_id = $1 and request is not null and id not in (
       select id from draft_pushes where draft_id = $1 and state = 'done'
       ${NEWEST_FIRST} limit 1)
     and id not in (
       select id from draft_pushes where draft_id = $1 and ${SENT_TWICE}
       ${NEWEST_FIRST} limit 1)`,
    [draftId],
  );
}

export class PushRows implements PushesStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(
    push: Push,
    box: string,
    lease: Lease,
    after: string | undefined,
    mediaId: string | null = null,
  ): Promise<"added" | "busy" | "stale"> {
    return this.#sql.transaction(async (sql) => {
      const [draft] = await sql.query<{ media_id: string | null }>(
        "select media_id from drafts where id = $1 and account_id = $2 and public_account_id = $3",
        [push.draftId, push.accountId, push.publicAccountId],
      );
      if (!draft) return "stale";
      if (await hasErrand(sql, push.draftId, push.createdAtMs)) return "busy";
      const open = await sql.query(
        `select id from draft_pushes where draft_id = $1 and ${OPEN} limit 1`,
        [push.draftId],
      );
      const [latest] = await sql.query<{ id: string; created_at: number }>(
        `select id, created_at from draft_pushes where draft_id = $1 ${NEWEST_FIRST} limit 1`,
        [push.draftId],
      );
      if (open.length > 0 || latest?.id !== after) return "busy";
      if (draft.media_id !== mediaId) return "stale";
      // The latest is the one that was added last, whatever the clocks of two machines say.
      const createdAt = Math.max(push.createdAtMs, (latest?.created_at ?? 0) + 1);
      await endErrand(sql, push.draftId);
      await forgetRequests(sql, push.draftId);
      await sql.query(
        `insert into draft_pushes (id, account_id, draft_id, public_account_id, box, kind, version,
           state, sends, owner, lease_until, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, 'planned', 0, $8, $9, $10, $11)`,
        [
          push.id,
          push.accountId,
          push.draftId,
          push.publicAccountId,
          box,
          push.kind,
          push.version,
          lease.owner,
          lease.untilMs,
          createdAt,
          push.createdAtMs,
        ],
      );
      await changeDraft(sql, push.draftId, { status: "pushing" }, push.createdAtMs);
      return "added";
    });
  }

  async #select(rest: string, params: readonly SqlValue[]): Promise<readonly Push[]> {
    return (await this.#sql.query<Row>(`select * from draft_pushes ${rest}`, params)).map(toPush);
  }

  async find(id: string): Promise<Push | undefined> {
    return (await this.#select("where id = $1", [id]))[0];
  }

  async latest(draftId: string): Promise<Push | undefined> {
    return (await this.list(draftId, 1))[0];
  }

  list(draftId: string, limit: number): Promise<readonly Push[]> {
    return this.#select(`where draft_id = $1 ${NEWEST_FIRST} limit $2`, [draftId, limit]);
  }

  take(id: string, lease: Lease, nowMs: number): Promise<Push | undefined> {
    return this.#sql.transaction(async (sql) => {
      const [push] = await sql.query<{ draft_id: string }>(
        `select draft_id from draft_pushes where id = $1 and lease_until <= $2 and ${OPEN}`,
        [id, nowMs],
      );
      if (!push || (await hasErrand(sql, push.draft_id, nowMs))) return undefined;
      await endErrand(sql, push.draft_id);
      const [row] = await sql.query<Row>(
        `update draft_pushes set owner = $1, lease_until = $2, updated_at = $3
         where id = $4 returning *`,
        [lease.owner, lease.untilMs, nowMs, id],
      );
      return row && toPush(row);
    });
  }

  step(
    push: Push,
    step: PushStep,
    lease: Lease,
    atMs: number,
    draft?: DraftChange,
  ): Promise<"done" | "lost" | "busy"> {
    return this.#sql.transaction(async (sql) => {
      if (step.fingerprint !== undefined && (await isBusy(sql, push.id, step.fingerprint))) {
        return "busy";
      }
      const { columns, values } = cellsOf(step);
      const sets = [...columns, "lease_until", "updated_at"].map(
        (name, at) => `${name} = $${at + 1}`,
      );
      const place = sets.length;
      const rows = await sql.query(
        `update draft_pushes set ${sets.join(", ")}
         where id = $${place + 1} and owner = $${place + 2} returning id`,
        [...values, lease.untilMs, atMs, push.id, lease.owner],
      );
      if (rows.length === 0) return "lost";
      if (draft) await changeDraft(sql, push.draftId, draft, atMs);
      return "done";
    });
  }

  async release(id: string, owner: string): Promise<void> {
    await this.#sql.query(
      "update draft_pushes set lease_until = 0, owner = null where id = $1 and owner = $2",
      [id, owner],
    );
  }

  async listAbandoned(nowMs: number, limit: number): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ id: string }>(
      `select id from draft_pushes where ${RUNNING} and lease_until <= $1 order by id limit $2`,
      [nowMs, limit],
    );
    return rows.map(({ id }) => id);
  }

  async latestSentTwice(draftId: string): Promise<Push | undefined> {
    const rest = `where draft_id = $1 and ${SENT_TWICE} ${NEWEST_FIRST} limit 1`;
    return (await this.#select(rest, [draftId]))[0];
  }

  async listSent(box: string): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ id: string }>(
      `select id from draft_pushes where box = $1 and kind = 'add' and ${SENT} order by id`,
      [box],
    );
    return rows.map(({ id }) => id);
  }

  async added(draftId: string): Promise<readonly string[]> {
    const rows = await this.#sql.query<{ media_id: string }>(
      `select distinct media_id from draft_pushes
       where draft_id = $1 and kind = 'add' and media_id is not null and not exists (
         select 1 from drafts
         join public_accounts on public_accounts.id = drafts.public_account_id
         where drafts.media_id = draft_pushes.media_id and drafts.id <> draft_pushes.draft_id
           and coalesce(public_accounts.platform_url, 'built-in') || ' ' || public_accounts.appid
             = draft_pushes.box)`,
      [draftId],
    );
    return rows.map(({ media_id }) => media_id);
  }

  async claimed(
    box: string,
    mediaIds: readonly string[],
    except: { readonly pushId: string; readonly draftId: string },
  ): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const mediaId of mediaIds) {
      const rows = await this.#sql.query(
        `select 1 as found from draft_pushes where box = $1 and media_id = $2 and id <> $3
         union all
         select 1 from drafts join public_accounts on public_accounts.id = drafts.public_account_id
         where drafts.media_id = $4 and drafts.id <> $5
           and coalesce(public_accounts.platform_url, 'built-in') || ' ' || public_accounts.appid
             = $6`,
        [box, mediaId, except.pushId, mediaId, except.draftId, box],
      );
      if (rows.length > 0) found.add(mediaId);
    }
    return found;
  }
}

/** Whether another push of the same words to the same box is not over. */
async function isBusy(sql: Sql, pushId: string, fingerprint: string): Promise<boolean> {
  const rows = await sql.query(
    `select other.id from draft_pushes as mine
     join draft_pushes as other on other.box = mine.box and other.id <> mine.id
     where mine.id = $1 and mine.kind = 'add' and other.kind = 'add' and other.fingerprint = $2
       and other.state in ('sending', 'unknown') limit 1`,
    [pushId, fingerprint],
  );
  return rows.length > 0;
}
