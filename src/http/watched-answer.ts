/** A stream that goes on as it is pulled, and says when it is over, however that comes. */
export function watchedStream(
  body: ReadableStream<Uint8Array>,
  over: () => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value as Uint8Array<ArrayBuffer>);
        over();
        controller.close();
      } catch (thrown) {
        over();
        controller.error(thrown);
      }
    },
    cancel(reason) {
      over();
      return reader.cancel(reason);
    },
  });
}

/** A stream of events has nothing to say for as long as nothing happens. */
function isEvents({ headers, body }: Response): boolean {
  return body !== null && headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** The same answer. `going` is called as it goes out or, of a stream of events, just before that is over. */
export function watchedAnswer(response: Response, going: () => void): Response {
  if (!isEvents(response)) {
    going();
    return response;
  }
  const { status, headers, body } = response;
  return new Response(body && watchedStream(body, going), { status, headers });
}
