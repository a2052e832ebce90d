/** A body that goes on for as long as somebody reads it. */
export function endlessBody(chunkBytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(0);
      controller.enqueue(Buffer.alloc(chunkBytes, " "));
    },
  });
}
