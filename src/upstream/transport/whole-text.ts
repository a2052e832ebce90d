import { isLargeLength } from "../../lib/breath.ts";
import { isThreaded } from "../../lib/text/text-threads.ts";
import type { LongTexts, VendorAnswer } from "./vendor-answer.ts";

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
  let bytes = 0;
  for (;;) {
    const chunk = await answer.read();
    if (!chunk && long && isThreaded(bytes)) return long.textOf(chunks);
    if (!chunk) return decoder.decode(Buffer.concat(chunks));
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new AnswerTooLong(bytesMax);
    chunks.push(chunk);
    const room = long && isLargeLength(bytes) ? long.gathered(bytes) : undefined;
    if (room) await room;
  }
}
