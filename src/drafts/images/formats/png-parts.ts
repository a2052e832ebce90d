import { type Anatomy, keep, viewOf, wordAt } from "./anatomy.ts";
import { readPackedProfile } from "./colour-profile.ts";
import { orientationIn } from "./exif.ts";

/** What the picture looks like, and nothing that is told about it. */
const LOOKS = new Set(
  "IHDR PLTE tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs IDAT IEND".split(" "),
);
const SIGNATURE_BYTES = 8;
/** Length and name before the data of a part, and a checksum behind it. */
const FRAME_BYTES = 12;
const COLOUR_TYPE_AT = SIGNATURE_BYTES + 8 + 9;

export function readPngParts(bytes: Uint8Array): Anatomy {
  const view = viewOf(bytes);
  const spans: [number, number][] = [[0, SIGNATURE_BYTES]];
  const seen = new Set<string>();
  let orientation = 1;
  let foreignColours = false;
  for (let at = SIGNATURE_BYTES; at + FRAME_BYTES <= bytes.length && !seen.has("IEND"); ) {
    const end = at + FRAME_BYTES + view.getUint32(at);
    if (end > bytes.length) break;
    const part = wordAt(bytes, at + 4, 4);
    const data = bytes.subarray(at + 8, end - 4);
    if (part === "eXIf" && !seen.has(part)) orientation = orientationIn(data);
    let looks = LOOKS.has(part);
    if (part === "iCCP") {
      const profile = seen.has(part) ? undefined : readPackedProfile(data);
      foreignColours ||= profile?.foreign ?? false;
      looks = profile?.worthKeeping ?? false;
    }
    seen.add(part);
    if (looks) spans.push([at, end]);
    at = end;
  }
  const colourType = bytes[COLOUR_TYPE_AT] ?? 0;
  return {
    complete: seen.has("IDAT") && seen.has("IEND"),
    animated: seen.has("acTL"),
    mayBeTransparent: colourType === 4 || colourType === 6 || seen.has("tRNS"),
    lossless: true,
    orientation,
    foreignColours,
    cleaned: keep(bytes, spans),
  };
}
