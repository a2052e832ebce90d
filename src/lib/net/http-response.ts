import { type ChunkedText, streamOf } from "../text/chunked-text.ts";

/** Whoever takes a stream. */
export interface StreamClient {
  /** How much more is wanted: nothing or less while what was given before has not gone out. */
  readonly desiredSize: number | null;
  enqueue(bytes: Uint8Array): void;
  /** The last bytes. */
  finish(bytes: Uint8Array): void;
  /** Breaks off: what was given until now is not all. */
  error(thrown: unknown): void;
}

/** A body that is made while it goes out. */
export interface StreamBody {
  /** From now on it has somebody to give bytes to. */
  begin(client: StreamClient): void;
  /** There is room for more. */
  more(): void;
  /** Nobody takes anything any more. */
  leave(): void;
}

export type ResponseBody = string | Uint8Array<ArrayBuffer> | Blob | ChunkedText | StreamBody;

type ResponseHeaders = Record<string, string>;

export function isStream(body: ResponseBody): body is StreamBody {
  return typeof body === "object" && "begin" in body;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Whoever reads a stream of the platform's. */
class Reader implements StreamClient {
  readonly #controller: Controller;

  constructor(controller: Controller) {
    this.#controller = controller;
  }

  get desiredSize(): number | null {
    return this.#controller.desiredSize;
  }

  enqueue(bytes: Uint8Array): void {
    this.#controller.enqueue(bytes);
  }

  finish(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#controller.enqueue(bytes);
    this.#controller.close();
  }

  error(thrown: unknown): void {
    this.#controller.error(thrown);
  }
}

/** The same as a stream of the platform's. */
function readableOf(body: StreamBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => body.begin(new Reader(controller)),
    pull: () => body.more(),
    cancel: () => body.leave(),
  });
}

/**
 * An HTTP response as plain values, which the connection writes out. A `Response` with its headers is the most expensive
 * object of a request, so it is only made where it is needed.
 */
export class HttpResponse {
  readonly body: ResponseBody;
  readonly headers: ResponseHeaders;
  readonly status: number;

  constructor(body: ResponseBody, headers: ResponseHeaders, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }

  /** The same as a `Response`, for callers that need one. */
  response(): Response {
    const { body, headers, status } = this;
    return new Response(bodyInit(body), { headers, status });
  }
}

function bodyInit(body: ResponseBody) {
  if (typeof body === "string" || body instanceof Blob || body instanceof Uint8Array) return body;
  return isStream(body) ? readableOf(body) : streamOf(body);
}
