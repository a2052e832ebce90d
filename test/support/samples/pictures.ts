// Pictures as people bring them, whole and broken, made of real bytes.
import { deflateSync } from "node:zlib";
import { createCanvas, GifEncoder } from "@napi-rs/canvas";
import { noise } from "./noise.ts";

type Paint = "flat" | "photo" | "clear" | "clear photo";

/** `photo` is noise, which no encoder makes small; what is `clear` has one half that is transparent. */
function painted(width: number, height: number, paint: Paint) {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#d03020";
  pen.fillRect(0, 0, paint === "clear" ? width / 2 : width, height);
  if (paint.endsWith("photo")) {
    const pixels = pen.getImageData(0, 0, width, height);
    pixels.data.set(noise(pixels.data.length));
    const seenTo = paint === "photo" ? width : width / 2;
    for (let at = 3; at < pixels.data.length; at += 4) {
      pixels.data[at] = ((at - 3) / 4) % width < seenTo ? 255 : 0;
    }
    pen.putImageData(pixels, 0, 0);
  }
  return canvas;
}

type Kind = "jpeg" | "png" | "webp" | "avif" | "gif";

/** Those that were made before: to encode the large ones takes a second. */
const made = new Map<string, Promise<Buffer>>();

export async function picture(
  kind: Kind,
  width = 120,
  height = 80,
  paint: Paint = "flat",
): Promise<Buffer> {
  const name = [kind, width, height, paint].join();
  const bytes = made.get(name) ?? encoded(kind, width, height, paint);
  made.set(name, bytes);
  return Buffer.from(await bytes);
}

/** From so many pixels on a PNG of noise is written as it is: to find out that it does not pack takes a second. */
const UNPACKED_PIXELS_MIN = 500_000;

function unpackedPng(canvas: ReturnType<typeof painted>): Buffer {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const rows = Buffer.alloc(height * (1 + 4 * width));
  for (let row = 0; row < height; row += 1) {
    rows.set(data.subarray(row * 4 * width, (row + 1) * 4 * width), row * (1 + 4 * width) + 1);
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 6, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngPart("IHDR", head),
    pngPart("IDAT", deflateSync(rows, { level: 0 })),
    pngPart("IEND", Buffer.alloc(0)),
  ]);
}

async function encoded(kind: Kind, width: number, height: number, paint: Paint): Promise<Buffer> {
  const canvas = painted(width, height, paint);
  const isHuge = width * height >= UNPACKED_PIXELS_MIN;
  if (kind === "png" && paint.endsWith("photo") && isHuge) return unpackedPng(canvas);
  if (kind === "gif") return canvas.encode("gif");
  if (kind === "avif") return canvas.encode("avif", { speed: 10 });
  if (kind === "png") return canvas.encode("png");
  return canvas.encode(kind);
}

export function animatedGif(width: number, height: number): Buffer {
  const encoder = new GifEncoder(width, height, { repeat: 0 });
  for (const paint of ["flat", "clear"] as const) {
    const { data } = painted(width, height, paint)
      .getContext("2d")
      .getImageData(0, 0, width, height);
    encoder.addFrame(new Uint8Array(data), width, height, { delay: 100 });
  }
  return Buffer.from(encoder.finish());
}

function chunk(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

function uint24(value: number): Buffer {
  return Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);
}

/** Two equal frames around the coded pixels of a still picture. */
export function animatedWebp(still: Buffer, width: number, height: number): Buffer {
  let coded: Buffer | undefined;
  for (let at = 12; at < still.length; ) {
    const end = at + 8 + still.readUInt32LE(at + 4) + (still.readUInt32LE(at + 4) & 1);
    if (still.toString("latin1", at, at + 3) === "VP8" && still[at + 3] !== 88) {
      coded = still.subarray(at, end);
    }
    at = end;
  }
  if (coded === undefined) throw new Error("no pixels");
  const place = [uint24(0), uint24(0), uint24(width - 1), uint24(height - 1), uint24(100)];
  const frame = chunk("ANMF", Buffer.concat([...place, Buffer.from([0]), coded]));
  const flags = Buffer.from([0x02, 0, 0, 0]);
  const head = chunk("VP8X", Buffer.concat([flags, uint24(width - 1), uint24(height - 1)]));
  const loop = chunk("ANIM", Buffer.alloc(6));
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), head, loop, frame, frame]));
}

