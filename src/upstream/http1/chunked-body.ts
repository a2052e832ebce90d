import { BadAnswer } from "./answer-head.ts";

/** The digits and extensions in front of one chunk. Nobody sends more than a few. */
const LINE_BYTES_MAX = 4_096;
/** Sixteen to this power is still counted exactly. */
const SIZE_DIGITS_MAX = 13;

/** Data that is a smaller part of what was read is copied: else it would keep all of that in memory, uncounted. */
const OWN_PART = 1 / 4;

const CR = 13;
const LF = 10;
const SEMICOLON = 59;

const SIZE = 0;
const BEHIND_SIZE = 1;
const EXTENSION = 2;
const SIZE_LF = 3;
const DATA = 4;
const DATA_CR = 5;
const DATA_LF = 6;
const TRAILER_START = 7;
const TRAILER = 8;
const TRAILER_LF = 9;
const END_LF = 10;
const OVER = 11;

function isBlank(byte: number): boolean {
  return byte === 32 || byte === 9;
}

/** What a hexadecimal digit stands for, or -1. */
function digitOf(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const small = byte | 32;
  return small >= 97 && small <= 102 ? small - 87 : -1;
}

/** A body in chunks. It may come cut at any byte, so every byte of its framing is a step from state to state. */
export class ChunkedBody {
  readonly #trailerBytesMax: number;
  #state = SIZE;
  /** Bytes of the chunk that have not come. */
  #left = 0;
  #digits = 0;
  /** Bytes of the line, or of all trailers, so far. */
  #lineBytes = 0;

  /** How far the bytes of the last `push` were taken: all of them, or to where the body ends. */
  takenTo = 0;

  constructor(trailerBytesMax: number) {
    this.#trailerBytesMax = trailerBytesMax;
  }

  get isOver(): boolean {
    return this.#state === OVER;
  }

  /**
   * The data among these bytes as one piece, of which there may be none. It is moved together within them, unless it
   * is little: they are the caller's own, and of no other use.
   */
  push(bytes: Uint8Array, from: number): Uint8Array | undefined {
    let start = -1;
    let end = 0;
    let at = from;
    while (at < bytes.length && this.#state !== OVER) {
      if (this.#state !== DATA) {
        this.#step(bytes[at] as number);
        at += 1;
        continue;
      }
      const to = Math.min(bytes.length, at + this.#left);
      if (start < 0) {
        start = at;
        end = to;
      } else {
        bytes.copyWithin(end, at, to);
        end += to - at;
      }
      this.#left -= to - at;
      at = to;
      if (this.#left === 0) this.#state = DATA_CR;
    }
    this.takenTo = at;
    if (start < 0) return undefined;
    const data = bytes.subarray(start, end);
    return data.length < bytes.length * OWN_PART ? new Uint8Array(data) : data;
  }

  #step(byte: number): void {
    if (this.#state <= SIZE_LF) this.#stepSize(byte);
    else if (this.#state <= DATA_LF) {
      this.#expect(byte, this.#state === DATA_CR ? CR : LF);
      if (this.#state === DATA_CR) this.#state = DATA_LF;
      else this.#beginLine(SIZE);
    } else this.#stepTrailer(byte);
  }

  #beginLine(state: number): void {
    this.#state = state;
    this.#left = 0;
    this.#digits = 0;
    this.#lineBytes = 0;
  }

  #expect(byte: number, wanted: number): void {
    if (byte !== wanted) throw misframed();
  }

  #count(max: number): void {
    this.#lineBytes += 1;
    if (this.#lineBytes > max)
      throw new BadAnswer("the framing of the vendor's answer is too long");
  }

  #stepSize(byte: number): void {
    this.#count(LINE_BYTES_MAX);
    if (this.#state === SIZE_LF) {
      this.#expect(byte, LF);
      if (this.#left > 0) this.#state = DATA;
      else this.#beginLine(TRAILER_START);
      return;
    }
    if (this.#state === SIZE) {
      const digit = digitOf(byte);
      if (digit >= 0) {
        this.#digits += 1;
        if (this.#digits > SIZE_DIGITS_MAX) throw misframed();
        this.#left = this.#left * 16 + digit;
        return;
      }
      if (this.#digits === 0) throw misframed();
    }
    if (byte === CR) this.#state = SIZE_LF;
    else if (this.#state === EXTENSION) this.#forbid(byte);
    else if (byte === SEMICOLON) this.#state = EXTENSION;
    else if (isBlank(byte)) this.#state = BEHIND_SIZE;
    else throw misframed();
  }

  /** Trailers are read over: whatever they say came too late to matter. */
  #stepTrailer(byte: number): void {
    this.#count(this.#trailerBytesMax);
    if (this.#state === TRAILER_LF) {
      this.#expect(byte, LF);
      this.#state = TRAILER_START;
    } else if (this.#state === END_LF) {
      this.#expect(byte, LF);
      this.#state = OVER;
    } else if (byte === CR) this.#state = this.#state === TRAILER_START ? END_LF : TRAILER_LF;
    else {
      this.#forbid(byte);
      this.#state = TRAILER;
    }
  }

  #forbid(byte: number): void {
    if (byte === LF || byte === 0) throw misframed();
  }
}

function misframed(): BadAnswer {
  return new BadAnswer("the vendor's answer is not framed as it says");
}
