import type { ImageWorker } from "./image-worker.ts";
import {
  type Picture,
  type PictureFile,
  type PictureKind,
  type PictureNote,
  type Size,
  toFile,
} from "./picture.ts";
import { isTransparent } from "./pixels.ts";
import { asImageFault, plainSource, tooLarge } from "./read-picture.ts";

/** What a place takes. */
export interface PictureTarget {
  readonly kinds: readonly PictureKind[];
  readonly bytesMax: number;
}

/** A picture inside an article: the platform wants it smaller than 1 MB, so exactly that is too much. */
export const BODY: PictureTarget = { kinds: ["jpeg", "png"], bytesMax: 1_048_576 - 1 };

/** A cover, or a picture of a picture post. */
export const MATERIAL: PictureTarget = {
  kinds: ["jpeg", "png", "gif"],
  bytesMax: 10 * 1024 * 1024,
};

/** Above these an exact copy is seldom small enough to be worth the try. */
const PNG_TRY_PIXELS_MAX = 8_000_000;
const PNG_TRY_BYTES_FACTOR = 1.5;
/** The column of an article is 677 px wide, so this is sharp on every phone. */
const PNG_SMALL_WIDTH_PX = 1_280;
const FLATTEN_SIDE_PX_MAX = 4_096;
const QUALITIES = [90, 82] as const;
const SHRINK = 0.85;
const SCALE_MIN = 0.01;

interface Encoded extends Size {
  readonly bytes: Uint8Array;
  readonly kind: "jpeg" | "png";
  readonly notes: readonly PictureNote[];
}

/** The file as it was brought, without its metadata, where the place takes that. */
function asBrought(picture: Picture, target: PictureTarget): PictureFile | undefined {
  const { cleaned, orientation, foreignColours, animated } = picture.anatomy;
  if (!target.kinds.includes(picture.kind) || orientation > 1 || foreignColours) return undefined;
  if (cleaned.length > target.bytesMax) return undefined;
  const notes: PictureNote[] = [...picture.notes];
  if (cleaned !== picture.bytes) notes.push("metadata_removed");
  // The frames of an animated PNG stand in parts of their own, which do not stay.
  if (animated && picture.kind === "png") notes.push("first_frame");
  return toFile(cleaned, picture.kind, picture.name, picture, notes);
}

async function pngUnder(
  source: Uint8Array,
  width: number | undefined,
  bytesMax: number,
): Promise<Encoded | undefined> {
  const image = new Bun.Image(source).png({ compressionLevel: 9 });
  const bytes = await (width === undefined ? image : image.resize(width)).bytes();
  if (bytes.length > bytesMax) return undefined;
  const notes: PictureNote[] = width === undefined ? [] : ["resized"];
  return { bytes, kind: "png", width: image.width, height: image.height, notes };
}

/** Whether an exact copy may turn out small enough; a PNG hardly changes its size by being one again. */
function isExactWorthTrying({ kind, bytes, width, height }: Picture, bytesMax: number): boolean {
  if (kind === "png" && bytes.length > bytesMax * PNG_TRY_BYTES_FACTOR) return false;
  return width * height <= PNG_TRY_PIXELS_MAX;
}

async function transparentUnder(
  source: Uint8Array,
  picture: Picture,
  bytesMax: number,
): Promise<Encoded | undefined> {
  if (isExactWorthTrying(picture, bytesMax)) {
    const whole = await pngUnder(source, undefined, bytesMax);
    if (whole !== undefined) return whole;
  }
  if (picture.width <= PNG_SMALL_WIDTH_PX) return undefined;
  return pngUnder(source, PNG_SMALL_WIDTH_PX, bytesMax);
}

async function jpegAt(source: Uint8Array, quality: number, scale: number): Promise<Encoded> {
  const { width, height } = await new Bun.Image(source).metadata();
  const side = (pixels: number) => Math.max(1, Math.round(pixels * scale));
  const image = new Bun.Image(source).jpeg({ quality });
  const bytes = await (scale < 1 ? image.resize(side(width), side(height)) : image).bytes();
  const notes: PictureNote[] = scale < 1 ? ["resized"] : [];
  return { bytes, kind: "jpeg", width: image.width, height: image.height, notes };
}

/** Less quality first, then fewer pixels, until it fits. */
async function jpegUnder(source: Uint8Array, bytesMax: number): Promise<Encoded> {
  let found: Encoded | undefined;
  for (const quality of QUALITIES) {
    found = await jpegAt(source, quality, 1);
    if (found.bytes.length <= bytesMax) return found;
  }
  // Bytes go roughly with the area; the first guess is a little below what that says.
  let scale = Math.min(SHRINK, 0.96 * Math.sqrt(bytesMax / (found?.bytes.length ?? bytesMax)));
  for (; scale > SCALE_MIN; scale *= SHRINK) {
    const smaller = await jpegAt(source, QUALITIES[1], scale);
    if (smaller.bytes.length <= bytesMax) return smaller;
    // What does not fall with the pixels is not made of them.
    if (found && smaller.bytes.length >= found.bytes.length) break;
    found = smaller;
  }
  throw tooLarge(bytesMax, found?.bytes.length);
}

async function flattened(source: Uint8Array, worker: ImageWorker): Promise<Uint8Array> {
  const small = await new Bun.Image(source)
    .resize(FLATTEN_SIDE_PX_MAX, FLATTEN_SIDE_PX_MAX, { fit: "inside", withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .bytes();
  return worker.onWhite(small);
}

async function encodedAnew(
  picture: Picture,
  target: PictureTarget,
  worker: ImageWorker,
): Promise<Encoded> {
  const { bytesMax } = target;
  const { anatomy } = picture;
  const source = await plainSource(picture, worker);
  if (anatomy.mayBeTransparent && (await isTransparent(source))) {
    const clear = await transparentUnder(source, picture, bytesMax);
    if (clear !== undefined) return clear;
    const flat = await asImageFault(picture.kind, flattened(source, worker));
    const paper = await jpegUnder(flat, bytesMax);
    return { ...paper, notes: [...paper.notes, "flattened"] };
  }
  const exact = anatomy.lossless && isExactWorthTrying(picture, bytesMax);
  const png = exact ? await pngUnder(source, undefined, bytesMax) : undefined;
  return png ?? jpegUnder(source, bytesMax);
}

/**
 * A file that the place takes: the one that was brought where it will do, else a new one. Of an
 * animation that no place takes as it is, the first frame.
 */
export async function fitPicture(
  picture: Picture,
  target: PictureTarget,
  worker: ImageWorker,
): Promise<PictureFile> {
  const brought = asBrought(picture, target);
  if (brought !== undefined) return brought;
  const made = await encodedAnew(picture, target, worker);
  const notes: PictureNote[] = [...picture.notes, "reencoded", ...made.notes];
  if (picture.anatomy.animated) notes.push("first_frame");
  return toFile(made.bytes, made.kind, picture.name, made, notes);
}
