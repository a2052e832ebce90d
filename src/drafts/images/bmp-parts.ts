import { type Anatomy, viewOf } from "./anatomy.ts";

const FILE_HEAD_BYTES = 14;
/** The oldest head writes its sides in two bytes each; all later ones in four. */
const OLDEST_HEAD_BYTES = 12;
const HEAD_BYTES_MIN = 26;

/** A bitmap is always encoded anew, so what it carries besides pixels goes then. */
export function readBmpParts(bytes: Uint8Array): Anatomy {
  return {
    complete: bytes.length >= HEAD_BYTES_MIN,
    animated: false,
    mayBeTransparent: bytes[28] === 32,
    lossless: true,
    orientation: 1,
    foreignColours: false,
    cleaned: bytes,
  };
}

/** The sides that its head names; a height below zero says that the rows begin at the top. */
export function bmpSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = viewOf(bytes);
  const isOldest = view.getUint32(FILE_HEAD_BYTES, true) === OLDEST_HEAD_BYTES;
  const width = isOldest ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = isOldest ? view.getUint16(20, true) : Math.abs(view.getInt32(22, true));
  return width > 0 && height > 0 ? { width, height } : undefined;
}
