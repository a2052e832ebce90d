import { Fault } from "../faults.ts";
import { ThreadPool } from "../threads/thread-pool.ts";
import { notUtf8 } from "../utf8.ts";
import type { Decoded, DecodeTask } from "./decode-worker.ts";

/** From here on a text is made in a thread: put together on the loop, it would hold up others for as long. */
const THREADED_BYTES = 4 * 1024 * 1024;

const LIMITS = {
  threadsMax: 1,
  workMs: 30_000,
  idleMs: 10_000,
  // How many there are at once is bounded by what all bodies may weigh.
  waitingMax: 4_096,
  perNameMax: 1,
};

/** Whether bytes are so many that a thread has to make a text of them. */
export function isThreaded(bytes: number): boolean {
  return bytes > THREADED_BYTES;
}

/**
 * Makes texts of bytes outside of the loop. Nothing is copied on the way: the thread is given the bytes, and
 * what it has made of them is a text of both.
 */
export class DecodingThreads {
  readonly #pool = new ThreadPool<DecodeTask, Decoded>(
    new URL("./decode-worker.ts", import.meta.url),
    LIMITS,
  );
  #tasks = 0;

  /** The chunks are gone afterwards. */
  async decode(chunks: readonly Uint8Array[]): Promise<string> {
    const own = chunks.filter(ownsMemory).map(({ buffer }) => buffer as ArrayBuffer);
    const text = await this.#pool.run(`${this.#tasks++}`, { chunks }, own).catch(failed);
    if (text === undefined) throw notUtf8("The request body");
    return text;
  }
}

/** Only memory that nobody else has a part of can be given away; a chunk of any other is copied. */
function ownsMemory({ buffer, byteLength }: Uint8Array): boolean {
  return buffer.byteLength === byteLength && byteLength > 0;
}

function failed(thrown: unknown): never {
  throw new Fault("overloaded", "The gateway could not read the request body in time.", {
    headers: { "retry-after": "1" },
    cause: thrown,
  });
}
