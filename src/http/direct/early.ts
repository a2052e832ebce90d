/** So much of what a client sends ahead of its answers is kept for it. */
const BYTES_MAX = 64 * 1024;
/** What a piece of that takes beside its bytes: it may come byte by byte. */
const PIECE_BYTES = 256;

/** What a client has sent ahead of the answer that it waits for. */
export class Early {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether nothing more should be read of its client for now. */
  get isFull(): boolean {
    return this.#bytes > BYTES_MAX;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length + PIECE_BYTES;
  }

  /** All of it; from then on there is nothing. What came in one piece is not copied: of many requests each is begun so. */
  take(): Buffer {
    const [first, ...others] = this.#pieces;
    this.clear();
    if (!first) return Buffer.alloc(0);
    if (others.length > 0) return Buffer.concat([first, ...others]);
    return Buffer.from(first.buffer, first.byteOffset, first.length);
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }
}
