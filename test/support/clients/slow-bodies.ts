// Bodies of requests that take their time.

/** One of which the first byte is sent and, once somebody waits for more and `meanwhile` has been, the rest. */
export function heldBack(
  body: unknown,
  meanwhile: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.from(JSON.stringify(body));
  let isBegun = false;
  return new ReadableStream(
    {
      pull(controller) {
        if (!isBegun) controller.enqueue(bytes.subarray(0, 1));
        else {
          meanwhile();
          controller.enqueue(bytes.subarray(1));
          controller.close();
        }
        isBegun = true;
      },
    },
    // Nothing is made ready before somebody reads.
    { highWaterMark: 0 },
  );
}

/** One that is never silent and never ends. */
export function drops(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(10);
      controller.enqueue(Buffer.from(" "));
    },
  });
}
