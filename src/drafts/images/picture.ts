import { createHash } from "node:crypto";
import type { Anatomy } from "./formats/anatomy.ts";

/** What can be read. What may be uploaded is less: see `fit.ts`. */
export type PictureKind = "jpeg" | "png" | "gif" | "webp" | "bmp" | "avif";

/** What was done to a picture on the way, for whoever brought it. */
export type PictureNote =
  | "metadata_removed"
  | "reencoded"
  | "resized"
  | "flattened"
  | "first_frame"
  | "renamed";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A file that can be uploaded as it stands. */
export interface PictureFile extends Size {
  readonly bytes: Uint8Array;
  /** Its extension is the true one; platforms judge by it. */
  readonly name: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly notes: readonly PictureNote[];
}

/** A picture that was read and found whole. */
export interface Picture extends PictureFile {
  readonly kind: PictureKind;
  readonly anatomy: Anatomy;
  /** A PNG of it, where it had to be drawn to be read: drawing takes seconds, and is done once. */
  readonly drawn?: Uint8Array;
}

type PictureErrorCode =
  | "image_address"
  | "image_private_address"
  | "image_unreachable"
  | "image_empty"
  | "image_too_large"
  | "images_too_large"
  | "image_not_an_image"
  | "image_format"
  | "image_truncated"
  | "image_damaged"
  | "image_too_slow"
  | "image_side"
  | "image_pixels"
  | "image_parts"
  | "image_crop";

/** The number or shape that is asked for, and what there is instead. */
interface Measure {
  readonly limit?: number | string | undefined;
  readonly found?: number | string | undefined;
}

/** A picture that cannot be used, with everything that is needed to say why. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly code: PictureErrorCode;
  /** What to do about it, in one sentence. */
  readonly fix: string;
  readonly limit: Measure["limit"];
  readonly found: Measure["found"];

  constructor(code: PictureErrorCode, message: string, fix: string, measure: Measure = {}) {
    super(message);
    this.code = code;
    this.fix = fix;
    this.limit = measure.limit;
    this.found = measure.found;
  }
}

const STEM_CHARS_MAX = 60;

function extensionOf(kind: PictureKind): string {
  return kind === "jpeg" ? "jpg" : kind;
}

/** "照片/IMG 1.webp" of a JPEG → "IMG_1.jpg". Only ASCII, as multipart parsers differ on the rest. */
function trueName(name: string, kind: PictureKind): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  const words = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, "")
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^_+/, "")
    .slice(0, STEM_CHARS_MAX);
  // A name may come of an address, and be as long as one.
  const stem = words.replace(/_+$/, "");
  return `${stem || "image"}.${extensionOf(kind)}`;
}

/** Whether a name has an extension of a picture, and another one than its bytes deserve. */
export function nameLies(name: string, kind: PictureKind): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (extension === undefined) return false;
  return extension !== kind && extension !== extensionOf(kind);
}

export function toFile(
  bytes: Uint8Array,
  kind: PictureKind,
  name: string,
  size: Size,
  notes: readonly PictureNote[],
): PictureFile {
  return {
    bytes,
    name: trueName(name, kind),
    contentType: `image/${kind}`,
    width: size.width,
    height: size.height,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    notes,
  };
}
