import type { Faults } from "../faults.ts";

export interface Pace extends Pick<Faults, "stallAfter" | "cutAfter" | "resetAfter"> {
  /** The pause before each event but the first. */
  readonly delayMs: number;
}

/** So many events in one go, then other work gets its step: a long answer must not hog the loop. */
const EVENTS_PER_TICK = 64;

const encoder = new TextEncoder();

/** The error of a connection that broke, as a socket would report it. */
export function connectionReset(): Error {
  return Object.assign(new Error("The connection was reset by the sandbox."), {
    code: "ECONNRESET",
  });
}

/**
 * A body of one chunk per event, made only as it is read. It waits for nothing but its own pauses,
 * and lets go of timer, iterator and listener when the reader leaves or the signal aborts.
 */
export function eventStream(
  events: Iterator<string>,
  pace: Pace,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  let sent = 0;
  let timer: Timer | undefined;
  let wake: (() => void) | undefined;
  let onAbort: (() => void) | undefined;

  const release = (): void => {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    onAbort = undefined;
    events.return?.();
    wake?.();
  };
  /** Without a time it lasts until it is released. */
  const pause = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
      if (ms !== undefined) timer = setTimeout(resolve, ms);
    });

  const emit = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    // Released while it waited: the stream is already closed or in error.
    if (onAbort === undefined) return;
    if (sent === pace.resetAfter) {
      release();
      controller.error(connectionReset());
      return;
    }
    const next = sent === pace.cutAfter ? undefined : events.next();
    if (next === undefined || next.done === true) {
      release();
      controller.close();
      return;
    }
    sent += 1;
    controller.enqueue(encoder.encode(next.value));
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        onAbort = () => {
          release();
          controller.error(signal.reason);
        };
        if (signal.aborted) onAbort();
        else signal.addEventListener("abort", onAbort);
      },
      pull(controller) {
        if (sent === pace.stallAfter) return pause();
        const delayMs = sent === 0 ? 0 : pace.delayMs;
        const yields = sent > 0 && sent % EVENTS_PER_TICK === 0;
        if (delayMs === 0 && !yields) return emit(controller);
        return pause(delayMs).then(() => emit(controller));
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}