interface BitmapLook {
  readonly depth?: 1 | 4 | 8 | 16 | 24 | 32;
  /** Whether the first row is the upper one. */
  readonly topDown?: boolean;
  /** The head of the first bitmaps, with sides of two bytes. */
  readonly oldest?: boolean;
}

/** Palettes are padded to their depth; their second colour is that of every other picture here. */
const BITMAP_COLOURS = [
  [255, 255, 255],
  [208, 48, 32],
] as const;

function bitmapPixels(depth: number, width: number, height: number): Buffer {
  const row = Buffer.alloc(Math.ceil((width * depth) / 32) * 4);
  for (let x = 0; x < width; x += 1) {
    const isRed = x < width / 2;
    const [red, green, blue] = BITMAP_COLOURS[isRed ? 1 : 0];
    if (depth >= 24) row.set([blue, green, red], (x * depth) / 8);
    else if (depth === 16)
      row.writeUInt16LE(((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3), x * 2);
    else if (isRed)
      row[(x * depth) >> 3] = (row[(x * depth) >> 3] ?? 0) | (1 << (8 - depth - ((x * depth) & 7)));
  }
  return Buffer.concat(Array<Buffer>(height).fill(row));
}

/** Red on the left and white on the right. */
export function bitmap(width: number, height: number, look: BitmapLook = {}): Buffer {
  const { depth = 32, topDown = false, oldest = false } = look;
  const colours = depth <= 8 ? 2 ** depth : 0;
  const [headBytes, colourBytes] = oldest ? [12, 3] : [40, 4];
  const start = 14 + headBytes + colours * colourBytes;
  const pixels = bitmapPixels(depth, width, height);
  const head = Buffer.alloc(start);
  head.write("BM");
  head.writeUInt32LE(start + pixels.length, 2);
  head.writeUInt32LE(start, 10);
  head.writeUInt32LE(headBytes, 14);
  if (oldest)
    for (const [at, value] of [width, height, 1, depth].entries())
      head.writeUInt16LE(value, 18 + at * 2);
  else {
    head.writeInt32LE(width, 18);
    head.writeInt32LE(topDown ? -height : height, 22);
    head.writeUInt16LE(1, 26);
    head.writeUInt16LE(depth, 28);
  }
  for (const [index, [red, green, blue]] of BITMAP_COLOURS.slice(0, colours).entries()) {
    head.set([blue, green, red], 14 + headBytes + index * colourBytes);
  }
  return Buffer.concat([head, pixels]);
}

/** A bitmap of 256 colours whose rows are packed as runs (RLE8). */
export function packedBitmap(width: number, height: number, packed: readonly number[]): Buffer {
  const plain = bitmap(1, 1, { depth: 8 });
  const head = Buffer.from(plain.subarray(0, plain.readUInt32LE(10)));
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt32LE(1, 30);
  head.writeUInt32LE(packed.length, 34);
  head.writeUInt32LE(head.length + packed.length, 2);
  return Buffer.concat([head, Buffer.from(packed)]);
}

interface PngStep {
  readonly png: Buffer;
  readonly x?: number;
  readonly y?: number;
  /** 0 stays, 1 is cleared, 2 gives way to what was there. */
  readonly dispose?: number;
  readonly over?: boolean;
  readonly delayMs?: number;
}

function pngPixels(png: Buffer): Buffer {
  const found: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") found.push(png.subarray(at + 8, end));
  }
  return Buffer.concat(found);
}

/** An animated PNG of still ones, the first of which covers the canvas. */
export function pngOf(steps: readonly PngStep[], plays = 0): Buffer {
  const [first] = steps;
  if (!first) throw new Error("no steps");
  let number = 0;
  const uint32 = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
    return bytes;
  };
  const parts = steps.map(({ png, x = 0, y = 0, dispose = 0, over = false, delayMs = 100 }, at) => {
    const times = Buffer.alloc(4);
    times.writeUInt16BE(delayMs, 0);
    times.writeUInt16BE(1_000, 2);
    const place = uint32(number++, png.readUInt32BE(16), png.readUInt32BE(20), x, y);
    const modes = Buffer.from([dispose, over ? 1 : 0]);
    const pixels = pngPixels(png);
    const data =
      at === 0
        ? pngPart("IDAT", pixels)
        : pngPart("fdAT", Buffer.concat([uint32(number++), pixels]));
    return Buffer.concat([pngPart("fcTL", Buffer.concat([place, times, modes])), data]);
  });
  const control = pngPart("acTL", uint32(steps.length, plays));
  const head = first.png.subarray(0, 33);
  return Buffer.concat([head, control, ...parts, pngPart("IEND", Buffer.alloc(0))]);
}

