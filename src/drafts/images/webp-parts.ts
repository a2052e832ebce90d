import { type Anatomy, viewOf, wordAt } from "./anatomy.ts";

const ANIMATION = 0x02;
const ALPHA = 0x10;

/** A WebP is always encoded anew, so what it carries besides pixels goes then. */
export function readWebpParts(bytes: Uint8Array): Anatomy {
  const first = wordAt(bytes, 12, 4);
  const flags = first === "VP8X" ? (bytes[20] ?? 0) : 0;
  return {
    complete: bytes.length >= 20 && viewOf(bytes).getUint32(4, true) + 8 <= bytes.length,
    animated: (flags & ANIMATION) !== 0,
    mayBeTransparent: (flags & ALPHA) !== 0 || first === "VP8L",
    lossless: first === "VP8L",
    turned: false,
    cleaned: bytes,
  };
}

function uint24At(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
}

/** The canvas of an animation, in which every frame has to lie. */
export function animationSize(bytes: Uint8Array): { width: number; height: number } {
  return { width: uint24At(bytes, 24) + 1, height: uint24At(bytes, 27) + 1 };
}
