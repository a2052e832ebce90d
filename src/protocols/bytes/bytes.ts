const { copy, indexOf } = Buffer.prototype;

/**
 * Where `needle` first stands in `bytes`, or -1. Plain bytes are searched as they are: a wrapper
 * for every event would be garbage for every event, on thousands of streams at once.
 */
export function find(bytes: Uint8Array, needle: Uint8Array): number {
  return indexOf.call(bytes as Buffer, needle);
}

/** `bytes` with the `length` of them from `at` on replaced. */
export function replaced(
  bytes: Uint8Array,
  at: number,
  length: number,
  by: Uint8Array,
): Uint8Array {
  const result = new Uint8Array(bytes.length - length + by.length);
  copy.call(bytes as Buffer, result, 0, 0, at);
  result.set(by, at);
  copy.call(bytes as Buffer, result, at + by.length, at + length);
  return result;
}

/** Several pieces as one write; none for nothing. */
export function together(pieces: readonly Uint8Array[]): Uint8Array | undefined {
  if (pieces.length < 2) return pieces[0];
  return Buffer.concat(pieces);
}
