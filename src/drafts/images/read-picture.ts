import { WorkTooSlow } from "../../lib/threads/thread-pool.ts";
import { type Anatomy, PARTS_MAX } from "./formats/anatomy.ts";
import type { Inspected } from "./formats/inspect.ts";
import { kindOf } from "./formats/sniff.ts";
import type { ImageWorker } from "./image-worker.ts";
import {
  nameLies,
  type Picture,
  PictureError,
  type PictureKind,
  type Size,
  toFile,
} from "./picture.ts";
import { turned } from "./pixels.ts";

/** The limits of the process that concern pictures, as the settings name them. */
export interface PictureLimits {
  readonly image_bytes_max: number;
  readonly image_side_px_max: number;
  readonly image_pixels_max: number;
  readonly image_fetch_ms: number;
  readonly image_redirects_max: number;
}

interface Measured extends Size {
  readonly drawn?: Uint8Array;
}

/** From this mark on, what is shown as its width lies as its height. */
const ON_SIDE = 5;

/** A file with what its parts tell. */
interface Opened {
  readonly kind: PictureKind;
  readonly bytes: Uint8Array;
  readonly anatomy: Anatomy;
}

/** Whether only the drawing library reads it. */
function needsCanvas({ kind, anatomy: { animated } }: Opened): boolean {
  return kind === "avif" || kind === "bmp" || (kind === "webp" && animated);
}

/** Whether it has to be drawn first: to be read at all, to be turned, or to get the colours of a screen. */
function needsDrawing(file: Opened): boolean {
  const { foreignColours, orientation } = file.anatomy;
  return needsCanvas(file) || foreignColours || (file.kind === "webp" && orientation > 1);
}

/** Whether its decoder shows it lying, with the sides that it lies with. */
function liesOnSide(file: Opened): boolean {
  const isKind = file.kind === "png" || (file.kind === "webp" && !needsCanvas(file));
  return isKind && file.anatomy.orientation >= ON_SIDE;
}

/** Turns a failure of the image worker into a fault that names the picture. */
export async function asImageFault<T>(kind: PictureKind, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    throw thrown instanceof WorkTooSlow ? tooSlow(kind) : damaged(kind);
  }
}

/** What is to be encoded anew: plain pixels, upright, in the colours of a screen. */
export async function plainSource(picture: Picture, worker: ImageWorker): Promise<Uint8Array> {
  if (picture.drawn !== undefined) return picture.drawn;
  const { kind, bytes } = picture;
  const { cleaned, orientation } = picture.anatomy;
  // What a PNG says besides its pixels would go along; the others lose with it which side is up.
  const unburdened = kind === "png" ? cleaned : bytes;
  const plain = needsDrawing(picture) ? await asImageFault(kind, worker.png(bytes)) : unburdened;
  // Of the others the decoders see themselves which side is up.
  return kind === "png" && orientation > 1 ? turned(plain, orientation) : plain;
}

export function tooLarge(limit: number, found?: number): PictureError {
  const fix = "Save it smaller, for instance as JPEG with less quality.";
  const message = `The picture is larger than ${limit} bytes.`;
  return new PictureError("image_too_large", message, fix, { limit, found });
}

const SAVE_AGAIN = "Save or download it again.";

function damaged(kind: PictureKind): PictureError {
  const message = `The picture is damaged: it begins as ${kind.toUpperCase()} but cannot be unpacked.`;
  return new PictureError("image_damaged", message, SAVE_AGAIN, { found: kind });
}

function tooSlow(kind: PictureKind): PictureError {
  const message = `The picture takes too long to unpack as ${kind.toUpperCase()}.`;
  const fix = "Save it smaller, as JPEG or PNG in the colours of a screen (sRGB).";
  return new PictureError("image_too_slow", message, fix, { found: kind });
}

function truncated(kind: PictureKind, found: number): PictureError {
  const message = `The picture ends early: a ${kind.toUpperCase()} without its end.`;
  return new PictureError("image_truncated", message, SAVE_AGAIN, { found });
}

