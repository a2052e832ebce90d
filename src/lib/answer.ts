import { type ChunkedText, streamOf } from "./text/chunked-text.ts";

/** Whoever takes a stream. `ReadableStreamDefaultController` is one. */
export interface StreamClient {
  /** How much more is wanted: nothing or less while what was given before has not gone out. */
  readonly desiredSize: number | null;
  enqueue(bytes: Uint8Array): void;
  close(): void;
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

export type AnswerBody = string | Uint8Array<ArrayBuffer> | Blob | ChunkedText | StreamBody;

type AnswerHeaders = Record<string, string>;

export function isStream(body: AnswerBody): body is StreamBody {
  return typeof body === "object" && "begin" in body;
}

/** The same as a stream of the platform's. */
export function readableOf(body: StreamBody): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => body.begin(controller),
    pull: () => body.more(),
    cancel: () => body.leave(),
  });
}

/**
 * What a request is answered with: plain values, of which whoever has the connection makes what goes out. A `Response`
 * with its headers is the dearest object of a request, and one that is not made costs nothing.
 */
export class Answer {
  readonly body: AnswerBody;
  readonly headers: AnswerHeaders;
  readonly status: number;

  constructor(body: AnswerBody, headers: AnswerHeaders, status = 200) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }

  /** The same for those who know nothing else. */
  response(): Response {
    const { body, headers, status } = this;
    return new Response(bodyInit(body), { headers, status });
  }
}

function bodyInit(body: AnswerBody) {
  if (typeof body === "string" || body instanceof Blob || body instanceof Uint8Array) return body;
  return isStream(body) ? readableOf(body) : streamOf(body);
}
