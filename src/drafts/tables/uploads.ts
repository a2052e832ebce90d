import { Rows } from "../../lib/sql/tables.ts";
import type { DraftsTables } from "./schema.ts";

/** A picture that the platform has: by its id, or by its address inside of articles. */
export interface UploadedFile {
  readonly mediaId: string | null;
  readonly url: string | null;
}

/** `body` is for the text of articles, `material` for covers and image messages. */
export interface UploadKey {
  readonly box: string;
  readonly appid: string;
  readonly use: "body" | "material";
  readonly sha256: string;
}

export class UploadRows extends Rows<DraftsTables> {
  find({ box, appid, use, sha256 }: UploadKey): Promise<UploadedFile | undefined> {
    return this.tables
      .selectFrom("draft_uploads")
      .select(["media_id as mediaId", "url"])
      .where(({ and }) => and({ box, appid, used_for: use, sha256 }))
      .executeTakeFirst();
  }

  async save(
    { box, appid, use, sha256 }: UploadKey,
    { mediaId, url }: UploadedFile,
    atMs: number,
  ): Promise<void> {
    const file = { media_id: mediaId, url };
    await this.tables
      .insertInto("draft_uploads")
      .values({ box, appid, used_for: use, sha256, ...file, created_at: atMs })
      .onConflict((conflict) =>
        conflict.columns(["box", "appid", "used_for", "sha256"]).doUpdateSet(file),
      )
      .execute();
  }

  /** The platform may not have these any more. */
  async forget(keys: readonly UploadKey[]): Promise<void> {
    for (const { box, appid, use, sha256 } of keys) {
      await this.tables
        .deleteFrom("draft_uploads")
        .where(({ and }) => and({ box, appid, used_for: use, sha256 }))
        .execute();
    }
  }
}
