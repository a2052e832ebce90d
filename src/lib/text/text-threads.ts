import { Fault } from "../faults.ts";
import { ThreadPool } from "../threads/thread-pool.ts";
import { notUtf8 } from "../utf8.ts";
import { yieldToLoop } from "../yield-to-loop.ts";
import type { Made, TextTask } from "./text-worker.ts";

/** From here on it is done in a thread: made on the loop, it would hold up others for as long. */
const THREADED_BYTES = 4 * 1024 * 1024;

const LIMITS = {
  threadsMax: 1,
  workMs: 30_000,
  idleMs: 10_000,
  // How many there are at once is bounded by what all bodies may weigh, and by who may ask vendors at once.
  waitingMax: 4_096,
  perNameMax: 1,
};

/** Memory that is copied without yielding to the loop. */
const STEP_BYTES = 1024 * 1024;

/** Whether bytes are so many that a thread has to make a text of them, or one body of their chunks. */
export function isThreaded(bytes: number): boolean {
  return bytes > THREADED_BYTES;
}

/**
 * Makes texts of bytes, and one body of many chunks, outside of the loop. Nothing is copied on the way: the thread is
 * given the bytes, and what it has made of them belongs to both. The chunks are gone afterwards.
 */
export class TextThreads {
  readonly #pool = new ThreadPool<TextTask, Made>(
    new URL("./text-worker.ts", import.meta.url),
    LIMITS,
  );
  #tasks = 0;

  /** The text of a request. Bytes that are none are refused. */
  async decode(chunks: readonly Uint8Array[]): Promise<string> {
    const text = await this.#make("text", chunks).catch(busy("read the request body"));
    if (typeof text !== "string") throw notUtf8("The request body");
    return text;
  }

  /** The text of a vendor's answer, with other characters in place of bytes that are none. */
  async mend(chunks: readonly Uint8Array[]): Promise<string> {
    return (await this.#make("mended", chunks).catch(busy("read the vendor's answer"))) as string;
  }

  /** All of them as one body, for whoever says how long it is before it sends it. */
  async join(chunks: readonly Uint8Array[]): Promise<Blob> {
    return (await this.#make("body", chunks).catch(busy("write the answer"))) as Blob;
  }

  async #make(make: TextTask["make"], given: readonly Uint8Array[]): Promise<Made> {
    const chunks = await owned(given);
    const handedOver = chunks.map(({ buffer }) => buffer);
    return this.#pool.run(`${this.#tasks++}`, { make, chunks }, handedOver);
  }
}

/** Whoever was asked for the bytes has done its part: that no text comes of them is our own fault. */
function busy(toDo: string): (thrown: unknown) => never {
  return (thrown) => {
    throw new Fault("overloaded", `The gateway could not ${toDo} in time.`, {
      headers: { "retry-after": "1" },
      cause: thrown,
    });
  };
}

/** Only memory that nobody else has a part of can be given away: a chunk of any other is copied, in steps. */
async function owned(chunks: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const own: Uint8Array<ArrayBuffer>[] = [];
  let sinceYield = 0;
  for (const chunk of chunks) {
    if (ownsMemory(chunk)) {
      own.push(chunk);
      continue;
    }
    own.push(new Uint8Array(chunk));
    sinceYield += chunk.byteLength;
    if (sinceYield < STEP_BYTES) continue;
    sinceYield = 0;
    await yieldToLoop();
  }
  return own;
}

function ownsMemory(chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = chunk;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && byteLength > 0;
}
