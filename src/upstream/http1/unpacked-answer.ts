import type { VendorAnswer } from "../transport/vendor-answer.ts";
import { wholeText } from "../transport/whole-text.ts";

type Format = ConstructorParameters<typeof DecompressionStream>[0];

/** By the names of `Content-Encoding`. What is packed in any other way is given as it is. */
const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"],
  ["br", "brotli" as Format],
  ["zstd", "zstd" as Format],
]);

/**
 * The same answer with its body unpacked. Vendors are asked for plain bytes; some pack theirs all the same,
 * and `fetch` would have unpacked them.
 */
export function unpacked(answer: VendorAnswer, packing: string): VendorAnswer {
  const format = FORMATS.get(packing);
  if (!format) return answer;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const chunk = (await answer.read()) as Uint8Array<ArrayBuffer> | undefined;
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const body = packed.pipeThrough(new DecompressionStream(format));
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  return {
    status: answer.status,
    headers: answer.headers,
    async read() {
      return (await reader.read()).value;
    },
    readTo(taker) {
      this.read().then(
        (chunk) => taker.took(chunk),
        (thrown) => taker.lost(thrown),
      );
    },
    // Packed, it may be a thousandth of what it weighs.
    text(bytesMax, long) {
      return wholeText(this, bytesMax, long);
    },
  };
}
