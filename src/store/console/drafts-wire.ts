import type {
  StoredToken,
  TokenKey,
  TokensStore,
  UploadedFile,
  UploadKey,
  UploadsStore,
} from "../../drafts/store.ts";
import type { Sql } from "../../lib/sql/sql.ts";

export class TokenRows implements TokensStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find({ box, appid, secretSum }: TokenKey): Promise<StoredToken | undefined> {
    const [row] = await this.#sql.query<{
      readonly sealed: string | null;
      readonly sum: string | null;
      readonly refresh_at: number;
    }>(
      `select sealed, sum, refresh_at from draft_tokens
       where box = $1 and appid = $2 and secret_sum = $3`,
      [box, appid, secretSum],
    );
    if (!row || row.sealed === null || row.sum === null) return undefined;
    return { sealed: row.sealed, sum: row.sum, refreshAtMs: row.refresh_at };
  }

  async takeTurn(
    { box, appid, secretSum }: TokenKey,
    owner: string,
    nowMs: number,
    untilMs: number,
  ): Promise<boolean> {
    const rows = await this.#sql.query(
      `insert into draft_tokens (box, appid, secret_sum, refresh_at, turn_owner, turn_until)
       values ($1, $2, $3, 0, $4, $5)
       on conflict (box, appid, secret_sum)
       do update set turn_owner = excluded.turn_owner, turn_until = excluded.turn_until
       where draft_tokens.turn_until <= $6 and draft_tokens.refresh_at <= $7 returning box`,
      [box, appid, secretSum, owner, untilMs, nowMs, nowMs],
    );
    return rows.length === 1;
  }

  async renewTurn(
    { box, appid, secretSum }: TokenKey,
    owner: string,
    untilMs: number,
  ): Promise<boolean> {
    const rows = await this.#sql.query(
      `update draft_tokens set turn_until = $1
       where box = $2 and appid = $3 and secret_sum = $4 and turn_owner = $5 returning box`,
      [untilMs, box, appid, secretSum, owner],
    );
    return rows.length === 1;
  }

  async save(
    { box, appid, secretSum }: TokenKey,
    owner: string,
    { sealed, sum, refreshAtMs }: StoredToken,
  ): Promise<void> {
    await this.#sql.query(
      `update draft_tokens set sealed = $1, sum = $2, refresh_at = $3, turn_owner = null,
         turn_until = 0
       where box = $4 and appid = $5 and secret_sum = $6 and turn_owner = $7`,
      [sealed, sum, Math.floor(refreshAtMs), box, appid, secretSum, owner],
    );
  }

  async endTurn({ box, appid, secretSum }: TokenKey, owner: string): Promise<void> {
    await this.#sql.query(
      `update draft_tokens set turn_owner = null, turn_until = 0
       where box = $1 and appid = $2 and secret_sum = $3 and turn_owner = $4`,
      [box, appid, secretSum, owner],
    );
  }

  async drop({ box, appid, secretSum }: TokenKey, sum: string): Promise<void> {
    await this.#sql.query(
      `update draft_tokens set sealed = null, sum = null, refresh_at = 0
       where box = $1 and appid = $2 and secret_sum = $3 and sum = $4`,
      [box, appid, secretSum, sum],
    );
  }
}

export class UploadRows implements UploadsStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async find({ box, appid, use, sha256 }: UploadKey): Promise<UploadedFile | undefined> {
    const [row] = await this.#sql.query<{ media_id: string | null; url: string | null }>(
      `select media_id, url from draft_uploads
       where box = $1 and appid = $2 and used_for = $3 and sha256 = $4`,
      [box, appid, use, sha256],
    );
    return row && { mediaId: row.media_id, url: row.url };
  }

  async save(
    { box, appid, use, sha256 }: UploadKey,
    { mediaId, url }: UploadedFile,
    atMs: number,
  ): Promise<void> {
    await this.#sql.query(
      `insert into draft_uploads (box, appid, used_for, sha256, media_id, url, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (box, appid, used_for, sha256)
       do update set media_id = excluded.media_id, url = excluded.url`,
      [box, appid, use, sha256, mediaId, url, atMs],
    );
  }

  async forget(box: string, appid: string, mediaIds: readonly string[]): Promise<void> {
    for (const mediaId of mediaIds) {
      await this.#sql.query(
        "delete from draft_uploads where box = $1 and appid = $2 and media_id = $3",
        [box, appid, mediaId],
      );
    }
  }
}
