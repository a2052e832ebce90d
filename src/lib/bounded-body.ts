import { Fault } from "./faults.ts";
import { codingsOf, inflate } from "./inflate.ts";

function tooLarge(bytesMax: number): Fault {
  return new Fault("request_too_large", `The body is over the limit of ${bytesMax} bytes.`);
}

function tooSlow(withinMs: number): Fault {
  return new Fault("request_too_slow", `The body was not there after ${withinMs} milliseconds.`);
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

/**
 * The body of a request, read and unpacked no further than its limit, whatever its length claims to be, and no longer
 * than `withinMs` where that is said.
 */
export async function readBounded(
  request: Request,
  bytesMax: number,
  withinMs?: number,
): Promise<Uint8Array> {
  const codings = codingsOf(request.headers.get("content-encoding"));
  if (Number(request.headers.get("content-length") ?? 0) > bytesMax) throw tooLarge(bytesMax);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body = request.body ?? new Blob().stream();
  for await (const chunk of withinMs === undefined ? body : chunksOf(body, withinMs)) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    chunks.push(chunk);
  }
  return inflate(Buffer.concat(chunks), codings, {
    bytesMax,
    tooLarge: () => tooLarge(bytesMax),
    take: () => {},
    lend: () => ({ release: () => {} }),
  });
}

/** A body that is handed on as it comes, and ends only once it was checked; where the check throws, it breaks. */
export function withCheckedEnd(
  body: ReadableStream<Uint8Array>,
  check: () => Promise<void>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
      await check();
      controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
