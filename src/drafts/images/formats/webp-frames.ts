import { type Animation, FRAMES_MAX, type Frame } from "../animation.ts";
import { viewOf } from "./anatomy.ts";
import { ALPHA, animationSize, HEAD_BYTES, partsOf, uint24At } from "./webp-parts.ts";

const PLACE_BYTES = 16;
const CLEAR = 1;
const REPLACE = 2;

function part(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

/** A picture of its own around the pixels of a frame. */
function stillOf(data: Uint8Array): Buffer {
  const kept = new Map<string, Uint8Array>();
  for (const { name, data: coded } of partsOf(data, PLACE_BYTES)) {
    if (/^(?:ALPH|VP8 |VP8L)$/.test(name) && !kept.has(name)) kept.set(name, coded);
  }
  const isClear = kept.has("ALPH");
  // The sides stand in the place of the frame as they do in the head of a picture.
  const sides = data.subarray(6, 12);
  const head = part("VP8X", Buffer.concat([Buffer.from([isClear ? ALPHA : 0, 0, 0, 0]), sides]));
  const pixels = [...kept].map(([name, coded]) => part(name, coded));
  const parts = [Buffer.from("WEBP"), ...(isClear ? [head] : []), ...pixels];
  return part("RIFF", Buffer.concat(parts));
}

function frameOf(data: Uint8Array): Frame {
  const flags = data[15] ?? 0;
  return {
    still: () => stillOf(data),
    // Counted in steps of two.
    x: uint24At(data, 0) * 2,
    y: uint24At(data, 3) * 2,
    width: uint24At(data, 6) + 1,
    height: uint24At(data, 9) + 1,
    delayMs: uint24At(data, 12),
    after: (flags & CLEAR) !== 0 ? "clear" : "keep",
    over: (flags & REPLACE) === 0,
  };
}

/** Nothing where it has more frames than anybody shows. */
export function readMovingWebp(bytes: Uint8Array): Animation | undefined {
  let plays = 0;
  const frames: Frame[] = [];
  for (const { name, data } of partsOf(bytes, HEAD_BYTES)) {
    if (name === "ANIM" && data.length >= 6) plays = viewOf(data).getUint16(4, true);
    if (name === "ANMF" && data.length > PLACE_BYTES) frames.push(frameOf(data));
    if (frames.length > FRAMES_MAX) return undefined;
  }
  return { ...animationSize(bytes), plays, frames };
}
