// Pictures as people bring them, whole and broken, made of real bytes.
import { createCanvas, GifEncoder } from "@napi-rs/canvas";

type Paint = "flat" | "photo" | "clear";

/** `photo` is noise over a gradient, which no encoder makes small; `clear` leaves one half transparent. */
function painted(width: number, height: number, paint: Paint) {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#d03020";
  pen.fillRect(0, 0, paint === "clear" ? width / 2 : width, height);
  if (paint === "photo") {
    const pixels = pen.getImageData(0, 0, width, height);
    let seed = 7;
    for (let at = 0; at < pixels.data.length; at += 1) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      pixels.data[at] = at % 4 === 3 ? 255 : (seed >> 16) & 255;
    }
    pen.putImageData(pixels, 0, 0);
  }
  return canvas;
}

export async function picture(
  kind: "jpeg" | "png" | "webp" | "avif" | "gif",
  width = 120,
  height = 80,
  paint: Paint = "flat",
): Promise<Buffer> {
  const canvas = painted(width, height, paint);
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

export function bitmap(width: number, height: number): Buffer {
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(54 + width * height * 4, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(32, 28);
  return Buffer.concat([head, Buffer.alloc(width * height * 4, 0xff)]);
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

/** Adds what a phone does: which side is up, where it was, and a remark. */
export function fromPhone(jpeg: Buffer, orientation: number): Buffer {
  const place = Buffer.from(PLACE, "latin1");
  const exif = Buffer.alloc(32);
  exif.write("Exif\0\0MM", 0, "latin1");
  exif.writeUInt16BE(42, 8);
  exif.writeUInt32BE(8, 10);
  exif.writeUInt16BE(1, 14);
  exif.writeUInt16BE(0x0112, 16);
  exif.writeUInt16BE(3, 18);
  exif.writeUInt32BE(1, 20);
  exif.writeUInt16BE(orientation, 24);
  const segments = [segment(0xe1, Buffer.concat([exif, place])), segment(0xfe, place)];
  // Phones also hang a film behind the end of the picture.
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), place]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** A PNG with a remark of where it was taken. */
export function remarkedPng(png: Buffer): Buffer {
  const data = Buffer.from(`tEXtComment\0${PLACE}`, "latin1");
  const part = Buffer.alloc(data.length + 8);
  part.writeUInt32BE(data.length - 4, 0);
  data.copy(part, 4);
  part.writeUInt32BE(Bun.hash.crc32(data), data.length + 4);
  return Buffer.concat([png.subarray(0, 33), part, png.subarray(33)]);
}
