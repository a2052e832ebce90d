const { copy } = Buffer.prototype;

/**
 * What goes to the client of the bytes of one read, as one write: stretches of them as they are, and
 * pieces written anew. Nothing is copied where all of it is one stretch.
 */
export class OneWrite {
  readonly #bytes: Uint8Array;
  /** The stretch that may still grow. */
  #from = 0;
  #to = 0;
  /** What comes before it: first of all a piece, where it begins with one, as most do and have no other. */
  #first: Uint8Array | undefined;
  /** And behind that where stretches begin and end, and the pieces between them. */
  #before: (number | Uint8Array)[] | undefined;
  #length = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#from === this.#to;
  }

  /** These of the bytes, as they are. */
  keep(from: number, to: number): void {
    if (from !== this.#to) {
      if (this.#to > this.#from) this.#endStretch();
      this.#from = from;
    }
    this.#to = to;
  }

  put(piece: Uint8Array): void {
    if (this.isEmpty) this.#first = piece;
    else this.#endStretch().push(piece);
    this.#length += piece.length;
  }

  #endStretch(): (number | Uint8Array)[] {
    this.#before ??= [];
    if (this.#to > this.#from) {
      this.#before.push(this.#from, this.#to);
      this.#length += this.#to - this.#from;
    }
    this.#from = this.#to;
    return this.#before;
  }

  /** All of it; undefined for nothing. */
  done(): Uint8Array | undefined {
    if (this.isEmpty) return undefined;
    const bytes = this.#bytes;
    if (this.#length === 0) {
      const isAll = this.#from === 0 && this.#to === bytes.length;
      return isAll ? bytes : bytes.subarray(this.#from, this.#to);
    }
    if (this.#first?.length === this.#length && this.#from === this.#to) return this.#first;
    return this.#written();
  }

  #written(): Uint8Array {
    const bytes = this.#bytes as Buffer;
    const written = new Uint8Array(this.#length + this.#to - this.#from);
    let at = 0;
    if (this.#first) {
      written.set(this.#first);
      at = this.#first.length;
    }
    if (this.#before) at = this.#writeBefore(this.#before, written, at);
    copy.call(bytes, written, at, this.#from, this.#to);
    return written;
  }

  #writeBefore(parts: readonly (number | Uint8Array)[], written: Uint8Array, from: number): number {
    let at = from;
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i] as number | Uint8Array;
      if (typeof part === "object") {
        written.set(part, at);
        at += part.length;
      } else {
        const to = parts[++i] as number;
        copy.call(this.#bytes as Buffer, written, at, part, to);
        at += to - part;
      }
    }
    return at;
  }
}
