import type { Fault } from "../../lib/faults.ts";
import { upstreamUnavailable } from "../faults.ts";
import type { EventPaths, EventShape, ReadEvent } from "./event-shape.ts";
import { KnownShapes } from "./known-shapes.ts";
import { OneWrite } from "./one-write.ts";
import { readRest, SseFramer } from "./sse.ts";
import { inOrder, isSeveral, type Writes } from "./writes.ts";

/** A write of which the bytes before `at` are the beginning. */
function begun(bytes: Uint8Array, at: number): OneWrite {
  const out = new OneWrite(bytes);
  out.keep(0, at);
  return out;
}

/** The bytes before `at`, if there are any. */
function stretch(bytes: Uint8Array, at: number): Uint8Array | undefined {
  if (at === bytes.length) return at > 0 ? bytes : undefined;
  return at > 0 ? bytes.subarray(0, at) : undefined;
}

/**
 * Events from a vendor of the client's own wire on their way through, each as it is or written anew.
 * One that is like an earlier one in all but its text is known by its bytes and not read again.
 */
export abstract class PassingStream {
  readonly #framer = new SseFramer();
  readonly #shapes = new KnownShapes();

  ended = false;
  started = false;
  failure: Fault | undefined;
  id: string | undefined;
  outputTokens = 0;

  /** How much is added to the numbers of events, where they are numbered. */
  protected added = 0;

  /** Any event, read. Undefined where the client gets nothing of it now. */
  protected abstract passAny(event: Uint8Array, isFirst: boolean): Writes | undefined;

  /** The connection is closed: whether the answer is whole although its end was not said. */
  protected abstract endEarly(): void;

  /** An event of a known shape went through. */
  protected passed(shape: EventShape): void {
    this.outputTokens += shape.tokens;
  }

  /** The event meant nothing but what its places say. Others like it pass without being read. */
  protected learn(read: ReadEvent, places: EventPaths): EventShape | undefined {
    // One without a word is a vendor's way to begin, and does not come again.
    if (read.tokens === 0 || places.texts.length === 0) return undefined;
    return this.#shapes.learn(read, places);
  }

  /** What was learned is no longer how events are to be written. */
  protected forget(): void {
    this.#shapes.forget();
  }

  push(chunk: Uint8Array): Writes | undefined {
    const bytes = this.#framer.take(chunk);
    // Only from the first event on that does not go out as it came.
    let out: OneWrite | undefined;
    // What comes before it, up to the last event that is long.
    let before: Writes | undefined;
    let at = 0;
    while (at < bytes.length && !this.ended && !this.failure) {
      const shape = this.#shapes.find(bytes, at);
      if (shape) {
        this.passed(shape);
        if (out || !shape.stays(this.added)) {
          out ??= begun(bytes, at);
          shape.write(out, at, this.added);
        }
        at = shape.end;
        continue;
      }
      const end = this.#framer.next(bytes, at);
      const { from } = this.#framer;
      if (end < 0 && from === at) break;
      out ??= begun(bytes, at);
      if (from > at) {
        // What comes behind blank lines and comments may well be known.
        at = from;
        continue;
      }
      const isFirst = !this.started && !before && out.isEmpty;
      const piece = this.passAny(bytes.subarray(at, end), isFirst);
      if (piece && isSeveral(piece)) {
        before = inOrder([before, out.done(), piece]);
        out = new OneWrite(bytes);
      } else if (piece) out.put(piece);
      at = end;
    }
    this.#framer.leave(bytes, at);
    const last = out ? out.done() : stretch(bytes, at);
    const written = before ? inOrder([before, last]) : last;
    if (written) {
      this.started = true;
      this.#framer.heard();
    }
    return written;
  }

  close(): Writes | undefined {
    const piece = readRest(this.#framer, (rest) =>
      this.ended || this.failure ? undefined : this.passAny(rest, !this.started),
    );
    this.endEarly();
    if (!this.ended) this.failure ??= upstreamUnavailable(new Error("the stream was cut"));
    return piece;
  }
}
