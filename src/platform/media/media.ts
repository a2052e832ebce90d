import type { FileFormat } from "./file-format.ts";

export const MEDIA_TYPES = ["image", "voice", "video", "thumb"] as const;
export type MediaType = (typeof MEDIA_TYPES)[number];

/** How long a file stays: until it is deleted, for three days, or as a picture inside articles. */
export type MediaKeeping = "permanent" | "temporary" | "body";

/** A file that was uploaded, without its bytes. */
export interface StoredMedia {
  readonly mediaId: string;
  readonly appid: string;
  readonly keeping: MediaKeeping;
  readonly type: MediaType;
  /** As its uploader called the file. */
  readonly fileName: string;
  readonly format: FileFormat["name"];
  readonly sizeBytes: number;
  /** Only a video has these. */
  readonly title: string;
  readonly introduction: string;
  /** Under which it is shown to everybody; its media id is known to its account alone. */
  readonly publicId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
}
