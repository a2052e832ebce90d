import { isThreaded } from "../../lib/text/text-threads.ts";
import { isLargeLength } from "../../lib/yield-to-loop.ts";
import type { LongTexts, VendorAnswer } from "./vendor-answer.ts";

/** Pieces up to this are put together, so many at a time: each weighs far more than its bytes. */
const SMALL_BYTES = 1_024;
const TOGETHER = 256;
const decoder = new TextDecoder();

/** A vendor sends more than one answer may weigh, and is not read on. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";

  constructor(bytesMax: number) {
    super(`the vendor's answer is over the limit of ${bytesMax} bytes`);
  }
}

/** All of a body that has not been read, unpacked where it was packed, as long as it is no longer than that. */
export async function wholeText(
  answer: Pick<VendorAnswer, "read">,
  bytesMax: number,
  long?: LongTexts,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let small = 0;
  let bytes = 0;
  for (;;) {
    const chunk = await answer.read();
    if (!chunk && long && isThreaded(bytes)) return long.textOf(chunks);
    if (!chunk) return decoder.decode(Buffer.concat(chunks));
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new AnswerTooLong(bytesMax);
    chunks.push(chunk);
    small = chunk.byteLength <= SMALL_BYTES ? small + 1 : 0;
    if (small === TOGETHER) {
      chunks.push(Buffer.concat(chunks.splice(-TOGETHER)));
      small = 0;
    }
    const room = long && isLargeLength(bytes) ? long.gathered(bytes) : undefined;
    if (room) await room;
  }
}
