import type { Sql } from "../../lib/sql/sql.ts";
import type { MediaType, StoredMedia } from "../../platform/media/media.ts";
import type { MediaStore } from "../../platform/media/store.ts";

interface MediaRow {
  readonly media_id: string;
  readonly appid: string;
  readonly keeping: StoredMedia["keeping"];
  readonly type: MediaType;
  readonly file_name: string;
  readonly format: StoredMedia["format"];
  readonly bytes: number;
  readonly title: string;
  readonly introduction: string;
  readonly public_id: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}

const COLUMNS = `media_id, appid, keeping, type, file_name, format, bytes, title, introduction,
  public_id, created_at, expires_at`;

function toMedia(row: MediaRow): StoredMedia {
  return {
    mediaId: row.media_id,
    appid: row.appid,
    keeping: row.keeping,
    type: row.type,
    fileName: row.file_name,
    format: row.format,
    sizeBytes: row.bytes,
    title: row.title,
    introduction: row.introduction,
    publicId: row.public_id,
    createdAtMs: row.created_at,
    expiresAtMs: row.expires_at ?? undefined,
  };
}

async function insert(sql: Sql, media: StoredMedia, bytes: Uint8Array): Promise<void> {
  await sql.query(
    `insert into platform_media (${COLUMNS}, position)
     select $1, $2, $3, $4, $5, $6, cast($7 as bigint), $8, $9, $10, cast($11 as bigint),
       cast($12 as bigint), coalesce(max(position), 0) + 1 from platform_media where appid = $13`,
    [
      media.mediaId,
      media.appid,
      media.keeping,
      media.type,
      media.fileName,
      media.format,
      media.sizeBytes,
      media.title,
      media.introduction,
      media.publicId,
      media.createdAtMs,
      media.expiresAtMs ?? null,
      media.appid,
    ],
  );
  // Text, because the statements that both engines share carry no bytes.
  await sql.query("insert into platform_media_files (media_id, data) values ($1, $2)", [
    media.mediaId,
    Buffer.from(bytes).toString("base64"),
  ]);
}

/** The tables of the uploads behind the port of their room. */
export class PlatformMediaRows implements MediaStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(media: StoredMedia, bytes: Uint8Array, accountBytesMax: number): Promise<boolean> {
    return this.#sql.transaction(async (sql) => {
      const [row] = await sql.query<{ sum: string | null }>(
        "select cast(sum(bytes) as text) as sum from platform_media where appid = $1",
        [media.appid],
      );
      if (Number(row?.sum ?? 0) + bytes.length > accountBytesMax) return false;
      await insert(sql, media, bytes);
      return true;
    });
  }

  async find(appid: string, mediaId: string): Promise<StoredMedia | undefined> {
    const [row] = await this.#sql.query<MediaRow>(
      `select ${COLUMNS} from platform_media where media_id = $1 and appid = $2`,
      [mediaId, appid],
    );
    return row && toMedia(row);
  }

  async findPublic(publicId: string): Promise<StoredMedia | undefined> {
    const [row] = await this.#sql.query<MediaRow>(
      `select ${COLUMNS} from platform_media where public_id = $1`,
      [publicId],
    );
    return row && toMedia(row);
  }

  async bytesOf(mediaId: string): Promise<Uint8Array | undefined> {
    const [row] = await this.#sql.query<{ data: string }>(
      "select data from platform_media_files where media_id = $1",
      [mediaId],
    );
    return row && Buffer.from(row.data, "base64");
  }

  async list(
    appid: string,
    type: MediaType,
    offset: number,
    limit: number,
  ): Promise<readonly StoredMedia[]> {
    const rows = await this.#sql.query<MediaRow>(
      `select ${COLUMNS} from platform_media
       where appid = $1 and keeping = 'permanent' and type = $2
       order by position desc, media_id limit $3 offset $4`,
      [appid, type, limit, offset],
    );
    return rows.map(toMedia);
  }

  async counts(appid: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql.query<{ type: string; n: number }>(
      `select type, count(*) as n from platform_media
       where appid = $1 and keeping = 'permanent' group by type`,
      [appid],
    );
    return new Map(rows.map(({ type, n }) => [type, n]));
  }

  async isUsed(appid: string, mediaId: string): Promise<boolean> {
    // An id has underscores, which would stand for any character.
    const pattern = `%"${mediaId.replaceAll("_", "\\_")}"%`;
    const rows = await this.#sql.query(
      `select 1 as used from platform_articles a join platform_drafts d on d.media_id = a.media_id
       where d.appid = $1 and a.stored like $2 escape '\\' limit 1`,
      [appid, pattern],
    );
    return rows.length === 1;
  }

  async remove(appid: string, mediaId: string): Promise<boolean> {
    const rows = await this.#sql.query(
      `delete from platform_media where media_id = $1 and appid = $2 and keeping = 'permanent'
       returning media_id`,
      [mediaId, appid],
    );
    return rows.length === 1;
  }

  async removeExpired(nowMs: number): Promise<void> {
    await this.#sql.query("delete from platform_media where expires_at <= $1", [nowMs]);
  }
}
