import type { MediaType, StoredMedia } from "./media.ts";

export interface MediaStore {
  /** False when the account would keep more than `accountBytesMax` with it. */
  add(media: StoredMedia, bytes: Uint8Array, accountBytesMax: number): Promise<boolean>;
  find(appid: string, mediaId: string): Promise<StoredMedia | undefined>;
  findPublic(publicId: string): Promise<StoredMedia | undefined>;
  bytesOf(mediaId: string): Promise<Uint8Array | undefined>;
  /** Permanent ones, newest first. */
  list(
    appid: string,
    type: MediaType,
    offset: number,
    limit: number,
  ): Promise<readonly StoredMedia[]>;
  /** Permanent ones of each type. */
  counts(appid: string): Promise<ReadonlyMap<string, number>>;
  /** Whether a draft of the account names it. */
  isUsed(appid: string, mediaId: string): Promise<boolean>;
  /** False when there was no such permanent one. */
  remove(appid: string, mediaId: string): Promise<boolean>;
  removeExpired(nowMs: number): Promise<void>;
}
