import type { Socket } from "bun";
import {
  type HttpResponse,
  isStream,
  type StreamBody,
  type StreamClient,
} from "../../lib/net/http-response.ts";
import type { Watch } from "../../lib/threads/watchdog.ts";
import { headText } from "./answer-text.ts";
import { BufferedInput } from "./buffered-input.ts";
import { DirectCall } from "./direct-call.ts";
import { Outgoing, withLength } from "./outgoing.ts";
import { readPlainHead } from "./plain-head.ts";
import { Tunnel } from "./tunnel.ts";

/** What all connections of a listener have in common. */
export interface Direct<Target> {
  /** The place that answers what is asked under this path and host; none where another server does. */
  targetOf(path: string, headers: DirectCall["request"]["headers"]): Target | undefined;
  /** Gives the connection the answer, once. */
  answer(target: Target, call: DirectCall, connection: Connection<Target>): void;
  /** Whole lines that every answer of a place has in its head. */
  linesOf(target: Target): string;
  addressOf(peer: string, forwardedFor: string | null): string;
  /** The port of the server behind, and who comes to it by which port. */
  readonly behind: number;
  /** The last frames of a WebSocket whose client sent a message that is too large. */
  readonly closeWithReason: Uint8Array;
  readonly peers: { add(port: number, address: string): void; drop(port: number): void };
  /** It is no later than this: the clock of connections goes in steps. */
  readonly nowMs: number;
  /** For how long a connection may be silent; zero is forever. */
  readonly uploadMs: number;
  readonly keepMs: number;
  /** Whether connections end with the answer that they are at. */
  readonly isStopping: boolean;
  forget(connection: Connection<Target>): void;
  /** Told of a mistake of ours, with which the connection ends. */
  broke(thrown: unknown): void;
}

/**
 * A client's connection. Plain calls of models are answered here, one after the other, on the loop that relays bytes and
 * with nothing of the runtime's between the socket and the route. With the first request that is anything else, the
 * connection is passed on as it is.
 */
export class Connection<Target> implements Watch, StreamClient {
  readonly #direct: Direct<Target>;
  readonly #socket: Socket<Connection<Target>>;
  readonly #out: Outgoing;
  #isClosed = false;
  #tunnel: Tunnel | undefined;
  /** Nothing has come by it. */
  #isFresh = true;
  #call: DirectCall | undefined;
  /** Bytes of its body that have not come. */
  #missing = 0;
  /** What came behind it. */
  readonly #buffered = new BufferedInput();
  #isPaused = false;

  /** The answer that goes out: the part of its head that waits for the first of the body, and what makes the rest. */
  #head = "";
  #stream: StreamBody | undefined;
  #isAsking = false;
  #isWanted = false;
  /** All of the answer has been handed over. */
  #isAnswered = false;
  #closesBehind = false;

  dueAtMs: number;
  before: Watch | undefined;
  behind: Watch | undefined;

  constructor(direct: Direct<Target>, socket: Socket<Connection<Target>>) {
    this.#direct = direct;
    this.#socket = socket;
    this.#out = new Outgoing(socket);
    this.dueAtMs = this.#silentUntil(direct.uploadMs);
    socket.setNoDelay(true);
  }

  get address(): string {
    return this.#socket.remoteAddress;
  }

  /** Whether somebody waits for something here. */
  get isBusy(): boolean {
    return this.#call !== undefined;
  }

  get isPassedOn(): boolean {
    return this.#tunnel !== undefined;
  }

  isAnswering(call: DirectCall): boolean {
    return this.#call === call;
  }

