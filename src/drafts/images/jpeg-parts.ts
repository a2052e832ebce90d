import { type Anatomy, keep, viewOf, wordAt } from "./anatomy.ts";

const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;
const ORIENTATION = 0x0112;

/** Markers that stand alone, with no length behind them. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/** Colour is part of the picture; everything else that applications add is not. */
function isMetadata(marker: number, bytes: Uint8Array, at: number): boolean {
  if (marker === COMMENT) return true;
  if (marker < APP1 || marker > APP15 || marker === APP14) return false;
  return !(marker === APP2 && wordAt(bytes, at + 4, 11) === "ICC_PROFILE");
}

/** How the picture is to be turned, from the segment that begins here; 1 is as it lies. */
function orientationAt(bytes: Uint8Array, at: number, end: number): number {
  if (wordAt(bytes, at + 4, 4) !== "Exif" || at + 18 > end) return 1;
  const view = viewOf(bytes.subarray(at + 10, end));
  const little = view.getUint16(0) === 0x4949;
  const first = view.getUint32(4, little);
  if (first + 2 > view.byteLength) return 1;
  const count = view.getUint16(first, little);
  for (let index = 0; index < count; index += 1) {
    const entry = first + 2 + index * 12;
    if (entry + 12 > view.byteLength) return 1;
    if (view.getUint16(entry, little) === ORIENTATION) return view.getUint16(entry + 8, little);
  }
  return 1;
}

/** Where the coded pixels that begin here end: at the next marker that is none of theirs. */
function scanEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (true) {
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) return bytes.length;
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !standsAlone(next) && next !== 0xff) return at;
    at += next === 0xff ? 1 : 2;
  }
}

export function readJpegParts(bytes: Uint8Array): Anatomy {
  const view = viewOf(bytes);
  const spans: [number, number][] = [[0, 2]];
  let complete = false;
  let scanned = false;
  let orientation = 1;
  for (let at = 2; at + 2 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === END) {
      spans.push([at, at + 2]);
      complete = scanned;
      break;
    }
    if (marker === 0xff || standsAlone(marker)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (at + 4 > bytes.length) break;
    let end = at + 2 + view.getUint16(at + 2);
    if (end > bytes.length) break;
    if (marker === APP1) orientation = Math.max(orientation, orientationAt(bytes, at, end));
    if (marker === SCAN) end = scanEnd(bytes, end);
    scanned ||= marker === SCAN;
    if (marker === APP0 || !isMetadata(marker, bytes, at)) spans.push([at, end]);
    at = end;
  }
  return {
    complete,
    animated: false,
    mayBeTransparent: false,
    lossless: false,
    turned: orientation > 1,
    cleaned: keep(bytes, spans),
  };
}
