const HEAD_BYTES = 4;
/** How many bytes say the size, by two bits of the frame's descriptor, and what is added to it. */
const SIZE_BYTES = [0, 2, 4, 8];
const TWO_BYTES_FROM = 256;
const DICTIONARY_BYTES = [0, 1, 2, 4];

/**
 * How many bytes a zstd frame unpacks to, as its first bytes say (RFC 8878, 3.1.1.1): nothing of it has to be unpacked
 * for that. Zero where they do not say it.
 */
export function unpackedBytes(frame: Uint8Array): number {
  const descriptor = frame[HEAD_BYTES] ?? 0;
  // Then the size stands in place of the window, and has a byte at least.
  const isSingle = (descriptor & 0x20) !== 0;
  const sizeBytes = SIZE_BYTES[descriptor >> 6] || (isSingle ? 1 : 0);
  const windowBytes = isSingle ? 0 : 1;
  let at = HEAD_BYTES + 1 + windowBytes + (DICTIONARY_BYTES[descriptor & 3] ?? 0);
  let size = 0;
  for (let i = 0; i < sizeBytes; i++) size += (frame[at++] ?? 0) * 256 ** i;
  return sizeBytes === 2 ? size + TWO_BYTES_FROM : size;
}
