import type { FileFormat } from "./file-format.ts";

export const MEDIA_TYPES = ["image", "voice", "video", "thumb"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** How long a file stays: until it is deleted, for three days, or as a picture inside articles. */
export type MediaKeeping = "permanent" | "temporary" | "body";

/** A file that was uploaded, without its bytes: the row of its table. */
export interface StoredMedia {
  readonly media_id: string;
  readonly appid: string;
  readonly keeping: MediaKeeping;
  readonly type: MediaType;
  /** As its uploader called the file. */
  readonly file_name: string;
  readonly format: FileFormat;
  readonly bytes: number;
  /** Only a video has these. */
  readonly title: string;
  readonly introduction: string;
  /** Under which it is shown to everybody; its media id is known to its account alone. */
  readonly public_id: string;
  readonly created_at: number;
  readonly expires_at: number | null;
}
