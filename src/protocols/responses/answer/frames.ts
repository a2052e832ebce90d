import type { Fault } from "../../../lib/faults.ts";
import { JsonText } from "../../bytes/splice.ts";
import { eventData, SseFramer } from "../../bytes/sse.ts";

/**
 * A stream of events as the texts that a socket carries: the same events without their framing. What
 * an answer over HTTP has in its headers stands in the first of them, as `headers`.
 */
export class EventFrames {
  readonly #framer = new SseFramer();
  /** What is still to be told. */
  #headers: string | undefined;

  constructor(headers: Readonly<Record<string, string>> = {}) {
    if (Object.keys(headers).length > 0) this.#headers = JSON.stringify(headers);
  }

  /** The events that `chunk` completes. The end of the stream has no event of its own. */
  push(chunk: Uint8Array): string[] {
    const texts = this.#framer
      .push(chunk)
      .flatMap((event) => eventData(event) ?? [])
      .filter((data) => data !== "[DONE]");
    const [first, ...rest] = texts;
    if (this.#headers === undefined || first === undefined) return texts;
    const told = new JsonText(first).edit({ headers: this.#headers });
    this.#headers = undefined;
    return [told, ...rest];
  }
}

/** A refusal on a socket, where there is no status but the one in the text. */
export function faultFrame(fault: Fault): string {
  return JSON.stringify({ type: "error", status: fault.status, error: fault.toJson() });
}