/** Red, and then red on one half only. */
export async function animatedPng(width: number, height: number): Promise<Buffer> {
  const stills = [
    await picture("png", width, height),
    await picture("png", width, height, "clear"),
  ];
  return pngOf(stills.map((png) => ({ png })));
}

/** A small file whose head claims a huge picture. */
export function pngClaiming(png: Buffer, width: number, height: number): Buffer {
  const bomb = Buffer.from(png);
  bomb.writeUInt32BE(width, 16);
  bomb.writeUInt32BE(height, 20);
  bomb.writeUInt32BE(Bun.hash.crc32(bomb.subarray(12, 29)), 29);
  return bomb;
}

export const PLACE = "GPS 31.2304N 121.4737E";

/** What a camera writes of which side is up. */
function exif(orientation: number): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.write("MM", 0, "latin1");
  bytes.writeUInt16BE(42, 2);
  bytes.writeUInt32BE(8, 4);
  bytes.writeUInt16BE(1, 8);
  bytes.writeUInt16BE(0x0112, 10);
  bytes.writeUInt16BE(3, 12);
  bytes.writeUInt32BE(1, 14);
  bytes.writeUInt16BE(orientation, 18);
  return bytes;
}

/** Adds what a phone does: which side is up, where it was, and a remark. */
export function fromPhone(jpeg: Buffer, orientation: number): Buffer {
  const place = Buffer.from(PLACE, "latin1");
  const mark = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), exif(orientation), place]);
  const segments = [segment(0xe1, mark), segment(0xfe, place)];
  // Phones also hang a film behind the end of the picture.
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), place]);
}

export function turnedPng(png: Buffer, orientation: number): Buffer {
  return withPngPart(png, "eXIf", exif(orientation));
}

/** A still WebP that says which side is up. */
export function turnedWebp(webp: Buffer, orientation: number): Buffer {
  const isLong = webp.toString("latin1", 12, 16) === "VP8X";
  if (!isLong) throw new Error("a WebP without a head of its own");
  const { width, height } = sidesOf(webp);
  const head = chunk(
    "VP8X",
    Buffer.concat([Buffer.from([8, 0, 0, 0]), uint24(width), uint24(height)]),
  );
  const parts = [Buffer.from("WEBP"), head, webp.subarray(30), chunk("EXIF", exif(orientation))];
  return chunk("RIFF", Buffer.concat(parts));
}

function sidesOf(webp: Buffer): { width: number; height: number } {
  return { width: webp.readUIntLE(24, 3), height: webp.readUIntLE(27, 3) };
}

/** A colour profile in which red and green have changed places. */
function swappedProfile(): Buffer {
  const fixed = (value: number) => Math.round(value * 65_536);
  const colour = (x: number, y: number, z: number) => {
    const tag = Buffer.alloc(20);
    tag.write("XYZ ");
    for (const [at, value] of [x, y, z].entries()) tag.writeInt32BE(fixed(value), 8 + at * 4);
    return tag;
  };
  const curve = Buffer.alloc(16);
  curve.write("curv");
  curve.writeUInt32BE(1, 8);
  curve.writeUInt16BE(Math.round(2.2 * 256), 12);
  const tags: readonly [string, Buffer][] = [
    ["rXYZ", colour(0.3851, 0.7169, 0.0971)],
    ["gXYZ", colour(0.436, 0.2225, 0.0139)],
    ["bXYZ", colour(0.1431, 0.0606, 0.7141)],
    ["wtpt", colour(0.9642, 1, 0.8249)],
    ["rTRC", curve],
    ["gTRC", curve],
    ["bTRC", curve],
  ];
  const head = Buffer.alloc(128 + 4 + tags.length * 12);
  head.writeUInt32BE(0x02400000, 8);
  head.write("mntrRGB XYZ ", 12);
  head.write("acsp", 36);
  for (const [at, value] of [0.9642, 1, 0.8249].entries())
    head.writeInt32BE(fixed(value), 68 + at * 4);
  head.writeUInt32BE(tags.length, 128);
  let offset = head.length;
  for (const [index, [name, data]] of tags.entries()) {
    head.write(name, 132 + index * 12);
    head.writeUInt32BE(offset, 136 + index * 12);
    head.writeUInt32BE(data.length, 140 + index * 12);
    offset += data.length;
  }
  head.writeUInt32BE(offset, 0);
  return Buffer.concat([head, ...tags.map(([, data]) => data)]);
}

