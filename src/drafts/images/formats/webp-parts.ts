import type { Size } from "../picture.ts";
import { type Anatomy, PartCount, viewOf, wordAt } from "./anatomy.ts";
import { isForeignProfile } from "./colour-profile.ts";
import { orientationIn } from "./exif.ts";

const ANIMATION = 0x02;
export const ALPHA = 0x10;
export const HEAD_BYTES = 12;

export function* partsOf(bytes: Uint8Array, from: number) {
  const view = viewOf(bytes);
  const count = new PartCount();
  for (let at = from; at + 8 <= bytes.length; ) {
    count.add();
    const size = view.getUint32(at + 4, true);
    yield { name: wordAt(bytes, at, 4), data: bytes.subarray(at + 8, at + 8 + size) };
    at += 8 + size + (size & 1);
  }
}

/** The data of the first part of a name; nothing where there is none. */
function partOf(bytes: Uint8Array, wanted: string): Uint8Array {
  const found = partsOf(bytes, HEAD_BYTES).find(({ name }) => name === wanted);
  return found?.data ?? new Uint8Array();
}

/** Some writers put the head of a JPEG's segment in front. */
function withoutName(exif: Uint8Array): Uint8Array {
  return wordAt(exif, 0, 4) === "Exif" ? exif.subarray(6) : exif;
}

/** A WebP is always encoded anew, so what it carries besides pixels goes then. */
export function readWebpParts(bytes: Uint8Array): Anatomy {
  const first = wordAt(bytes, 12, 4);
  const flags = first === "VP8X" ? (bytes[20] ?? 0) : 0;
  return {
    complete: bytes.length >= 20 && viewOf(bytes).getUint32(4, true) + 8 <= bytes.length,
    animated: (flags & ANIMATION) !== 0,
    mayBeTransparent: (flags & ALPHA) !== 0 || first === "VP8L",
    lossless: first === "VP8L",
    orientation: orientationIn(withoutName(partOf(bytes, "EXIF"))),
    foreignColours: isForeignProfile(partOf(bytes, "ICCP")),
    cleaned: bytes,
  };
}

export function uint24At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}

/** The canvas of an animation, in which every frame has to lie. */
export function animationSize(bytes: Uint8Array): Size {
  return { width: uint24At(bytes, 24) + 1, height: uint24At(bytes, 27) + 1 };
}
