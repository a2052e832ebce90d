import type { Fault } from "../../lib/faults.ts";
import { upstreamUnavailable } from "../faults.ts";
import { together } from "./bytes.ts";
import { readRest, SseFramer } from "./sse.ts";

/** Events from a vendor of the client's own wire on their way through, each as it is or written anew. */
export abstract class PassingStream {
  readonly #framer = new SseFramer();

  ended = false;
  started = false;
  failure: Fault | undefined;
  id: string | undefined;
  outputTokens = 0;

  /** The common case, without parsing. Undefined when the event may be anything else. */
  protected abstract passText(event: Uint8Array): Uint8Array | undefined;

  /** Any event, read. Undefined where the client gets nothing of it now. */
  protected abstract passAny(event: Uint8Array): Uint8Array | undefined;

  /** The connection is closed: whether the answer is whole although its end was not said. */
  protected abstract endEarly(): void;

  push(chunk: Uint8Array): Uint8Array | undefined {
    const pieces: Uint8Array[] = [];
    for (const event of this.#framer.push(chunk)) {
      if (this.ended || this.failure) break;
      const piece = this.passText(event) ?? this.passAny(event);
      if (piece) pieces.push(piece);
    }
    if (pieces.length > 0) this.started = true;
    return together(pieces);
  }

  close(): Uint8Array | undefined {
    const piece = readRest(this.#framer, (rest) =>
      this.ended || this.failure ? undefined : this.passAny(rest),
    );
    this.endEarly();
    if (!this.ended) this.failure ??= upstreamUnavailable(new Error("the stream was cut"));
    return piece;
  }
}
