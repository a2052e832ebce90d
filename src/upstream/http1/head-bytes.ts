import { BadAnswer } from "./answer-head.ts";

const END = Buffer.from("\r\n\r\n");
/** So much of what came before may belong to an end that comes now. */
const OVERLAP = END.length - 1;
const BEGINNING = Buffer.from("HTTP/1.");
const INVALID = "the vendor's answer is not valid HTTP";
const FIRST_BYTES = 4_096;
const CR = 13;
const LF = 10;

/** The head of an answer, from however many reads it comes in. */
export class HeadBytes {
  readonly #bytesMax: number;
  /** What has come of it, where it did not come in one read. */
  #gathered: Buffer | undefined;
  #length = 0;
  /** Bytes of the heads of one call so far: those that only announce an answer count too. */
  #bytes = 0;

  /** Where the head lies that the last `push` has completed, and how far that took its bytes. */
  bytes: Buffer = END;
  from = 0;
  to = 0;
  takenTo = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Whether the head is there, with the blank line at its end. */
  push(bytes: Buffer, from: number): boolean {
    if (!this.#gathered) {
      const end = bytes.indexOf(END, from);
      if (end >= 0) {
        this.takenTo = end + END.length;
        this.#found(bytes, from, end);
        return true;
      }
    }
    return this.#gather(bytes, from);
  }

  /** The head of an answer has been read; another call begins from nothing. */
  clear(): void {
    this.bytes = END;
    this.#gathered = undefined;
    this.#length = 0;
    this.#bytes = 0;
  }

  #found(bytes: Buffer, from: number, to: number): void {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.#count(to + END.length - from);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#bytesMax)
      throw new BadAnswer("the head of the vendor's answer is too long");
  }

  /** Looks only at what is new, so that a head costs what it is long however it is cut. */
  #gather(bytes: Buffer, from: number): boolean {
    const before = this.#length;
    const bytesMax = this.#bytesMax - this.#bytes;
    // One more than there may be shows that there are too many.
    const taken = Math.min(bytes.length - from, bytesMax - before + 1);
    const gathered = this.#room(before + taken);
    bytes.copy(gathered, before, from, from + taken);
    this.#length = before + taken;
    const head = gathered.subarray(0, this.#length);
    const end = head.indexOf(END, Math.max(0, before - OVERLAP));
    if (end < 0) {
      refuseOther(head, before);
      if (this.#length > bytesMax) this.#count(this.#length);
      return false;
    }
    this.takenTo = from + end + END.length - before;
    this.#gathered = undefined;
    this.#length = 0;
    this.#found(head, 0, end);
    return true;
  }

  #room(length: number): Buffer {
    const old = this.#gathered;
    if (old && old.length >= length) return old;
    const grown = Buffer.allocUnsafe(Math.max(FIRST_BYTES, length * 2));
    old?.copy(grown, 0, 0, this.#length);
    this.#gathered = grown;
    return grown;
  }
}

/** What will never be a head is not waited for: one of another protocol, or lines that end with LF alone. */
function refuseOther(head: Buffer, from: number): void {
  const begun = Math.min(head.length, BEGINNING.length);
  if (head.compare(BEGINNING, 0, begun, 0, begun) !== 0) {
    throw new BadAnswer(`${INVALID}: it does not begin with a status line of HTTP/1.1`);
  }
  for (let at = head.indexOf(LF, from); at >= 0; at = head.indexOf(LF, at + 1)) {
    if (head[at - 1] !== CR) throw new BadAnswer(`${INVALID}: a line ends without CR`);
  }
}
