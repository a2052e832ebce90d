import { type Anatomy, keep, PartCount, PLAIN, viewOf, wordAt } from "./anatomy.ts";
import { isForeignProfile } from "./colour-profile.ts";
import { orientationIn } from "./exif.ts";

const END = 0xd9;
const SCAN = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;
const COMMENT = 0xfe;

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

/** How the picture is to be turned, from the segment that begins here. */
function orientationAt(bytes: Uint8Array, at: number, end: number): number {
  return wordAt(bytes, at + 4, 4) === "Exif" ? orientationIn(bytes.subarray(at + 10, end)) : 1;
}

/** Where the number of its colours stands in the segment that describes the pixels. */
const COMPONENTS_AT = 9;
const INKS = 4;

/** Whether the segment describes the pixels: all of that row do but the tables among them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** Where the number of a piece of the profile stands, and where the piece begins. */
const PIECE_NUMBER_AT = 16;
const PIECE_AT = 18;

/** Whether the segment holds the next piece of a profile; large ones are spread over several. */
function isNextPiece(marker: number, bytes: Uint8Array, at: number, pieces: number): boolean {
  if (marker !== APP2 || isMetadata(marker, bytes, at)) return false;
  return bytes[at + PIECE_NUMBER_AT] === pieces + 1;
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
  let inks = false;
  const profile: Uint8Array[] = [];
  const count = new PartCount();
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
    count.add();
    if (marker === APP1) orientation = Math.max(orientation, orientationAt(bytes, at, end));
    inks ||= isFrame(marker) && bytes[at + COMPONENTS_AT] === INKS;
    if (isNextPiece(marker, bytes, at, profile.length)) {
      profile.push(bytes.subarray(at + PIECE_AT, end));
    }
    if (marker === SCAN) end = scanEnd(bytes, end);
    scanned ||= marker === SCAN;
    if (marker === APP0 || !isMetadata(marker, bytes, at)) spans.push([at, end]);
    at = end;
  }
  return {
    ...PLAIN,
    complete,
    orientation,
    foreignColours: inks || isForeignProfile(Buffer.concat(profile)),
    cleaned: keep(bytes, spans),
  };
}
