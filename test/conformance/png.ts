import { deflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(Bun.hash.crc32(body), body.length + 4);
  return whole;
}

/** A real, black picture of the size asked for. */
export function blackPng(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of grey; the other three bytes of the header stay at their only legal value.
  header.writeUInt8(8, 8);
  const rows = deflateSync(Buffer.alloc((width + 1) * height));
  const chunks = [chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", new Uint8Array())];
  return new Uint8Array(Buffer.concat([Buffer.from(SIGNATURE), ...chunks]));
}
