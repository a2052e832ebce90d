import { inflateSync } from "node:zlib";

const SIGNATURE_AT = 36;
/** Those of printing presses have about two megabytes; none needs more than this. */
const PROFILE_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Whether colours are meant otherwise than a screen takes them that knows of no profile. What is no
 * profile at all says nothing, and is passed over by everybody.
 */
export function isForeignProfile(profile: Uint8Array): boolean {
  const bytes = Buffer.from(profile.buffer, profile.byteOffset, profile.byteLength);
  if (bytes.toString("latin1", SIGNATURE_AT, SIGNATURE_AT + 4) !== "acsp") return false;
  // Its name is written in one byte for each letter, or in two.
  return !bytes.includes("sRGB") && !bytes.includes("\0s\0R\0G\0B");
}

/** The same of the part of a PNG: a name, how it is packed, and the packed profile. */
export function isForeignPackedProfile(part: Uint8Array): boolean {
  const packed = part.subarray(part.indexOf(0) + 2);
  try {
    return isForeignProfile(inflateSync(packed, { maxOutputLength: PROFILE_BYTES_MAX }));
  } catch {
    return false;
  }
}
