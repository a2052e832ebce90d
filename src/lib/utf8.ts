import { Fault } from "./faults.ts";
import { yieldToLoop } from "./yield-to-loop.ts";

const WHOLE = new TextDecoder("utf-8", { fatal: true });

export function notUtf8(what: string, cause?: unknown): Fault {
  return new Fault("invalid_json", `${what} is not valid UTF-8.`, { cause });
}

/** What a client sent, as text. Bytes that are none are refused: a reader would put others in their place. */
export function decodeUtf8(bytes: Uint8Array, what = "The request body"): string {
  try {
    return WHOLE.decode(bytes);
  } catch (thrown) {
    throw notUtf8(what, thrown);
  }
}

/** The same for a text that comes in pieces, which may be cut inside a character. */
export class Utf8Reader {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #what: string;

  constructor(what = "The request body") {
    this.#what = what;
  }

  push(bytes: Uint8Array): string {
    return this.#decode(bytes, { stream: true });
  }

  end(): string {
    return this.#decode();
  }

  #decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string {
    try {
      return this.#decoder.decode(bytes, options);
    } catch (thrown) {
      throw notUtf8(this.#what, thrown);
    }
  }
}

const STEP_BYTES = 1024 * 1024;

/** The same for chunks that are all there, but so many bytes that others must have their turns meanwhile. */
export async function decodeInSteps(chunks: readonly Uint8Array[], what?: string): Promise<string> {
  const reader = new Utf8Reader(what);
  let text = "";
  let sinceYield = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += STEP_BYTES) {
      const step = chunk.subarray(from, from + STEP_BYTES);
      text += reader.push(step);
      sinceYield += step.length;
      if (sinceYield < STEP_BYTES) continue;
      sinceYield = 0;
      await yieldToLoop();
    }
  }
  return text + reader.end();
}
