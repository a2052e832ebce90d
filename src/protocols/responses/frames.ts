import type { Fault } from "../../lib/faults.ts";
import { eventData, SseFramer } from "../sse.ts";

/** A stream of events as the texts that a socket carries: the same events without their framing. */
export class EventFrames {
  readonly #framer = new SseFramer();

  /** The events that `chunk` completes. The end of the stream has no event of its own. */
  push(chunk: Uint8Array): string[] {
    return this.#framer
      .push(chunk)
      .flatMap((event) => eventData(event) ?? [])
      .filter((data) => data !== "[DONE]");
  }
}

/** A refusal on a socket, where there is no status but the one in the text. */
export function faultFrame(fault: Fault): string {
  return JSON.stringify({ type: "error", status: fault.status, error: fault.toWire() });
}
