import type { Socket } from "bun";

/** What is put together to go out in one write. */
const SCRATCH_BYTES = 64 * 1024;
const scratch = Buffer.allocUnsafe(SCRATCH_BYTES);
/** In front of a body that is written there before it is known how long it is. */
const HEAD_ROOM = 4 * 1024;
/** A character of a text takes no more. */
const CHAR_BYTES_MAX = 3;
const LINE = "\r\n";
const LAST = "0\r\n\r\n";

/** A head with its last line, and what ends it. */
export function withLength(head: string, bytes: number): string {
  return `${head}content-length: ${bytes}\r\n\r\n`;
}

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

  /** An answer whose head says last how long its body is. */
  answer(head: string, body: string): void {
    const most = HEAD_ROOM + body.length * CHAR_BYTES_MAX;
    // The line that is missing takes less than a hundred.
    if (!this.isSent || most > SCRATCH_BYTES || head.length + 100 > HEAD_ROOM) {
      const bytes = Buffer.byteLength(body);
      const opening = withLength(head, bytes);
      this.text(opening + body, opening.length + bytes);
      return;
    }
    const bytes = scratch.write(body, HEAD_ROOM);
    const opening = withLength(head, bytes);
    const from = HEAD_ROOM - opening.length;
    scratch.write(opening, from, "latin1");
    this.#scratched(from, opening.length + bytes);
  }

  /** What stands there in the scratch. To say where it lies is cheaper than a view of it. */
  #scratched(from: number, length: number): void {
    const taken = Math.max(0, this.#socket.write(scratch, from, length));
    if (taken === length) return;
    this.#unsent.push(Buffer.from(scratch.subarray(from + taken, from + length)));
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
    if (to === scratch) this.#scratched(0, length);
    else this.#unsent.push(to);
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
