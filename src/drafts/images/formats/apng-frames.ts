import { type Animation, FRAMES_MAX, type Frame } from "../animation.ts";
import { viewOf } from "./anatomy.ts";
import { partsOf } from "./png-parts.ts";
import { part, SIGNATURE } from "./png-writer.ts";

const CONTROL_BYTES = 26;
const PALETTE_BYTES_MAX = 768;
const NUMBERS_BYTES_MAX = 32;
/** Those of screens have a few kilobytes. */
const PROFILE_BYTES_MAX = 64 * 1024;
/** What says how all frames are to be read, and how much of it: each frame is given a copy. */
const COMMON_BYTES_MAX: ReadonlyMap<string, number> = new Map([
  ["PLTE", PALETTE_BYTES_MAX],
  ["tRNS", PALETTE_BYTES_MAX],
  ["gAMA", NUMBERS_BYTES_MAX],
  ["cHRM", NUMBERS_BYTES_MAX],
  ["sRGB", NUMBERS_BYTES_MAX],
  ["sBIT", NUMBERS_BYTES_MAX],
  ["cICP", NUMBERS_BYTES_MAX],
  ["iCCP", PROFILE_BYTES_MAX],
]);
const AFTER = ["keep", "clear", "restore"] as const;

interface Step {
  readonly control: Uint8Array;
  /** Where its own parts begin, and where the last of its pixels ends. */
  readonly from: number;
  to: number;
}

/** The parts of a file, put in order; damaged ones were refused before. */
interface Ordered {
  readonly parts: Uint8Array;
  header: Uint8Array;
  plays: number;
  readonly steps: Step[];
  readonly common: Map<string, Buffer>;
}

/** Nothing where there are more steps than anybody shows; reading stops there. */
function ordered(parts: Uint8Array): Ordered | undefined {
  const header = new Uint8Array();
  const found: Ordered = { parts, header, plays: 0, steps: [], common: new Map() };
  const { steps, common } = found;
  for (const { name, data, end } of partsOf(parts)) {
    const step = steps.at(-1);
    if (name === "IHDR") found.header = data;
    else if (name === "acTL" && data.length >= 8) found.plays = viewOf(data).getUint32(4);
    else if (name === "fcTL" && data.length >= CONTROL_BYTES) {
      steps.push({ control: data, from: end, to: end });
    } else if (step === undefined) {
      const isCommon = data.length <= (COMMON_BYTES_MAX.get(name) ?? -1);
      if (isCommon && !common.has(name)) common.set(name, part(name, data));
    } else if (name === "IDAT" || name === "fdAT") step.to = end;
    if (steps.length > FRAMES_MAX) return undefined;
  }
  return found;
}

function stillOf({ parts, header, common }: Ordered, { control, from, to }: Step): Uint8Array {
  const sides = control.subarray(4, 12);
  const head = part("IHDR", Buffer.concat([sides, header.subarray(8)]));
  const pixels: Uint8Array[] = [];
  for (const { name, data } of partsOf(parts.subarray(from, to))) {
    if (name === "IDAT") pixels.push(data);
    // Each begins with its number in the row of all frames.
    if (name === "fdAT") pixels.push(data.subarray(4));
  }
  const data = part("IDAT", Buffer.concat(pixels));
  const end = part("IEND", new Uint8Array());
  return Buffer.concat([SIGNATURE, head, ...common.values(), data, end]);
}

function frameOf(found: Ordered, step: Step): Frame {
  const view = viewOf(step.control);
  return {
    still: () => stillOf(found, step),
    x: view.getUint32(12),
    y: view.getUint32(16),
    width: view.getUint32(4),
    height: view.getUint32(8),
    // In parts of a second; without a divisor they are hundredths.
    delayMs: (view.getUint16(20) * 1_000) / (view.getUint16(22) || 100),
    after: AFTER[view.getUint8(24)] ?? "keep",
    over: view.getUint8(25) === 1,
  };
}

/**
 * The frames of an animated PNG; nothing where they are more than anybody shows. The picture for readers
 * who know no animations may be none of them.
 */
export function readApng(bytes: Uint8Array): Animation | undefined {
  const found = ordered(bytes.subarray(SIGNATURE.length));
  if (!found || found.header.length < 13) return undefined;
  const size = viewOf(found.header);
  return {
    width: size.getUint32(0),
    height: size.getUint32(4),
    plays: found.plays,
    frames: found.steps.filter(({ from, to }) => to > from).map((step) => frameOf(found, step)),
  };
}
