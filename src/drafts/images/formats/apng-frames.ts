import { type Animation, FRAMES_MAX, type Frame } from "../animation.ts";
import { viewOf, wordAt } from "./anatomy.ts";
import { part, SIGNATURE } from "./png-writer.ts";

const FRAME_BYTES = 12;
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

interface Part {
  readonly name: string;
  readonly data: Uint8Array;
}

function* partsOf(bytes: Uint8Array): Generator<Part & { readonly end: number }> {
  const view = viewOf(bytes);
  for (let at = 0; at + FRAME_BYTES <= bytes.length; ) {
    const end = at + FRAME_BYTES + view.getUint32(at);
    if (end > bytes.length) break;
    yield { name: wordAt(bytes, at + 4, 4), data: bytes.subarray(at + 8, end - 4), end };
    at = end;
  }
}

function pixelsOf({ name, data }: Part): Uint8Array | undefined {
  if (name === "IDAT") return data;
  // Each begins with its number in the row of all frames.
  return name === "fdAT" ? data.subarray(4) : undefined;
}

interface Step {
  readonly control: Uint8Array;
  /** Where its own parts begin, and where the last of its pixels ends. */
  readonly from: number;
  to: number;
}

/** The parts of a file, put in order; damaged ones were refused before. */
class Steps {
  header: Uint8Array = new Uint8Array();
  plays = 0;
  readonly steps: Step[] = [];
  readonly #parts: Uint8Array;
  readonly #common = new Map<string, Buffer>();

  constructor(parts: Uint8Array) {
    this.#parts = parts;
  }

  /** Whether there are no more steps than anybody shows; above that, reading stops. */
  read(): boolean {
    for (const { name, data, end } of partsOf(this.#parts)) {
      this.#take(name, data, end);
      if (this.steps.length > FRAMES_MAX) return false;
    }
    return true;
  }

  #take(name: string, data: Uint8Array, end: number): void {
    const step = this.steps.at(-1);
    if (name === "IHDR") this.header = data;
    else if (name === "acTL" && data.length >= 8) this.plays = viewOf(data).getUint32(4);
    else if (name === "fcTL" && data.length >= CONTROL_BYTES) {
      this.steps.push({ control: data, from: end, to: end });
    } else if (step === undefined) this.#share(name, data);
    else if (name === "IDAT" || name === "fdAT") step.to = end;
  }

  #share(name: string, data: Uint8Array): void {
    if (data.length > (COMMON_BYTES_MAX.get(name) ?? -1) || this.#common.has(name)) return;
    this.#common.set(name, part(name, data));
  }

  #still({ from, to }: Step, width: number, height: number): Uint8Array {
    const header = Buffer.from(this.header);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    const pixels: Uint8Array[] = [];
    for (const found of partsOf(this.#parts.subarray(from, to))) {
      const more = pixelsOf(found);
      if (more) pixels.push(more);
    }
    const data = part("IDAT", Buffer.concat(pixels));
    const end = part("IEND", new Uint8Array());
    return Buffer.concat([SIGNATURE, part("IHDR", header), ...this.#common.values(), data, end]);
  }

  frame(step: Step): Frame {
    const view = viewOf(step.control);
    const [width, height] = [view.getUint32(4), view.getUint32(8)];
    return {
      still: () => this.#still(step, width, height),
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

/**
 * The frames of an animated PNG; nothing where they are more than anybody shows. The picture for readers
 * who know no animations may be none of them.
 */
export function readApng(bytes: Uint8Array): Animation | undefined {
  const found = new Steps(bytes.subarray(SIGNATURE.length));
  if (!found.read() || found.header.length < 13) return undefined;
  const size = viewOf(found.header);
  return {
    width: size.getUint32(0),
    height: size.getUint32(4),
    plays: found.plays,
    frames: found.steps.filter(({ from, to }) => to > from).map((step) => found.frame(step)),
  };
}
