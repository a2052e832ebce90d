import { randomBytes } from "node:crypto";
import { hasCome } from "../../lib/clock.ts";
import type { FoundMedia, Media } from "../image-lookup.ts";
import { PlatformError } from "../platform-error.ts";
import type { MediaRows } from "../tables/media.ts";
import { claimedFormat, contentTypeOf, type FileFormat, isBegunAs } from "./file-format.ts";
import type { MediaKeeping, MediaType, StoredMedia } from "./media.ts";

interface LibraryParts {
  readonly store: MediaRows;
  readonly accountBytesMax: number;
}

/** What may be uploaded as something, and the codes for what may not. */
interface UploadRule {
  readonly formats: readonly FileFormat[];
  readonly bytesMax: number;
  readonly tooLarge: number;
}

export interface Upload {
  readonly fileName: string;
  readonly bytes: Uint8Array;
  readonly title?: string;
  readonly introduction?: string;
}

const KIB = 1024;
const MIB = KIB * KIB;
const TEMPORARY_MS = 3 * 86_400_000;
const TIDY_MS = 3_600_000;
const NAME_CHARS_MAX = 200;
const MEDIA_ID = /^[\w-]{1,128}$/;

const RULES: Readonly<Record<MediaType | "body", UploadRule>> = {
  // Under 1 MB, unlike the others, which may have their whole limit.
  body: { formats: ["jpg", "png"], bytesMax: MIB - 1, tooLarge: 40009 },
  image: { formats: ["jpg", "png", "gif", "bmp"], bytesMax: 10 * MIB, tooLarge: 45001 },
  thumb: { formats: ["jpg"], bytesMax: 64 * KIB, tooLarge: 40006 },
  voice: { formats: ["mp3", "wma", "wav", "amr"], bytesMax: 2 * MIB, tooLarge: 45001 },
  video: { formats: ["mp4"], bytesMax: 10 * MIB, tooLarge: 45001 },
};

/** The format of a file that may be kept; refused by its name, its size and its bytes, in turn. */
function judge({ fileName, bytes }: Upload, rule: UploadRule): FileFormat {
  if (bytes.length === 0) throw new PlatformError(41005, "media");
  const format = claimedFormat(fileName);
  if (format === undefined) throw new PlatformError(40113, "media");
  if (!rule.formats.includes(format)) throw new PlatformError(40005, "media");
  if (bytes.length > rule.bytesMax) throw new PlatformError(rule.tooLarge, "media");
  if (!isBegunAs(format, bytes)) throw new PlatformError(40113, "media");
  return format;
}

/** Fit for any database. */
function plainName(fileName: string): string {
  return [...fileName.replace(/\p{Cc}/gu, "")].slice(0, NAME_CHARS_MAX).join("").toWellFormed();
}

/** Where a file is shown, below the platform's address; `bmp` goes under the name of another. */
export function publicPath({ public_id, format, keeping, type }: StoredMedia): string {
  if (type === "video") return `/mmbiz_video/${public_id}/0`;
  const folder = format === "png" || format === "gif" ? format : "jpg";
  const path = `/mmbiz_${folder}/${public_id}/0`;
  return keeping === "body" ? path : `${path}?wx_fmt=${format === "jpg" ? "jpeg" : format}`;
}

/** The uploads of all accounts. */
export class MediaLibrary implements Media {
  readonly #parts: LibraryParts;
  #tidiedAtMs = 0;

  constructor(parts: LibraryParts) {
    this.#parts = parts;
  }

  async add(
    appid: string,
    keeping: MediaKeeping,
    type: MediaType,
    upload: Upload,
    nowMs: number,
  ): Promise<StoredMedia> {
    const { store, accountBytesMax } = this.#parts;
    const format = judge(upload, RULES[keeping === "body" ? "body" : type]);
    await this.#tidy(nowMs);
    const media: StoredMedia = {
      media_id: randomBytes(48).toString("base64url"),
      appid,
      keeping,
      type,
      file_name: plainName(upload.fileName),
      format,
      bytes: upload.bytes.length,
      title: (type === "video" && upload.title) || "",
      introduction: (type === "video" && upload.introduction) || "",
      public_id: randomBytes(32).toString("base64url"),
      created_at: nowMs,
      expires_at: keeping === "temporary" ? nowMs + TEMPORARY_MS : null,
    };
    if (await store.add(media, upload.bytes, accountBytesMax)) return media;
    throw new PlatformError(45001, "media");
  }

  /** Those that were uploaded by themselves, not those inside articles; undefined once expired. */
  async find(
    appid: string,
    mediaId: string,
    keeping: "permanent" | "temporary",
    nowMs: number,
  ): Promise<StoredMedia | undefined> {
    const found = MEDIA_ID.test(mediaId) ? await this.#parts.store.find(appid, mediaId) : undefined;
    if (found?.keeping !== keeping) return undefined;
    return found.expires_at !== null && found.expires_at <= nowMs ? undefined : found;
  }

  async findImage(appid: string, mediaId: string): Promise<FoundMedia | undefined> {
    const found = await this.#parts.store.find(appid, mediaId);
    if (found === undefined || found.keeping === "body") return undefined;
    const permanent = found.keeping === "permanent";
    return { permanent, type: found.type, ...(permanent && { path: publicPath(found) }) };
  }

  async read({ media_id }: StoredMedia): Promise<Uint8Array> {
    const bytes = await this.#parts.store.bytesOf(media_id);
    // Deleted since it was found.
    if (bytes === undefined) throw new PlatformError(40007, "media_id");
    return bytes;
  }

  /** What everybody may see by its address: whatever articles can show. */
  async shown(
    publicId: string,
  ): Promise<{ readonly bytes: Uint8Array; readonly contentType: string } | undefined> {
    const found = MEDIA_ID.test(publicId)
      ? await this.#parts.store.findPublic(publicId)
      : undefined;
    if (found === undefined || found.keeping === "temporary") return undefined;
    const bytes = await this.#parts.store.bytesOf(found.media_id);
    return bytes && { bytes, contentType: contentTypeOf(found) };
  }

  list(
    appid: string,
    type: MediaType,
    offset: number,
    limit: number,
  ): Promise<readonly StoredMedia[]> {
    return this.#parts.store.list(appid, type, offset, limit);
  }

  counts(appid: string): Promise<ReadonlyMap<string, number>> {
    return this.#parts.store.counts(appid);
  }

  async remove(appid: string, mediaId: string): Promise<void> {
    const { store } = this.#parts;
    if (!MEDIA_ID.test(mediaId)) throw new PlatformError(40007, "media_id");
    const media = await store.find(appid, mediaId);
    if (media && (await store.isUsed(media))) throw new PlatformError(48005, "media_id");
    if (!(await store.remove(appid, mediaId))) throw new PlatformError(40007, "media_id");
  }

  async #tidy(nowMs: number): Promise<void> {
    if (!hasCome(this.#tidiedAtMs + TIDY_MS, nowMs, TIDY_MS)) return;
    this.#tidiedAtMs = nowMs;
    await this.#parts.store.removeExpired(nowMs);
  }
}
