/** The most bytes that are buffered for a client that pipelines. */
const BYTES_MAX = 64 * 1024;
/** The overhead of a piece: bytes may come one by one. */
const PIECE_BYTES = 256;

/** Bytes that a client sent before the response that it waits for. */
export class BufferedInput {
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** True if no more should be read from the client for now. */
  get isFull(): boolean {
    return this.#bytes > BYTES_MAX;
  }

  push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#bytes += piece.length + PIECE_BYTES;
  }

  /** Takes all bytes out. A single piece, which most requests are, is not copied. */
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