/** The same bytes, meant in other colours. */
export function swappedJpeg(jpeg: Buffer): Buffer {
  const mark = Buffer.from("ICC_PROFILE\0\x01\x01", "latin1");
  const part = segment(0xe2, Buffer.concat([mark, swappedProfile()]));
  return Buffer.concat([jpeg.subarray(0, 2), part, jpeg.subarray(2)]);
}

export function swappedPng(png: Buffer): Buffer {
  const name = Buffer.from("swapped\0\0", "latin1");
  return withPngPart(png, "iCCP", Buffer.concat([name, deflateSync(swappedProfile())]));
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

function pngPart(name: string, content: Uint8Array): Buffer {
  const data = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const part = Buffer.alloc(data.length + 8);
  part.writeUInt32BE(content.length, 0);
  data.copy(part, 4);
  part.writeUInt32BE(Bun.hash.crc32(data), data.length + 4);
  return part;
}

export function withPngPart(png: Buffer, name: string, content: Uint8Array): Buffer {
  return Buffer.concat([png.subarray(0, 33), pngPart(name, content), png.subarray(33)]);
}

/** A PNG with a remark of where it was taken. */
export function remarkedPng(png: Buffer): Buffer {
  return withPngPart(png, "tEXt", Buffer.from(`Comment\0${PLACE}`, "latin1"));
}

const DC_SIZES = 12;

/** A JPEG of 16 × 8 in the four inks of print, each 0 to 255, as picture editors write it. */
export function printJpeg(inks: readonly [number, number, number, number]): Buffer {
  const table = segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)]));
  const parts = inks.flatMap((_ink, index) => [index + 1, 0x11, 0]);
  const frame = segment(0xc0, Buffer.from([8, 0, 8, 0, 16, 4, ...parts]));
  // Twelve sizes of means in four bits each; of everything finer only "no more", in one.
  const counts = [0, 0, 0, DC_SIZES, ...Array<number>(12).fill(0)];
  const means = segment(0xc4, Buffer.from([0x00, ...counts, ...Array(DC_SIZES).keys()]));
  const rest = segment(0xc4, Buffer.from([0x10, 1, ...Array<number>(15).fill(0), 0]));
  const adobe = segment(0xee, Buffer.from("Adobe\0\x64\0\0\0\0\0", "latin1"));
  const scanned = inks.flatMap((_ink, index) => [index + 1, 0]);
  const scan = segment(0xda, Buffer.from([4, ...scanned, 0, 63, 0]));
  let bits = "";
  // Adobe writes how much paper is left; the second block of an ink differs from its first by nothing.
  for (const ink of inks) bits += meanBits((255 - ink - 128) * 8);
  bits += inks.map(() => meanBits(0)).join("");
  const bytes = (bits + "1".repeat((8 - (bits.length % 8)) % 8)).match(/.{8}/g) ?? [];
  const coded = bytes.flatMap((byte) => (byte === "11111111" ? [255, 0] : [parseInt(byte, 2)]));
  const [start, end] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
  return Buffer.concat([start, adobe, table, frame, means, rest, scan, Buffer.from(coded), end]);
}

function meanBits(mean: number): string {
  const size = mean === 0 ? 0 : Math.abs(mean).toString(2).length;
  const written = mean < 0 ? mean + 2 ** size - 1 : mean;
  const value = size === 0 ? "" : written.toString(2).padStart(size, "0");
  return `${size.toString(2).padStart(4, "0")}${value}0`;
}
