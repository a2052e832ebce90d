import type { Fault } from "../../../lib/faults.ts";
import { withMember } from "../../bytes/splice.ts";
import { dataIn } from "../../bytes/sse.ts";

/** With which an event ends. */
const BLANK_LINE = /\n\r?\n/;
/** So much of a blank line may have come before its last character. */
const BLANK_CHARS = 2;

/** Cuts a byte stream into the texts of whole events. Each chunk is decoded as it comes: an event may be very long. */
class EventTexts {
  readonly #decoder = new TextDecoder();
  /** What has come of an event that has no end yet, and the last characters of it. */
  #rest = "";
  #last = "";

  /** The events that `chunk` completes. */
  push(chunk: Uint8Array): string[] {
    const events: string[] = [];
    let text = this.#last + this.#decoder.decode(chunk, { stream: true });
    for (;;) {
      const blank = BLANK_LINE.exec(text);
      if (!blank) break;
      const end = blank.index + blank[0].length;
      events.push(this.#rest + text.slice(0, end));
      this.#rest = "";
      text = text.slice(end);
    }
    const seam = Math.max(0, text.length - BLANK_CHARS);
    this.#rest += text.slice(0, seam);
    this.#last = text.slice(seam);
    return events;
  }
}

/**
 * A stream of events as the texts that a socket carries: the same events without their framing. What
 * an answer over HTTP has in its headers stands in the first of them, as `headers`.
 */
export class EventFrames {
  readonly #events = new EventTexts();
  /** What is still to be told. */
  #headers: string | undefined;

  constructor(headers: Readonly<Record<string, string>> = {}) {
    if (Object.keys(headers).length > 0) this.#headers = JSON.stringify(headers);
  }

  /** The events that `chunk` completes. The end of the stream has no event of its own. */
  push(chunk: Uint8Array): string[] {
    const texts = this.#events
      .push(chunk)
      .flatMap((event) => dataIn(event) ?? [])
      .filter((data) => data !== "[DONE]");
    const [first, ...rest] = texts;
    if (this.#headers === undefined || first === undefined) return texts;
    const told = withMember(first, "headers", this.#headers);
    this.#headers = undefined;
    return [told, ...rest];
  }
}

/** A refusal on a socket, where there is no status but the one in the text. */
export function faultFrame(fault: Fault): string {
  return JSON.stringify({ type: "error", status: fault.status, error: fault.toJson() });
}
