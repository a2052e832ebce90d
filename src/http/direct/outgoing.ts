import type { Socket } from "bun";

/** What is put together to go out in one write. */
const SCRATCH_BYTES = 64 * 1024;
const scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
const LINE = "\r\n";
const LAST = "0\r\n\r\n";

/** What goes out by a connection, in order; what its client does not take is kept here. */
export class Outgoing {
  readonly #socket: Pick<Socket, "write">;
  #unsent: Uint8Array[] = [];

  constructor(socket: Pick<Socket, "write">) {
    this.#socket = socket;
  }

  /** Whether all of it has been taken. */
  get isSent(): boolean {
    return this.#unsent.length === 0;
  }

  /** A text that takes so many bytes. */
  text(text: string, bytes: number): void {
    if (!this.isSent) {
      this.#unsent.push(Buffer.from(text));
      return;
    }
    const taken = Math.max(0, this.#socket.write(text));
    if (taken < bytes) this.#unsent.push(Buffer.from(text).subarray(taken));
  }

  /** Bytes that nobody else has a use for. */
  bytes(bytes: Uint8Array): void {
    if (!this.isSent) {
      this.#unsent.push(bytes);
      return;
    }
    const taken = Math.max(0, this.#socket.write(bytes));
    if (taken < bytes.length) this.#unsent.push(bytes.subarray(taken));
  }

  /** A chunk of a body without a length, behind `before`; `isLast`: and the end of the body. */
  chunk(before: string, bytes: Uint8Array, isLast: boolean): void {
    const opening = before + bytes.length.toString(16) + LINE;
    const closing = isLast ? LINE + LAST : LINE;
    const length = opening.length + bytes.length + closing.length;
    if (length > SCRATCH_BYTES) {
      this.text(opening, opening.length);
      this.bytes(bytes);
      this.text(closing, closing.length);
      return;
    }
    const to = this.isSent ? scratch : Buffer.allocUnsafe(length);
    to.write(opening, "latin1");
    to.set(bytes, opening.length);
    to.write(closing, opening.length + bytes.length, "latin1");
    if (to !== scratch) {
      this.#unsent.push(to);
      return;
    }
    const taken = Math.max(0, this.#socket.write(scratch.subarray(0, length)));
    if (taken < length) this.#unsent.push(Buffer.from(scratch.subarray(taken, length)));
  }

  /** The end of a body without a length, behind `before`. */
  end(before: string): void {
    this.text(before + LAST, before.length + LAST.length);
  }

  /** There is room for more; whether all has gone out. */
  drain(): boolean {
    for (let next = this.#unsent[0]; next; next = this.#unsent[0]) {
      const taken = Math.max(0, this.#socket.write(next));
      if (taken < next.length) {
        this.#unsent[0] = next.subarray(taken);
        return false;
      }
      this.#unsent.shift();
    }
    return true;
  }
}
