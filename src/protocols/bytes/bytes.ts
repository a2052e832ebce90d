const { compare } = Buffer.prototype;
const { slice } = Uint8Array.prototype;
/** Fewer bytes than this are compared sooner here than by a call out of the engine. */
const CALL_MIN = 128;

/** Four bytes at a time as long as there are as many: one question for all of them. */
function sameFew(
  a: Uint8Array,
  aFrom: number,
  b: Uint8Array,
  bFrom: number,
  length: number,
): boolean {
  let i = 0;
  for (; i + 3 < length; i += 4) {
    const x = aFrom + i;
    const y = bFrom + i;
    const differ =
      ((a[x] as number) ^ (b[y] as number)) |
      ((a[x + 1] as number) ^ (b[y + 1] as number)) |
      ((a[x + 2] as number) ^ (b[y + 2] as number)) |
      ((a[x + 3] as number) ^ (b[y + 3] as number));
    if (differ !== 0) return false;
  }
  for (; i < length; i++) if (a[aFrom + i] !== b[bFrom + i]) return false;
  return true;
}

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
  if (length < CALL_MIN) return sameFew(a, aFrom, b, bFrom, length);
  return compare.call(a as Buffer, b, bFrom, bFrom + length, aFrom, aTo) === 0;
}

/** The bytes from `from` on as bytes of their own: what `slice` of a buffer gives keeps all of that. */
export function copyFrom(bytes: Uint8Array, from: number): Uint8Array {
  return slice.call(bytes, from);
}

/** Several pieces as one write; none for nothing. */
export function together(pieces: readonly Uint8Array[]): Uint8Array | undefined {
  if (pieces.length < 2) return pieces[0];
  return Buffer.concat(pieces);
}
