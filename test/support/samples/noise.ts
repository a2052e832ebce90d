/** A piece of noise that is longer than any encoder looks back. */
const NOISE = madeNoise(262_148);

function madeNoise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let seed = 7;
  for (let at = 0; at < length; at += 1) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    bytes[at] = (seed >> 16) & 255;
  }
  return bytes;
}

/** Bytes that do not pack. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += NOISE.length) {
    bytes.set(NOISE.subarray(0, Math.min(NOISE.length, length - at)), at);
  }
  return bytes;
}
