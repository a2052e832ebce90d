import type { Canvas, Image } from "@napi-rs/canvas";
import { type Animation, FRAMES_MAX, type Frame, isSound } from "../animation.ts";
import type { Size } from "../picture.ts";
import { canvasLibrary } from "../pixels.ts";

export interface MovingFile extends Size {
  readonly bytes: Uint8Array;
}

/** Of all frames together, as they are read, and as they are written. */
const READ_PIXELS_MAX = 300_000_000;
const WRITTEN_PIXELS_MAX = 16_000_000;
/** The column of an article has 677 pixels; below the other, little is to be seen. */
const WIDTH_MAX = 720;
const WIDTH_MIN = 160;
const TRIES_MAX = 3;
/** Each try is a little smaller than the last one's bytes ask for. */
const SHRINK = 0.9;
/** Shorter steps are taken for a mistake by browsers, and shown for a tenth of a second. */
const DELAY_MS_MIN = 20;
/** Between 1, the finest and slowest choice of colours, and 30. */
const COLOUR_CARE = 10;
const OPAQUE = 128;
const REPEATING = "NETSCAPE2.0";
const REPEATING_BYTES = 19;

interface Painted {
  /** Four bytes for each pixel: either opaque, or not there. */
  readonly pixels: Uint32Array;
  readonly delayMs: number;
}

interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

function scaled({ x, y, width, height }: Frame, scale: number): Box {
  const [left, top] = [Math.floor(x * scale), Math.floor(y * scale)];
  const [right, bottom] = [Math.ceil((x + width) * scale), Math.ceil((y + height) * scale)];
  return { left, top, width: right - left, height: bottom - top };
}

/** A frame's own head may claim other sides than its place, and so much more memory. */
async function readFrame(frame: Frame): Promise<Image> {
  const { width, height } = frame;
  const still = frame.still();
  const claimed = await new Bun.Image(still).metadata();
  if (claimed.width !== width || claimed.height !== height) throw new Error("a frame lies");
  return (await canvasLibrary()).loadImage(still);
}

/** Formats with 256 steps of transparency meet one that has two: the rest is laid before white. */
function hardened(canvas: Canvas): Uint32Array {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 0;
    if (alpha === 255) continue;
    const isThere = alpha >= OPAQUE;
    for (let colour = at; colour < at + 3; colour += 1) {
      data[colour] = isThere ? 255 + (((data[colour] ?? 0) - 255) * alpha) / 255 : 0;
    }
    data[at + 3] = isThere ? 255 : 0;
  }
  return new Uint32Array(data.buffer, data.byteOffset, data.length / 4);
}

/** Every step as it is seen, one after the other. */
async function paint(animation: Animation, scale: number, canvas: Canvas): Promise<Painted[]> {
  const pen = canvas.getContext("2d");
  const painted: Painted[] = [];
  for (const frame of animation.frames) {
    const { left, top, width, height } = scaled(frame, scale);
    const image = await readFrame(frame);
    const before =
      frame.after === "restore" ? pen.getImageData(0, 0, canvas.width, canvas.height) : undefined;
    if (!frame.over) pen.clearRect(left, top, width, height);
    pen.drawImage(image, left, top, width, height);
    painted.push({ pixels: hardened(canvas), delayMs: frame.delayMs });
    if (frame.after === "clear") pen.clearRect(left, top, width, height);
    if (before) pen.putImageData(before, 0, 0);
  }
  return painted;
}

/** The smallest box around what differs; one pixel where nothing does. */
function changed(before: Uint32Array, now: Uint32Array, width: number): Box {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let at = 0; at < now.length; at += 1) {
    if (before[at] === now[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  if (top < 0) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function cut(pixels: Uint32Array, width: number, box: Box): Uint8Array {
  const part = new Uint32Array(box.width * box.height);
  for (let row = 0; row < box.height; row += 1) {
    const start = (box.top + row) * width + box.left;
    part.set(pixels.subarray(start, start + box.width), row * box.width);
  }
  return new Uint8Array(part.buffer);
}

/** Steps are written in hundredths of a second; what is lost by one is given to the next. */
function delays(painted: readonly Painted[]): readonly number[] {
  let owed = 0;
  return painted.map(({ delayMs }) => {
    const wanted = Math.max(delayMs, DELAY_MS_MIN) + owed;
    const written = Math.max(DELAY_MS_MIN, Math.round(wanted / 10) * 10);
    owed = wanted - written;
    return written;
  });
}

async function write(painted: readonly Painted[], canvas: Canvas, plays: number): Promise<Buffer> {
  const { GifEncoder, GifDisposal } = await canvasLibrary();
  const { width, height } = canvas;
  const repeat = plays === 0 ? 0 : Math.max(1, plays - 1);
  using encoder = new GifEncoder(width, height, { repeat, quality: COLOUR_CARE });
  // Where something shows through, each step begins on a clear canvas; elsewhere only changes are written.
  const isClear = painted.some(({ pixels }) => pixels.includes(0));
  const whole = { left: 0, top: 0, width, height };
  const waits = delays(painted);
  for (const [index, { pixels }] of painted.entries()) {
    const before = isClear ? undefined : painted[index - 1]?.pixels;
    const box = before ? changed(before, pixels, width) : whole;
    encoder.addFrame(cut(pixels, width, box), box.width, box.height, {
      delay: waits[index] ?? DELAY_MS_MIN,
      disposal: isClear ? GifDisposal.Background : GifDisposal.Keep,
      left: box.left,
      top: box.top,
    });
  }
  return plays === 1 ? withoutRepeating(encoder.finish()) : encoder.finish();
}

/** To play once is not to say how often. */
function withoutRepeating(gif: Buffer): Buffer {
  const at = gif.indexOf(REPEATING) - 3;
  if (at < 0) return gif;
  return Buffer.concat([gif.subarray(0, at), gif.subarray(at + REPEATING_BYTES)]);
}

/** An animation as a GIF of at most so many bytes; nothing where that would show too little of it. */
export async function writeGif(
  animation: Animation,
  bytesMax: number,
): Promise<MovingFile | undefined> {
  const { width, height, plays, frames } = animation;
  const read = frames.reduce((sum, frame) => sum + frame.width * frame.height, 0);
  const isTooMuch = frames.length > FRAMES_MAX || read > READ_PIXELS_MAX;
  if (frames.length < 2 || isTooMuch || !isSound(animation)) return undefined;
  const { createCanvas } = await canvasLibrary();
  const room = Math.sqrt(WRITTEN_PIXELS_MAX / (frames.length * width * height));
  let scale = Math.min(1, WIDTH_MAX / width, room);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const sides = [width, height].map((side) => Math.max(1, Math.ceil(side * scale)));
    const [wide = 1, high = 1] = sides;
    if (wide < Math.min(width, WIDTH_MIN)) return undefined;
    const canvas = createCanvas(wide, high);
    const bytes = await write(await paint(animation, scale, canvas), canvas, plays);
    if (bytes.length <= bytesMax) return { bytes, width: wide, height: high };
    scale *= SHRINK * Math.sqrt(bytesMax / bytes.length);
  }
  return undefined;
}
