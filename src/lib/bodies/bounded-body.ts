import { Fault } from "../faults.ts";
import type { Incoming } from "../route.ts";
import { decodeInSteps } from "../utf8.ts";
import { OPEN_BODY_BYTES_MAX } from "./body-memory.ts";
import { codingsOf, inflate } from "./inflate.ts";

function tooLarge(bytesMax: number): Fault {
  return new Fault("request_too_large", `The body is over the limit of ${bytesMax} bytes.`);
}

function tooSlow(withinMs: number): Fault {
  return new Fault("request_too_slow", `The body did not arrive within ${withinMs} milliseconds.`);
}

/** What comes of a body, to its end or for so long: one that comes drop by drop is never silent. */
async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  withinMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooSlow(withinMs)), withinMs);
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) return;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}

/** How far and for how long a body is read. */
interface BodyBounds {
  readonly bytesMax: number;
  readonly withinMs?: number | undefined;
  /** The same bound for a sender who is not known. */
  readonly openBytesMax?: number;
}

/** A request whose body is read. Without memory it counts as sent by nobody who is known. */
type Arrived = Pick<Incoming, "request" | "memory">;

/** Refuses what a sender who is not known may not send. Returns the largest size that the body may have. */
function openBound({ request, memory }: Arrived, bounds: BodyBounds): number {
  memory?.countOpen();
  const codings = codingsOf(request.headers.get("content-encoding"));
  if (codings.length > 0) {
    const message =
      "A body that is sent without a key or a session cannot be packed. Send it plain.";
    throw new Fault("unsupported_encoding", message, { param: "content-encoding" });
  }
  return Math.min(bounds.bytesMax, bounds.openBytesMax ?? OPEN_BODY_BYTES_MAX);
}

/** Reads a body as it was sent. Its bytes count from the first one on. */
async function readSent(
  { request, memory }: Arrived,
  bytesMax: number,
  withinMs: number | undefined,
): Promise<Uint8Array[]> {
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = request.body ?? new Blob().stream();
  for await (const chunk of withinMs === undefined ? body : chunksOf(body, withinMs)) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    memory?.grow(chunk.length);
    chunks.push(chunk);
  }
  return chunks;
}

/**
 * Reads and unpacks a body no further than its limit, whatever its length claims to be. A sender who is not known may
 * send little, and nothing packed. The pieces stay counted in the memory of the request.
 */
async function readPieces(incoming: Arrived, bounds: BodyBounds): Promise<Uint8Array[]> {
  const { request, memory } = incoming;
  const isOpen = memory?.isOpen ?? true;
  const bytesMax = isOpen ? openBound(incoming, bounds) : bounds.bytesMax;
  const codings = codingsOf(request.headers.get("content-encoding"));
  const sent = await readSent(incoming, bytesMax, bounds.withinMs);
  if (codings.length === 0) return sent;
  const pieces: Uint8Array[] = [];
  const unpacked = inflate(sent, codings, {
    bytesMax,
    tooLarge: () => tooLarge(bytesMax),
    lend: (bytes) => memory?.lend(bytes) ?? { release: () => {} },
  });
  for await (const piece of unpacked) {
    memory?.grow(piece.length);
    pieces.push(piece);
  }
  memory?.grow(-sizeOf(sent));
  return pieces;
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The body of a request in one piece, which stays counted in the memory of the request. */
export async function readBounded(incoming: Arrived, bounds: BodyBounds): Promise<Uint8Array> {
  const pieces = await readPieces(incoming, bounds);
  const joined = incoming.memory?.lend(sizeOf(pieces));
  try {
    return Buffer.concat(pieces);
  } finally {
    joined?.release();
  }
}

/**
 * The body of a request as a text, which stays counted in the memory of the request: two bytes for each byte of it, since
 * one character may make all of them wide.
 */
export async function readBoundedText(incoming: Arrived, bounds: BodyBounds): Promise<string> {
  const { memory } = incoming;
  const pieces = await readPieces(incoming, bounds);
  const bytes = sizeOf(pieces);
  memory?.grow(2 * bytes);
  const text = await decodeInSteps(pieces);
  pieces.length = 0;
  memory?.grow(-bytes);
  return text;
}

/**
 * A body that is handed on as it comes, and ends only once it was checked; where the check throws, it breaks. `count`
 * hears of the bytes, and may refuse them.
 */
export function withCheckedEnd(
  body: ReadableStream<Uint8Array>,
  check: () => Promise<void>,
  count?: (bytes: number) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) {
        count?.(value.byteLength);
        return controller.enqueue(value as Uint8Array<ArrayBuffer>);
      }
      await check();
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
