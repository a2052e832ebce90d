import { newId } from "../../lib/ids.ts";
import type { Incoming, LeaveSignal, Sent } from "../../lib/route.ts";
import type { PlainHead } from "./plain-head.ts";

/** Tells those who listen that the client has left, once. */
class Leave implements LeaveSignal {
  aborted = false;
  #heard: (() => void) | undefined;
  /** Those beside the first: most requests have one at a time. */
  #others: (() => void)[] | undefined;

  addEventListener(_name: "abort", heard: () => void): void {
    if (this.#heard === undefined) this.#heard = heard;
    else if (this.#others) this.#others.push(heard);
    else this.#others = [heard];
  }

  removeEventListener(_name: "abort", heard: () => void): void {
    if (this.#heard === heard) this.#heard = undefined;
    else this.#others = this.#others?.filter((other) => other !== heard);
  }

  leave(): void {
    if (this.aborted) return;
    this.aborted = true;
    const heard = this.#heard;
    const others = this.#others;
    this.#heard = undefined;
    this.#others = undefined;
    heard?.();
    if (others) for (const other of others) other();
  }
}

/** As the runtime says it. */
function left(): DOMException {
  return new DOMException("The client left in the middle of its body.", "AbortError");
}

/** A body that comes in pieces gets this much room at first. */
const BODY_ROOM_LEAST = 4_096;

/** A request whose head is there, and whose body is, or comes. */
class DirectRequest implements Sent {
  readonly method = "POST";
  readonly headers: PlainHead;
  readonly signal = new Leave();
  /** Where its body lies, once all of it is there: a view of it is made where somebody wants the bytes. */
  #bytes: Buffer | undefined;
  #from = 0;
  /** A body that did not come with its head, as far as it is there. One that comes byte by byte takes no more than another. */
  #body: Buffer | undefined;
  #bodyBytes = 0;
  #isForgotten = false;
  #coming: PromiseWithResolvers<Uint8Array> | undefined;

  constructor(head: PlainHead) {
    this.headers = head;
  }

  /** All of it is there, and begins at that place of these bytes. */
  hasCome(bytes: Buffer, from: number): void {
    this.#bytes = bytes;
    this.#from = from;
  }

  /** What is none is read as one with other characters in the place of what is wrong. Who sends those is rare, too. */
  thereText(): string | undefined {
    const from = this.#from;
    const text = this.#bytes?.toString("utf8", from, from + this.headers.bodyBytes);
    return text?.includes("\ufffd") || text?.charCodeAt(0) === 0xfeff ? undefined : text;
  }

  get url(): string {
    return `http://${this.headers.get("host")}${this.headers.path}`;
  }

  bytes(): Promise<Uint8Array> {
    const bytes = this.#bytes;
    const from = this.#from;
    if (bytes) return Promise.resolve(bytes.subarray(from, from + this.headers.bodyBytes));
    if (this.signal.aborted || this.#isForgotten) return Promise.reject(left());
    this.#coming ??= Promise.withResolvers();
    return this.#coming.promise;
  }

  get body(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        controller.enqueue(await this.bytes());
        controller.close();
      },
    });
  }

  took(piece: Uint8Array): void {
    if (this.#isForgotten) return;
    const before = this.#bodyBytes;
    this.#bodyBytes += piece.length;
    this.#body = this.#roomFor(this.#bodyBytes);
    this.#body.set(piece, before);
  }

  /** Twice as much as is there, up to all of it: who says a length has yet to show a key. */
  #roomFor(bytes: number): Buffer {
    const body = this.#body;
    if (body && body.length >= bytes) return body;
    const most = Math.max(2 * bytes, BODY_ROOM_LEAST);
    const room = Buffer.allocUnsafeSlow(Math.min(most, this.headers.bodyBytes));
    if (body) room.set(body);
    return room;
  }

  hasAll(): void {
    this.#bytes = this.#body;
    this.#coming?.resolve(this.#body as Buffer);
  }

  /** Nobody reads it any more: a long stream must not keep in memory what nobody counts. */
  forget(): void {
    this.#isForgotten = true;
    this.#bytes = undefined;
    this.#body = undefined;
    this.#coming = undefined;
  }

  leave(): void {
    this.signal.leave();
    if (!this.#bytes) this.#coming?.reject(left());
  }
}

const NO_PARAMS = {};

/** Who has the connection that a call came by. */
interface Caller {
  isAnswering(call: DirectCall): boolean;
  readonly address: string;
}

/** A call of a model as it comes from a connection of our own. */
export class DirectCall implements Incoming<Sent> {
  readonly request: DirectRequest;
  readonly requestId = newId("req_");
  readonly params = NO_PARAMS;
  readonly #caller: Caller;
  readonly #addressOf: (peer: string, forwardedFor: string | null) => string;

  constructor(
    head: PlainHead,
    caller: Caller,
    addressOf: (peer: string, forwardedFor: string | null) => string,
  ) {
    this.request = new DirectRequest(head);
    this.#caller = caller;
    this.#addressOf = addressOf;
  }

  get url(): URL {
    return new URL(this.request.url);
  }

  /** Its connection is not closed for being silent while it is answered. */
  keepOpen(): void {}

  isBeingAnswered(): boolean {
    return this.#caller.isAnswering(this);
  }

  address(): string {
    return this.#addressOf(this.#caller.address, this.request.headers.get("x-forwarded-for"));
  }
}
