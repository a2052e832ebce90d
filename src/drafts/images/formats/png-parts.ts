import { type Anatomy, keep, PartCount, viewOf, wordAt } from "./anatomy.ts";
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

/** The parts one after the other, as far as they lie in the file. */
export function* partsOf(bytes: Uint8Array, from = 0) {
  const view = viewOf(bytes);
  for (let start = from; start + FRAME_BYTES <= bytes.length; ) {
    const end = start + FRAME_BYTES + view.getUint32(start);
    if (end > bytes.length) break;
    yield {
      name: wordAt(bytes, start + 4, 4),
      data: bytes.subarray(start + 8, end - 4),
      start,
      end,
    };
    start = end;
  }
}

export function readPngParts(bytes: Uint8Array): Anatomy {
  const spans: [number, number][] = [[0, SIGNATURE_BYTES]];
  const seen = new Set<string>();
  let orientation = 1;
  let foreignColours = false;
  const count = new PartCount();
  for (const { name: part, data, start, end } of partsOf(bytes, SIGNATURE_BYTES)) {
    if (seen.has("IEND")) break;
    count.add();
    if (part === "eXIf" && !seen.has(part)) orientation = orientationIn(data);
    let looks = LOOKS.has(part);
    if (part === "iCCP") {
      const profile = seen.has(part) ? undefined : readPackedProfile(data);
      foreignColours ||= profile?.foreign ?? false;
      looks = profile?.worthKeeping ?? false;
    }
    seen.add(part);
    if (looks) spans.push([start, end]);
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
