import type { KeptAnswer } from "../../conversations/packing.ts";
import { eventEnd } from "../../protocols/bytes/sse.ts";

/** A kept stream, event by event, as fast as the client reads. */
function events(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const end = eventEnd(bytes, at);
      const next = end < 0 ? bytes.length : end;
      if (next > at) controller.enqueue(bytes.subarray(at, next));
      at = next;
      if (at === bytes.length) controller.close();
    },
  });
}

/** The first answer again. It costs nothing, and says whose receipt it is. */
export function replay({ status, headers, body }: KeptAnswer, receiptId: string): Response {
  const isStream = headers["content-type"]?.startsWith("text/event-stream");
  return new Response(isStream ? events(body) : new Uint8Array(body), {
    status,
    headers: {
      ...headers,
      "x-faregate-idempotency": "replay",
      "x-faregate-receipt": receiptId,
    },
  });
}
