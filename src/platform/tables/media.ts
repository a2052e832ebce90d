import { type Kysely, sql as raw } from "kysely";
import { Rows } from "../../lib/sql/tables.ts";
import type { MediaType, StoredMedia } from "../media/media.ts";
import { nextPosition, type PlatformTables } from "./schema.ts";

type Tables = Kysely<PlatformTables>;

const COLUMNS = [
  "media_id",
  "appid",
  "keeping",
  "type",
  "file_name",
  "format",
  "bytes",
  "title",
  "introduction",
  "public_id",
  "created_at",
  "expires_at",
] as const;

async function insert(tables: Tables, media: StoredMedia, bytes: Uint8Array): Promise<void> {
  await tables
    .insertInto("platform_media")
    .values({ ...media, position: nextPosition("platform_media", media.appid) })
    .execute();
  // Text, because the statements that both engines share carry no bytes.
  const data = Buffer.from(bytes).toString("base64");
  const { media_id } = media;
  await tables.insertInto("platform_media_files").values({ media_id, data }).execute();
}

/** An id as part of a pattern. It has underscores, which would stand for any character. */
function literal(id: string): string {
  return id.replaceAll("_", "\\_");
}

/** Uploads. */
export class MediaRows extends Rows<PlatformTables> {
  /** False when the account would keep more than `accountBytesMax` with it. */
  add(media: StoredMedia, bytes: Uint8Array, accountBytesMax: number): Promise<boolean> {
    return this.tables.atomically(async (tables) => {
      const row = await tables
        .selectFrom("platform_media")
        .select(({ cast, fn }) => cast<string | null>(fn.sum("bytes"), "text").as("sum"))
        .where("appid", "=", media.appid)
        .executeTakeFirst();
      if (Number(row?.sum ?? 0) + bytes.length > accountBytesMax) return false;
      await insert(tables, media, bytes);
      return true;
    });
  }

  find(appid: string, mediaId: string): Promise<StoredMedia | undefined> {
    return this.#select()
      .where(({ and }) => and({ media_id: mediaId, appid }))
      .executeTakeFirst();
  }

  findPublic(publicId: string): Promise<StoredMedia | undefined> {
    return this.#select().where("public_id", "=", publicId).executeTakeFirst();
  }

  async bytesOf(mediaId: string): Promise<Uint8Array | undefined> {
    const row = await this.tables
      .selectFrom("platform_media_files")
      .select("data")
      .where("media_id", "=", mediaId)
      .executeTakeFirst();
    return row && Buffer.from(row.data, "base64");
  }

  /** Permanent ones, newest first. */
  list(
    appid: string,
    type: MediaType,
    offset: number,
    limit: number,
  ): Promise<readonly StoredMedia[]> {
    return this.#select()
      .where(({ and }) => and({ appid, keeping: "permanent", type }))
      .orderBy("position", "desc")
      .orderBy("media_id")
      .limit(limit)
      .offset(offset)
      .execute();
  }

  /** Permanent ones of each type. */
  async counts(appid: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.tables
      .selectFrom("platform_media")
      .select(({ fn }) => ["type", fn.countAll<number>().as("n")])
      .where(({ and }) => and({ appid, keeping: "permanent" }))
      .groupBy("type")
      .execute();
    return new Map(rows.map(({ type, n }) => [type, n]));
  }

  /** Whether a draft of its account names it, or shows it in its text, where it stands by its address. */
  async isUsed({ appid, media_id, public_id }: StoredMedia): Promise<boolean> {
    const patterns = [`%"${literal(media_id)}"%`, `%/${literal(public_id)}/%`];
    const rows = await this.tables
      .selectFrom("platform_articles as a")
      .innerJoin("platform_drafts as d", "d.media_id", "a.media_id")
      .select("d.media_id")
      .where("d.appid", "=", appid)
      .where(({ or, ref }) =>
        or(patterns.map((each) => raw<boolean>`${ref("a.stored")} like ${each} escape '\\'`)),
      )
      .limit(1)
      .execute();
    return rows.length === 1;
  }

  /** False when there was no such permanent one. */
  async remove(appid: string, mediaId: string): Promise<boolean> {
    const rows = await this.tables
      .deleteFrom("platform_media")
      .where(({ and }) => and({ media_id: mediaId, appid, keeping: "permanent" }))
      .returning("media_id")
      .execute();
    return rows.length === 1;
  }

  async removeExpired(nowMs: number): Promise<void> {
    await this.tables.deleteFrom("platform_media").where("expires_at", "<=", nowMs).execute();
  }

  #select() {
    return this.tables.selectFrom("platform_media").select(COLUMNS);
  }
}
