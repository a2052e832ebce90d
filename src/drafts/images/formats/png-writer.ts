import { promisify } from "node:util";
import { deflate } from "node:zlib";
import type { Size } from "../picture.ts";

export const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
/** Eight bits of each of three colours, packed, in rows from above. */
const LOOK = [8, 2, 0, 0, 0];
/** Each byte is told by what it differs from the same colour of the pixel before it. */
const BY_THE_PIXEL_BEFORE = 1;

const deflated = promisify(deflate);

export function part(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
  return framed;
}

/** The rows as they are packed: what nothing shows through needs no fourth byte. */
function rowsOf(pixels: Uint8ClampedArray, { width, height }: Size): Uint8Array {
  const rows = new Uint8Array(height * (1 + 3 * width));
  let at = 0;
  for (let row = 0; row < pixels.length; row += 4 * width) {
    rows[at++] = BY_THE_PIXEL_BEFORE;
    for (let from = row; from < row + 4 * width; from++) {
      if (from % 4 === 3) continue;
      const before = from - row < 4 ? 0 : (pixels[from - 4] ?? 0);
      rows[at++] = (pixels[from] ?? 0) - before;
    }
  }
  return rows;
}

/**
 * A PNG of pixels that nothing shows through. The drawing library tries every way to tell each row, which takes
 * three times as long, and for the gradients of our cards comes to larger files.
 */
export async function writePng(pixels: Uint8ClampedArray, size: Size): Promise<Uint8Array> {
  const head = Buffer.alloc(8 + LOOK.length);
  head.writeUInt32BE(size.width, 0);
  head.writeUInt32BE(size.height, 4);
  head.set(LOOK, 8);
  const packed = await deflated(rowsOf(pixels, size));
  const parts = [part("IHDR", head), part("IDAT", packed), part("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...parts]);
}
