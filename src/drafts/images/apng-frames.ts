import { viewOf, wordAt } from "./anatomy.ts";
import type { Animation, Frame } from "./animation.ts";

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const FRAME_BYTES = 12;
const CONTROL_BYTES = 26;
/** What says how all frames are to be read. */
const COMMON = new Set("PLTE tRNS gAMA cHRM iCCP sRGB sBIT cICP".split(" "));
const AFTER = ["keep", "clear", "restore"] as const;

function part(name: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Bun.hash.crc32(named));
  return Buffer.concat([length, named, sum]);
}

interface Step {
  readonly control: Uint8Array;
  readonly pixels: Uint8Array[];
}

/** The parts of a file, put in order; damaged ones were refused before. */
class Steps {
  header: Uint8Array = new Uint8Array();
  plays = 0;
  readonly common: Buffer[] = [];
  readonly steps: Step[] = [];

  take(name: string, data: Uint8Array): void {
    const step = this.steps.at(-1);
    if (name === "IHDR") this.header = data;
    else if (name === "acTL" && data.length >= 8) this.plays = viewOf(data).getUint32(4);
    else if (name === "fcTL" && data.length >= CONTROL_BYTES) {
      this.steps.push({ control: data, pixels: [] });
    } else if (name === "IDAT") step?.pixels.push(data);
    // Each begins with its number in the row of all frames.
    else if (name === "fdAT") step?.pixels.push(data.subarray(4));
    else if (COMMON.has(name) && step === undefined) this.common.push(part(name, data));
  }

  frame({ control, pixels }: Step): Frame {
    const view = viewOf(control);
    const [width, height] = [view.getUint32(4), view.getUint32(8)];
    const header = Buffer.from(this.header);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    const data = part("IDAT", Buffer.concat(pixels));
    const end = part("IEND", new Uint8Array());
    return {
      still: Buffer.concat([SIGNATURE, part("IHDR", header), ...this.common, data, end]),
      x: view.getUint32(12),
      y: view.getUint32(16),
      width,
      height,
      // In parts of a second; without a divisor they are hundredths.
      delayMs: (view.getUint16(20) * 1_000) / (view.getUint16(22) || 100),
      after: AFTER[view.getUint8(24)] ?? "keep",
      over: view.getUint8(25) === 1,
    };
  }
}

/** The frames of an animated PNG. The picture for readers who know no animations may be none of them. */
export function readApng(bytes: Uint8Array): Animation | undefined {
  const view = viewOf(bytes);
  const found = new Steps();
  for (let at = SIGNATURE.length; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + FRAME_BYTES + view.getUint32(at);
    if (end > bytes.length) break;
    found.take(wordAt(bytes, at + 4, 4), bytes.subarray(at + 8, end - 4));
    at = end;
  }
  if (found.header.length < 13) return undefined;
  const size = viewOf(found.header);
  return {
    width: size.getUint32(0),
    height: size.getUint32(4),
    plays: found.plays,
    frames: found.steps.filter(({ pixels }) => pixels.length > 0).map((step) => found.frame(step)),
  };
}