function tooManyParts(): PictureError {
  const message = `The picture is made of more than ${PARTS_MAX} parts.`;
  const fix = "Open it in a program for pictures and save it again.";
  return new PictureError("image_parts", message, fix, { limit: PARTS_MAX });
}

function checkSize({ width, height }: Size, limits: PictureLimits): void {
  const { image_side_px_max: limit, image_pixels_max: pixelsMax } = limits;
  const found = Math.max(width, height);
  if (found > limit) {
    const message = `The picture is ${width} × ${height}; no side may have more than ${limit} pixels.`;
    const fix = "Scale it down, or cut a long picture into several.";
    throw new PictureError("image_side", message, fix, { limit, found });
  }
  if (width * height > pixelsMax) throw tooManyPixels(pixelsMax, width * height);
}

function tooManyPixels(limit: number, found?: number): PictureError {
  const message = `The picture unpacks to more than ${limit} pixels.`;
  return new PictureError("image_pixels", message, "Scale it down.", { limit, found });
}

/** Reads sizes without unpacking a pixel. */
async function claimedSize(file: Opened, { claimed }: Inspected): Promise<Size | undefined> {
  if (needsCanvas(file)) return claimed;
  const { width, height } = await new Bun.Image(file.bytes).metadata();
  return { width, height };
}

/**
 * Unpacks all pixels once, since a head that is in order says nothing of the rest. What had to be drawn
 * for that is given back.
 */
async function unpack(
  file: Opened,
  maxPixels: number,
  worker: ImageWorker,
): Promise<Uint8Array | undefined> {
  if (needsCanvas(file)) return worker.png(file.bytes);
  const image = new Bun.Image(file.bytes, { maxPixels });
  await image.resize(8, 8, { filter: "nearest" }).png().bytes();
  return undefined;
}

function isTooManyPixels(thrown: unknown): boolean {
  return (thrown as { code?: string }).code === "ERR_IMAGE_TOO_MANY_PIXELS";
}

async function measured(
  file: Opened & { readonly anatomy: Inspected },
  limits: PictureLimits,
  worker: ImageWorker,
): Promise<Measured> {
  const { kind } = file;
  try {
    const size = await claimedSize(file, file.anatomy);
    if (size === undefined) throw damaged(kind);
    checkSize(size, limits);
    const drawn = await unpack(file, limits.image_pixels_max, worker);
    const { width, height } = drawn ? await new Bun.Image(drawn).metadata() : size;
    if (drawn) return { width, height, drawn };
    return liesOnSide(file) ? { width: height, height: width } : { width, height };
  } catch (thrown) {
    if (thrown instanceof PictureError) throw thrown;
    if (thrown instanceof WorkTooSlow) throw tooSlow(kind);
    throw isTooManyPixels(thrown) ? tooManyPixels(limits.image_pixels_max) : damaged(kind);
  }
}

/** Bytes → a picture that is whole, of a kind that is known, and within the limits; else throws. */
export async function readPicture(
  bytes: Uint8Array,
  name: string,
  limits: PictureLimits,
  worker: ImageWorker,
): Promise<Picture> {
  const { image_bytes_max: limit } = limits;
  if (bytes.length === 0) {
    const measure = { limit, found: 0 };
    throw new PictureError("image_empty", "The picture has 0 bytes.", SAVE_AGAIN, measure);
  }
  if (bytes.length > limit) throw tooLarge(limit, bytes.length);
  const kind = kindOf(bytes);
  const anatomy = await asImageFault(kind, worker.inspect(kind, bytes));
  if (anatomy === undefined) throw tooManyParts();
  if (!anatomy.complete) throw truncated(kind, bytes.length);
  const { drawn, ...size } = await measured({ kind, bytes, anatomy }, limits, worker);
  const notes = nameLies(name, kind) ? (["renamed"] as const) : [];
  return { ...toFile(bytes, kind, name, size, notes), kind, anatomy, ...(drawn && { drawn }) };
}
