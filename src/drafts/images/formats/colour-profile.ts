import { inflateSync } from "node:zlib";

const SIGNATURE_AT = 36;
/** Those of printing presses have about two megabytes; none needs more than this. */
const PROFILE_BYTES_MAX = 8 * 1024 * 1024;
/** One that says what every screen takes for granted has a few kilobytes. */
const KEPT_BYTES_MAX = 64 * 1024;

function isProfile(bytes: Buffer): boolean {
  return bytes.toString("latin1", SIGNATURE_AT, SIGNATURE_AT + 4) === "acsp";
}

/**
 * Whether colours are meant otherwise than a screen takes them that knows of no profile. What is no
 * profile at all says nothing, and is passed over by everybody.
 */
export function isForeignProfile(profile: Uint8Array): boolean {
  const bytes = Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength);
  if (!isProfile(bytes)) return false;
  // Its name is written in one byte for each letter, or in two.
  return !bytes.includes("sRGB") && !bytes.includes("\0s\0R\0G\0B");
}

interface PackedProfile {
  readonly foreign: boolean;
  /** Whether it says anything, in no more bytes than that takes. */
  readonly worthKeeping: boolean;
}

/** The same of the part of a PNG: a name, how it is packed, and the packed profile. */
export function readPackedProfile(part: Uint8Array): PackedProfile {
  const packed = part.subarray(part.indexOf(0) + 2);
  try {
    const profile = inflateSync(packed, { maxOutputLength: PROFILE_BYTES_MAX });
    const foreign = isForeignProfile(profile);
    // Unpacked it goes along into every file that is made of the picture.
    const isShort = part.length <= KEPT_BYTES_MAX && profile.length <= KEPT_BYTES_MAX;
    return { foreign, worthKeeping: foreign || (isProfile(profile) && isShort) };
  } catch {
    return { foreign: false, worthKeeping: false };
  }
}