  #silentUntil(ms: number): number {
    return ms === 0 ? Number.POSITIVE_INFINITY : this.#direct.nowMs + ms;
  }

  /** It was silent for too long. */
  due(): void {
    if (this.#call || this.#missing > 0 || this.#tunnel) this.destroy();
    else this.#end();
  }

  // What the socket tells.

  received(bytes: Buffer): void {
    if (this.#tunnel) {
      this.#tunnel.fromClient(bytes);
      return;
    }
    const from = this.#missing > 0 ? this.#takeBody(bytes) : 0;
    if (from === bytes.length) return;
    if (this.#call) this.#buffer(bytes.subarray(from));
    else this.#begin(bytes, from);
  }

  drained(): void {
    if (this.#tunnel) {
      this.#tunnel.clientDrained();
      return;
    }
    if (!this.#out.drain()) this.dueAtMs = this.#silentUntil(this.#direct.keepMs);
    else if (this.#isAnswered) this.#over();
    else if (this.#stream) {
      this.dueAtMs = Number.POSITIVE_INFINITY;
      this.#ask();
    }
  }

  /** The client says nothing more. Who waits for an answer stays, so that is taken for leaving. */
  ended(): void {
    if (this.#tunnel) this.#tunnel.clientEnded();
    else this.#end();
  }

  /** The client has left, or is cut off. */
  closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#direct.forget(this);
    this.#tunnel?.leave();
    const stream = this.#stream;
    const call = this.#call;
    this.#stream = undefined;
    this.#call = undefined;
    this.#buffered.clear();
    call?.request.leave();
    stream?.leave();
  }

  /** Ends it at once. */
  destroy(): void {
    this.#socket.terminate();
    this.closed();
  }

  /** Ends it, unless something is being answered, or the first request of whoever has just connected may be on its way. */
  rest(): void {
    if (!this.#call && !this.#tunnel && !this.#isFresh) this.#end();
  }

  // Requests.

  #begin(bytes: Buffer, from: number): void {
    this.#isFresh = false;
    const head = readPlainHead(bytes, from);
    const target = head && this.#direct.targetOf(head.path, head);
    if (!head || target === undefined) {
      this.#passOn(bytes.subarray(from));
      return;
    }
    const bodyAt = from + head.bytes;
    const end = bodyAt + head.bodyBytes;
    const isThere = end <= bytes.length;
    const { addressOf } = this.#direct;
    const call = new DirectCall(head, this, addressOf);
    this.#call = call;
    this.#isAnswered = false;
    this.dueAtMs = Number.POSITIVE_INFINITY;
    if (end < bytes.length) this.#buffer(bytes.subarray(end));
    if (isThere) call.request.hasCome(bytes, bodyAt);
    else {
      this.#missing = head.bodyBytes;
      if (bodyAt < bytes.length) this.#takeBody(bytes, bodyAt);
      this.dueAtMs = this.#silentUntil(this.#direct.uploadMs);
    }
    this.#direct.answer(target, call, this);
  }

  /** Of a body that nobody waits for any more, too: the next request stands behind it. How far the bytes were taken. */
  #takeBody(bytes: Uint8Array, from = 0): number {
    const to = Math.min(bytes.length, from + this.#missing);
    this.#missing -= to - from;
    const request = this.#call?.request;
    request?.took(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
    const isAll = this.#missing === 0;
    if (isAll) request?.hasAll();
    if (!this.#call) this.#idle();
    else if (!this.#isAnswered) {
      const ms = isAll ? 0 : this.#direct.uploadMs;
      this.dueAtMs = this.#silentUntil(ms);
    }
    return to;
  }

  #buffer(bytes: Uint8Array): void {
    this.#buffered.push(bytes);
    if (!this.#buffered.isFull || this.#isPaused) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  #passOn(bytes: Uint8Array): void {
    this.dueAtMs = Number.POSITIVE_INFINITY;
    const { peers, behind, closeWithReason } = this.#direct;
    const { address } = this;
    this.#tunnel = new Tunnel(
      {
        write: (more) => this.#socket.write(more),
        pause: () => this.#socket.pause(),
        resume: () => this.#socket.resume(),
        holdsUp: (isSlow) => {
          this.dueAtMs = isSlow ? this.#silentUntil(this.#direct.keepMs) : Number.POSITIVE_INFINITY;
        },
        end: () => this.#end(),
      },
      bytes,
      { opens: (port) => peers.add(port, address), closes: (port) => peers.drop(port) },
      closeWithReason,
    );
    this.#tunnel.connect(behind);
  }

  // Answers.

  /** What is to be sent for a call. One that cannot be written breaks off. */
  take(target: Target, response: HttpResponse): void {
    if (this.#isClosed) {
      if (isStream(response.body)) abandon(response.body);
      return;
    }
    this.#call?.request.forget();
    try {
      this.#send(target, response);
    } catch (thrown) {
      this.#broke(thrown);
    }
  }

  #send(target: Target, { body, headers, status }: HttpResponse): void {
    // What else has to be said by it would not be heard.
    this.#closesBehind = headers.connection === "close" || this.#direct.isStopping;
    const closing =
      this.#closesBehind && headers.connection !== "close" ? "connection: close\r\n" : "";
    const head = headText(status, headers, this.#direct.linesOf(target) + closing);
    if (typeof body === "string") {
      this.#out.answer(head, body);
      this.#answered();
    } else if (isStream(body)) this.#sendStream(head, body);
    else if (body instanceof Uint8Array) this.#sendPieces(head, [body], body.length);
    else if (body instanceof Blob) this.#sendBlob(head, body);
    else this.#sendPieces(head, body.chunks, body.bytes);
  }

  #sendBlob(head: string, body: Blob): void {
    body
      .bytes()
      .then((bytes) => {
        if (!this.#isClosed) this.#sendPieces(head, [bytes], bytes.length);
      })
      .catch((thrown) => this.#broke(thrown));
  }

  /** Piece by piece: of what is long the next is handed over when the one before has gone out. */
  #sendPieces(head: string, pieces: readonly Uint8Array[], bytes: number): void {
    const opening = withLength(head, bytes);
    this.#out.text(opening, opening.length);
    for (const piece of pieces) this.#out.bytes(piece);
    this.#answered();
  }

  #sendStream(head: string, body: StreamBody): void {
    this.#head = `${head}transfer-encoding: chunked\r\n\r\n`;
    this.#stream = body;
    body.begin(this);
    this.#ask();
    if (this.#head !== "" && !this.#isClosed) this.#out.text(this.#head, this.#head.length);
    this.#head = "";
  }

  /** Asks for more of the stream for as long as it gives at once, and its client takes. */
  #ask(): void {
    if (this.#isAsking) {
      this.#isWanted = true;
      return;
    }
    this.#isAsking = true;
    try {
      do {
        this.#isWanted = false;
        this.#stream?.more();
      } while (this.#isWanted && this.#out.isSent);
    } finally {
      this.#isAsking = false;
    }
  }

  get desiredSize(): number {
    return this.#out.isSent ? 1 : 0;
  }

  enqueue(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    // One without bytes would be the last.
    if (bytes.length > 0) this.#out.chunk(this.#takeHead(), bytes, false);
    if (this.#out.isSent) this.#ask();
    else this.dueAtMs = this.#silentUntil(this.#direct.keepMs);
  }

  finish(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    if (bytes.length > 0) this.#out.chunk(this.#takeHead(), bytes, true);
    else this.#out.end(this.#takeHead());
    this.#stream = undefined;
    this.#answered();
  }

  /** Nothing more comes: the connection must not look as if the answer were whole. */
  error(): void {
    this.#stream = undefined;
    this.destroy();
  }

  #takeHead(): string {
    const head = this.#head;
    this.#head = "";
    return head;
  }

  #answered(): void {
    this.#isAnswered = true;
    if (this.#out.isSent) this.#over();
    else this.dueAtMs = this.#silentUntil(this.#direct.keepMs);
  }

  /** The client has all of its answer. */
  #over(): void {
    this.#call = undefined;
    this.#isAnswered = false;
    if (this.#closesBehind || this.#direct.isStopping) this.#end();
    else this.#idle();
  }

  /** On with what was sent ahead, once all of the request before has come. */
  #idle(): void {
    const { uploadMs, keepMs } = this.#direct;
    this.dueAtMs = this.#silentUntil(this.#missing > 0 ? uploadMs : keepMs);
    if (this.#missing > 0 || this.#buffered.isEmpty) return;
    const input = this.#buffered.take();
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    this.#begin(input, 0);
  }

  #end(): void {
    this.#socket.end();
    this.closed();
  }

  #broke(thrown: unknown): void {
    this.#direct.broke(thrown);
    this.destroy();
  }
}

const NOBODY: StreamClient = { desiredSize: 0, enqueue() {}, finish() {}, error() {} };

/** An answer whose client has left before it was there. */
function abandon(body: StreamBody): void {
  body.begin(NOBODY);
  body.leave();
}
