/** What goes to a client: one write, or several where it is long, so that others have their turns between them. */
export type Writes = Uint8Array | readonly Uint8Array[];

/** As much as is copied, and sent, in one tick of the event loop. */
const WRITE_BYTES = 512 * 1024;

/** Whether it is so long that it goes out in several. */
export function isSeveral(writes: Writes): writes is readonly Uint8Array[] {
  return Array.isArray(writes);
}

export function bytesIn(writes: Writes): number {
  if (!isSeveral(writes)) return writes.length;
  return writes.reduce((bytes, { length }) => bytes + length, 0);
}

/** One after the other; none for nothing. */
export function inOrder(all: readonly (Writes | undefined)[]): Writes | undefined {
  if (all.length < 2) return all[0];
  const some = all.filter((writes) => writes !== undefined);
  return some.length < 2 ? some[0] : asWrites(some.flat());
}

/** Pieces that follow each other: as one write, or as few as may be where they are long. */
export function asWrites(pieces: readonly Uint8Array[]): Writes {
  const writes: Uint8Array[] = [];
  let next: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (next.length > 0 && bytes + piece.length > WRITE_BYTES) {
      writes.push(asOne(next));
      next = [];
      bytes = 0;
    }
    next.push(piece);
    bytes += piece.length;
  }
  const last = asOne(next);
  return writes.length === 0 ? last : [...writes, last];
}

function asOne(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return pieces.length === 1 && only ? only : Buffer.concat(pieces);
}
