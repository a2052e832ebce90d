import { isLargeLength } from "../../lib/yield-to-loop.ts";
import type { ChunkTaker, LongTexts, VendorAnswer, VendorCall } from "./vendor-answer.ts";
import { wholeText } from "./whole-text.ts";

/** Something that answers as `fetch` does. */
export type Send = (signal: AbortSignal) => Promise<Response>;

class FetchedAnswer implements VendorAnswer {
  readonly #response: Response;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(response: Response) {
    this.#response = response;
  }

  get status(): number {
    return this.#response.status;
  }

  get headers(): Headers {
    return this.#response.headers;
  }

  read(): Promise<Uint8Array | undefined> {
    const body = this.#response.body as ReadableStream<Uint8Array> | null;
    this.#reader ??= body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
    if (!this.#reader) return Promise.reject(new Error("an answer without body"));
    return this.#reader.read().then(chunkOf);
  }

  readTo(taker: ChunkTaker): void {
    this.read().then(
      (chunk) => taker.took(chunk),
      (thrown) => taker.lost(thrown),
    );
  }

  text(bytesMax: number, long?: LongTexts): Promise<string> {
    const isShort = saysToBeWithin(bytesMax, this.headers) || this.#response.body === null;
    if (isShort) return this.#response.text();
    return wholeText(this, bytesMax, long);
  }
}

/**
 * What says how long it is cannot be longer, unless it unfolds, or comes in chunks, by which `fetch` goes then.
 * It is read in one go, so it has to be small.
 */
function saysToBeWithin(bytesMax: number, headers: Headers): boolean {
  const said = Number(headers.get("content-length") ?? Number.NaN);
  const isSmall = said <= bytesMax && !isLargeLength(said);
  return isSmall && !headers.has("content-encoding") && !headers.has("transfer-encoding");
}

function chunkOf({ value }: { value?: Uint8Array | undefined }): Uint8Array | undefined {
  return value;
}

export function fetchedAnswer(response: Response): VendorAnswer {
  return new FetchedAnswer(response);
}

/** A call by `fetch`, or by what stands in for it. */
export function fetchedCall(send: Send): VendorCall {
  const abort = new AbortController();
  return {
    answered: send(abort.signal).then(fetchedAnswer),
    hangUp: (reason) => abort.abort(reason),
  };
}
