import { yieldToLoop } from "../yield-to-loop.ts";

/** The bytes of a long text, in chunks that are each made and sent within a moment. */
export interface ChunkedText {
  readonly chunks: readonly Uint8Array[];
  /** Of all of them. */
  readonly bytes: number;
}

const STEP_CHARS = 512 * 1024;
const encoder = new TextEncoder();

const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00;

/** Where a step of a text ends that begins at `from`: never inside a character. */
export function stepEnd(text: string, from: number, chars: number): number {
  const end = from + chars;
  if (end >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/**
 * The bytes of a text that comes in pieces, none of which ends inside a character. In steps: encoding many
 * megabytes would hold up others, and so would putting the pieces together.
 */
export async function encodeInSteps(pieces: Iterable<string>): Promise<ChunkedText> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const add = (text: string) => {
    const chunk = encoder.encode(text);
    chunks.push(chunk);
    bytes += chunk.length;
    return yieldToLoop();
  };
  let short = "";
  for (const piece of pieces) {
    if (short.length + piece.length <= STEP_CHARS) {
      short += piece;
      continue;
    }
    if (short !== "") await add(short);
    short = "";
    let from = 0;
    while (piece.length - from > STEP_CHARS) {
      const to = stepEnd(piece, from, STEP_CHARS);
      await add(piece.slice(from, to));
      from = to;
    }
    short = piece.slice(from);
  }
  if (short !== "") await add(short);
  return { chunks, bytes };
}

/** A body for `fetch`, which would copy a long one in one go: it gets chunks as fast as it takes them. */
export function bodyInit(body: string | ChunkedText): string | ReadableStream<Uint8Array> {
  return typeof body === "string" ? body : streamOf(body);
}

/** The chunks as fast as they are taken. */
export function streamOf({ chunks }: ChunkedText): ReadableStream<Uint8Array> {
  // Those that have gone out are let go of: `fetch` has the stream for as long as it is answered.
  const left = [...chunks];
  return new ReadableStream(
    {
      pull(controller) {
        const chunk = left.shift();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 1 },
  );
}
