const { compare } = Buffer.prototype;

/**
 * Whether the `length` bytes of `a` from `aFrom` on are those of `b` from `bFrom` on. Plain bytes are
 * compared as they are: a wrapper for every event would be garbage for every event, on thousands of
 * streams at once.
 */
export function sameBytes(
  a: Uint8Array,
  aFrom: number,
  b: Uint8Array,
  bFrom: number,
  length: number,
): boolean {
  const aTo = aFrom + length;
  if (aTo > a.length) return false;
  return compare.call(a as Buffer, b, bFrom, bFrom + length, aFrom, aTo) === 0;
}

/** Several pieces as one write; none for nothing. */
export function together(pieces: readonly Uint8Array[]): Uint8Array | undefined {
  if (pieces.length < 2) return pieces[0];
  return Buffer.concat(pieces);
}
