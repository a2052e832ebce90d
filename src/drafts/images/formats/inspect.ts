import type { PictureKind, Size } from "../picture.ts";
import { type Anatomy, TooManyParts } from "./anatomy.ts";
import { avifSize, readAvifParts } from "./avif-parts.ts";
import { bmpSize, readBmpParts } from "./bmp-parts.ts";
import { readGifParts } from "./gif-parts.ts";
import { readJpegParts } from "./jpeg-parts.ts";
import { readPngParts } from "./png-parts.ts";
import { animationSize, readWebpParts } from "./webp-parts.ts";

/** An anatomy, and the size that the file claims where only the drawing library could tell it. */
export interface Inspected extends Anatomy {
  readonly claimed?: Size | undefined;
}

const PARTS: Readonly<Record<PictureKind, (bytes: Uint8Array) => Anatomy>> = {
  jpeg: readJpegParts,
  png: readPngParts,
  gif: readGifParts,
  webp: readWebpParts,
  bmp: readBmpParts,
  avif: readAvifParts,
};

function claimedSize(kind: PictureKind, bytes: Uint8Array, animated: boolean): Size | undefined {
  if (kind === "avif") return avifSize(bytes);
  if (kind === "bmp") return bmpSize(bytes);
  return kind === "webp" && animated ? animationSize(bytes) : undefined;
}

/** Reads every part of a file without unpacking a pixel; nothing where the parts are too many. */
export function inspect(kind: PictureKind, bytes: Uint8Array): Inspected | undefined {
  try {
    const anatomy = PARTS[kind](bytes);
    // A file that ends early has no size that counts, and its head may be missing.
    if (!anatomy.complete) return anatomy;
    return { ...anatomy, claimed: claimedSize(kind, bytes, anatomy.animated) };
  } catch (thrown) {
    if (thrown instanceof TooManyParts) return undefined;
    throw thrown;
  }
}
