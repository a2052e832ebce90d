import type { Size } from "../picture.ts";
import { type Anatomy, PLAIN, viewOf } from "./anatomy.ts";

const FILE_HEAD_BYTES = 14;
/** The oldest head writes its sides in two bytes each; all later ones in four. */
const OLDEST_HEAD_BYTES = 12;
const HEAD_BYTES_MIN = 26;
/** As far as the depth and the packing of the later ones stand. */
const LATER_HEAD_BYTES_MIN = 34;

/** How pixels are packed, where they are. */
const RUNS_OF_BYTES = 1;
const RUNS_OF_HALVES = 2;
const UNPACKED = new Set([0, 3, 6]);

interface Layout {
  readonly pixelsAt: number;
  readonly depth: number;
  readonly packing: number;
}

function isOldest(view: DataView): boolean {
  return view.getUint32(FILE_HEAD_BYTES, true) === OLDEST_HEAD_BYTES;
}

function layoutOf(bytes: Uint8Array): Layout {
  const view = viewOf(bytes);
  const pixelsAt = view.getUint32(10, true);
  if (isOldest(view)) return { pixelsAt, depth: view.getUint16(24, true), packing: 0 };
  if (bytes.length < LATER_HEAD_BYTES_MIN) return { pixelsAt, depth: 0, packing: 0 };
  return { pixelsAt, depth: view.getUint16(28, true), packing: view.getUint32(30, true) };
}

/** Whether runs of pixels go on to their end mark: a zero and a one where a run would begin. */
function runsEnd(bytes: Uint8Array, { pixelsAt, packing }: Layout): boolean {
  const perByte = packing === RUNS_OF_HALVES ? 2 : 1;
  for (let at = pixelsAt; at + 2 <= bytes.length; ) {
    const [count, value = 0] = bytes.subarray(at, at + 2);
    if (count === 0 && value === 1) return true;
    at += 2;
    // A step aside is told in two bytes; pixels that stand for themselves fill whole pairs.
    if (count === 0 && value === 2) at += 2;
    else if (count === 0 && value > 2) at += Math.ceil(value / perByte / 2) * 2;
  }
  return false;
}

function isComplete(bytes: Uint8Array): boolean {
  if (bytes.length < HEAD_BYTES_MIN) return false;
  const layout = layoutOf(bytes);
  const { pixelsAt, depth, packing } = layout;
  if (packing === RUNS_OF_BYTES || packing === RUNS_OF_HALVES) return runsEnd(bytes, layout);
  const size = bmpSize(bytes);
  // Nothing to measure by: whoever unpacks it says what is wrong.
  if (size === undefined || !UNPACKED.has(packing)) return true;
  const rowBytes = Math.ceil((size.width * depth) / 32) * 4;
  return bytes.length >= pixelsAt + rowBytes * size.height;
}

/** A bitmap is always encoded anew, so what it carries besides pixels goes then. */
export function readBmpParts(bytes: Uint8Array): Anatomy {
  const mayBeTransparent = bytes[28] === 32;
  const complete = isComplete(bytes);
  return { ...PLAIN, complete, mayBeTransparent, lossless: true, cleaned: bytes };
}

/** The sides that its head names; a height below zero says that the rows begin at the top. */
export function bmpSize(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes);
  const isOld = isOldest(view);
  const width = isOld ? view.getUint16(18, true) : view.getInt32(18, true);
  const height = isOld ? view.getUint16(20, true) : Math.abs(view.getInt32(22, true));
  return width > 0 && height > 0 ? { width, height } : undefined;
}
