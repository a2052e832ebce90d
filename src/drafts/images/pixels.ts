import type { Canvas } from "@napi-rs/canvas";
import { Fault } from "../../lib/faults.ts";

/** A library of the system that the drawing library needs, as the system names it. */
const MISSING = /\b(lib[\w.+-]+\.so[.\d]*): cannot open shared object file/;

/** It tries a few files and no more. */
const REASONS_MAX = 20;

/** The first lines of an error and of its causes. The library tells the real reason last. */
function reasonsOf(thrown: unknown): readonly string[] {
  const reasons: string[] = [];
  for (
    let each = thrown;
    each instanceof Error && reasons.length < REASONS_MAX;
    each = each.cause
  ) {
    reasons.push(each.message.split("\n")[0] ?? "");
  }
  return reasons;
}

/** Says why the drawing library does not load, and what the operator does then. */
function refusal(thrown: unknown): Fault {
  const reasons = reasonsOf(thrown);
  const reason = reasons.find((each) => MISSING.test(each)) ?? reasons[0] ?? String(thrown);
  const [, missing] = MISSING.exec(reason) ?? [];
  const fix = missing
    ? `Install ${missing} on the server.`
    : Bun.isStandaloneExecutable
      ? "Set TMPDIR to a folder that the server may write to and run programs from: the library is unpacked there."
      : 'Run "npm install" on the server.';
  const message = `The library that draws pictures does not load. ${fix} The system says: ${reason}`;
  return new Fault("internal_error", message, { cause: thrown });
}

/** Loads the drawing library with the first picture that needs it, because it weighs tens of megabytes. */
export async function canvasLibrary(): Promise<typeof import("@napi-rs/canvas")> {
  try {
    return await import("@napi-rs/canvas");
  } catch (thrown) {
    throw refusal(thrown);
  }
}

async function drawn(bytes: Uint8Array, background?: string): Promise<Canvas> {
  const { createCanvas, loadImage } = await canvasLibrary();
  const image = await loadImage(bytes);
  const { width, height } = image;
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext("2d");
  if (background !== undefined) {
    pen.fillStyle = background;
    pen.fillRect(0, 0, width, height);
  }
  pen.drawImage(image, 0, 0);
  return canvas;
}

/** Whatever the drawing library can read, as a PNG; of an animation, its first frame. */
export async function drawnPng(bytes: Uint8Array): Promise<Uint8Array> {
  return (await drawn(bytes)).encode("png");
}

/** A PNG turned as the mark of a camera says. */
export function turned(bytes: Uint8Array, orientation: number): Promise<Uint8Array> {
  const image = new Bun.Image(bytes).png();
  if (orientation === 3) image.rotate(180);
  if (orientation === 8) image.rotate(270);
  if (orientation >= 5 && orientation <= 7) image.rotate(90);
  if (orientation === 2 || orientation === 5) image.flop();
  if (orientation === 4 || orientation === 7) image.flip();
  return image.bytes();
}

/** The picture before white, as paper would show it. */
export async function drawnOnWhite(bytes: Uint8Array): Promise<Uint8Array> {
  return (await drawn(bytes, "#ffffff")).encode("png");
}

const SAMPLE_PX = 64;

/**
 * Whether anything shows through. Most pictures that could be transparent are not; a small copy, in
 * which every cell is the mean of what it stands for, tells it without unpacking all here.
 */
export async function isTransparent(bytes: Uint8Array): Promise<boolean> {
  const sample = await new Bun.Image(bytes)
    .resize(SAMPLE_PX, SAMPLE_PX, { filter: "box" })
    .png()
    .bytes();
  const canvas = await drawn(sample);
  const { data } = canvas.getContext("2d").getImageData(0, 0, SAMPLE_PX, SAMPLE_PX);
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 255) < 255) return true;
  return false;
}
