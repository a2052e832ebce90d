import type { KeptAnswer } from "../../conversations/packing.ts";
import { HttpResponse, type StreamBody, type StreamClient } from "../../lib/net/http-response.ts";
import { eventEnd } from "../../protocols/bytes/sse.ts";

/** A kept stream, event by event, as fast as the client reads. */
class KeptEvents implements StreamBody {
  readonly #bytes: Uint8Array;
  #at = 0;
  #client: StreamClient | undefined;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  begin(client: StreamClient): void {
    this.#client = client;
  }

  more(): void {
    const client = this.#client;
    if (!client) return;
    const bytes = this.#bytes;
    const from = this.#at;
    const end = eventEnd(bytes, from);
    this.#at = end < 0 ? bytes.length : end;
    const isLast = this.#at === bytes.length;
    // Whoever takes it asks for more at once.
    if (isLast) this.#client = undefined;
    const next = bytes.subarray(from, this.#at);
    if (isLast) client.finish(next);
    else client.enqueue(next);
  }

  leave(): void {
    this.#client = undefined;
  }
}

/** The first answer again. It costs nothing, and says whose receipt it is. */
export function replay({ status, headers, body }: KeptAnswer, receiptId: string): HttpResponse {
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  const told = {
    ...headers,
    "x-faregate-idempotency": "replay",
    "x-faregate-receipt": receiptId,
  };
  return new HttpResponse(isStream ? new KeptEvents(body) : new Uint8Array(body), told, status);
}
