/** What the parts of a file tell without unpacking its pixels. */
export interface Anatomy {
  /** Whether the file goes on to its end mark. Decoders forgive much; readers of an article do not. */
  readonly complete: boolean;
  readonly animated: boolean;
  readonly mayBeTransparent: boolean;
  /** Whether the pixels are exact, so that another exact format would suit them better than JPEG. */
  readonly lossless: boolean;
  /** How it is shown otherwise than its pixels lie, by a mark that goes when metadata goes; 1 is not. */
  readonly orientation: number;
  /** Whether its colours are inks, or meant by a profile of its own: not every screen shows them right. */
  readonly foreignColours: boolean;
  /**
   * The same pixels without places, cameras, comments, thumbnails, or what is hidden behind the end. It is
   * the file itself where there is nothing to take out.
   */
  readonly cleaned: Uint8Array;
}

/** What holds of a picture whose format cannot say otherwise. */
export const PLAIN = {
  animated: false,
  mayBeTransparent: false,
  lossless: false,
  orientation: 1,
  foreignColours: false,
};

/** Chunks, segments, blocks or boxes of one file. A picture of 20 MB has a few thousand. */
export const PARTS_MAX = 50_000;

export class TooManyParts extends Error {
  override readonly name = "TooManyParts";
}

/** Counts the parts of a file while it is read, and throws `TooManyParts`. */
export class PartCount {
  #parts = 0;

  add(): void {
    this.#parts += 1;
    if (this.#parts > PARTS_MAX) throw new TooManyParts();
  }
}

type Span = readonly [start: number, end: number];

/** The spans of a file that stay; the file itself when that is all of it. */
export function keep(bytes: Uint8Array, spans: readonly Span[]): Uint8Array {
  const kept = spans.reduce((sum, [start, end]) => sum + end - start, 0);
  if (kept === bytes.length) return bytes;
  return Buffer.concat(spans.map(([start, end]) => bytes.subarray(start, end)));
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function wordAt(bytes: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + length));
}
