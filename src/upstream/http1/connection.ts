import { checkServerIdentity } from "node:tls";
import type { Socket } from "bun";
import { BadAnswer, readHead } from "./answer-head.ts";
import { ChunkedBody } from "./chunked-body.ts";
import { HeadBytes } from "./head-bytes.ts";
import type { CallSocket, Http1Call } from "./http1-call.ts";

/** Who has the connections of an origin. */
export interface ConnectionPool {
  readonly headBytesMax: number;
  /** The whole answer has come, and the connection can serve another call. */
  keep(connection: Connection, keepMs: number | undefined): void;
  /** It is closed, or about to be. */
  forget(connection: Connection): void;
  /** The vendor has closed it behind an answer, or instead of the first byte of the next one. */
  wasClosed(connection: Connection): void;
  /** The call has to go by another connection, since nothing of it has gone out by this one. */
  sendAgain(call: Http1Call): void;
}

/** Chunks of a request that are written in one tick of the event loop. */
const CHUNKS_AT_ONCE = 4;

/** What `fetch` says of the same, which operators know. */
function closedUnexpectedly(thrown?: unknown): Error {
  const message = "ECONNRESET: The socket connection was closed unexpectedly.";
  return new Error(message, { cause: thrown });
}

function unverified(what: string): Error {
  return new Error(`the vendor's certificate is not trusted: ${what}`);
}

/**
 * One connection to a vendor, which serves one call after another. Everything happens on the loop that relays
 * bytes: what one read brings goes on as one chunk, and no thread is crossed.
 */
export class Connection implements CallSocket {
  readonly #pool: ConnectionPool;
  /** Whom the certificate must be for; undefined without TLS. */
  readonly #verifiedName: string | undefined;
  readonly #head: HeadBytes;
  #socket: Socket<Connection> | undefined;
  #connecting: Timer | undefined;
  #isReady = false;
  #isClosed = false;
  #isPaused = false;
  /** The vendor has said that it sends nothing more. */
  #hasEnded = false;

  #call: Http1Call | undefined;
  /** Whether an earlier call was answered here. */
  #isReused = false;
  /** Whether a byte of the answer to this call has come. */
  #hasBegun = false;
  #sentBytes = 0;
  #unsent: Uint8Array | undefined;
  /** How many chunks of the request have been begun with. */
  #chunksBegun = 0;

  #isKept = false;
  #keepMs: number | undefined;
  /** How the body that comes is told to end: while the head is waited for, none of these. */
  #leftBytes = -1;
  #chunks: ChunkedBody | undefined;
  #isUntilClose = false;

  /** Since when nobody uses it, and when it is of no use any more. */
  keptAtMs = 0;
  expiresAtMs = 0;

  /** It is opened for this call, which is sent as soon as it can be. */
  constructor(pool: ConnectionPool, call: Http1Call, verifiedName: string | undefined) {
    this.#pool = pool;
    this.#verifiedName = verifiedName;
    this.#head = new HeadBytes(pool.headBytesMax);
    this.#call = call;
    call.socket = this;
  }

  /** It is given up where it cannot be written to by then. */
  connectWithin(ms: number): void {
    const late = new Error(`the vendor could not be reached within ${ms} ms`);
    this.#connecting = setTimeout(() => this.failed(late), ms);
  }

  /** Whether there was a socket ever. */
  get isOpened(): boolean {
    return this.#socket !== undefined;
  }

  // What the socket tells.

  opened(socket: Socket<Connection>): void {
    this.#socket = socket;
    if (this.#isClosed) {
      socket.terminate();
      return;
    }
    socket.setNoDelay(true);
    if (this.#verifiedName === undefined) this.#ready();
  }

  /** TLS is agreed on. Not a byte of the request has gone out, and none does unless it is who it should be. */
  shookHands(socket: Socket<Connection>, isTrusted: boolean, thrown: Error | null): void {
    if (this.#isClosed || this.#isReady || this.#verifiedName === undefined) return;
    if (!isTrusted || thrown) {
      this.failed(unverified(thrown?.message ?? "it could not be verified"));
      return;
    }
    const stranger = checkServerIdentity(this.#verifiedName, socket.getPeerCertificate());
    if (stranger) this.failed(unverified(stranger.message));
    else this.#ready();
  }

  received(bytes: Buffer): void {
    const call = this.#call;
    try {
      this.#take(bytes);
    } catch (thrown) {
      this.failed(thrown);
      // Also where it has given the call up already: whoever waits for it would wait for ever.
      call?.fail(thrown);
      if (!(thrown instanceof BadAnswer)) throw thrown;
    }
    call?.tell();
  }

  /** There is room for more of the request. */
  drained(): void {
    const socket = this.#socket;
    if (!socket || !this.#isReady) return;
    for (let turn = 0; turn < CHUNKS_AT_ONCE; turn++) {
      if (!this.#unsent || !this.#write(socket, this.#unsent)) return;
    }
    // It has taken all of them and will not ask for more; but others have their turn first.
    setImmediate(() => this.drained());
  }

  ended(): void {
    this.#hasEnded = true;
  }

  /** Nothing more comes or goes. Only an orderly end is the end of an answer that has no other. */
  closed(thrown: unknown): void {
    if (this.#isClosed) return;
    if (this.#isReused && !this.#hasBegun) this.#pool.wasClosed(this);
    const call = this.#leave();
    if (!call) return;
    if (this.#isUntilClose && this.#hasEnded && thrown === undefined) call.end();
    else if (this.#isReused && this.#sentBytes === 0) this.#pool.sendAgain(call);
    else call.fail(closedUnexpectedly(thrown));
  }

  // What a call wants of it.

  /** False where it turns out to be closed, so that nothing of the call has gone out. */
  send(call: Http1Call): boolean {
    const socket = this.#socket;
    if (!socket || this.#isClosed) return false;
    this.#call = call;
    call.socket = this;
    this.#sentBytes = 0;
    const { text, bytes } = call.request;
    const written = socket.write(text);
    if (written < 0) {
      this.#call = undefined;
      call.socket = undefined;
      this.destroy();
      return false;
    }
    this.#sentBytes = written;
    this.#chunksBegun = 0;
    if (written < bytes) this.#unsent = Buffer.from(text).subarray(written);
    else {
      this.#unsent = this.#nextChunk(call);
      if (this.#unsent) this.drained();
    }
    return true;
  }

  pause(): void {
    if (this.#isPaused || this.#isClosed) return;
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#isClosed) this.#socket?.resume();
  }

  destroy(): void {
    this.#leave();
    this.#socket?.terminate();
  }

  /** The process may end while nobody uses it. */
  rest(): void {
    this.#socket?.unref();
  }

  wake(): void {
    this.#socket?.ref();
  }

  /** It is of no use any more, and neither is what it was doing. */
  failed(thrown: unknown): void {
    const call = this.#leave();
    this.#socket?.terminate();
    call?.fail(thrown);
  }

  /** Gives up the call that it has. */
  #leave(): Http1Call | undefined {
    const call = this.#call;
    this.#call = undefined;
    this.#unsent = undefined;
    if (!this.#isClosed) {
      this.#isClosed = true;
      clearTimeout(this.#connecting);
      this.#pool.forget(this);
    }
    return call;
  }

  #ready(): void {
    this.#isReady = true;
    clearTimeout(this.#connecting);
    const call = this.#call;
    if (!call) this.destroy();
    else if (!this.send(call)) call.fail(closedUnexpectedly());
  }

  /** False where the socket takes no more for now; it says when it does. */
  #write(socket: Socket<Connection>, offered: Uint8Array): boolean {
    const written = socket.write(offered);
    if (written <= 0) return false;
    this.#sentBytes += written;
    const isAll = written === offered.length;
    this.#unsent = isAll ? this.#nextChunk(this.#call) : offered.subarray(written);
    return isAll;
  }

  /** What follows of the request; nothing where all of it has gone out. */
  #nextChunk(call: Http1Call | undefined): Uint8Array | undefined {
    const chunk = call?.request.more[this.#chunksBegun++];
    if (!chunk) call?.wasSent();
    return chunk;
  }

  // The answer.

  #take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      const call = this.#call;
      if (!call) {
        // Bytes that belong to no call: whatever follows them could be taken for an answer.
        this.destroy();
        return;
      }
      this.#hasBegun = true;
      if (this.#leftBytes >= 0) at = this.#takeSized(call, bytes, at);
      else if (this.#chunks) at = this.#takeChunks(call, this.#chunks, bytes, at);
      else if (this.#isUntilClose) {
        call.push(at === 0 ? bytes : bytes.subarray(at));
        at = bytes.length;
      } else at = this.#takeHead(call, bytes, at);
    }
  }

  #takeHead(call: Http1Call, bytes: Buffer, from: number): number {
    const gathered = this.#head;
    if (!gathered.push(bytes, from)) return bytes.length;
    const { takenTo } = gathered;
    const head = readHead(gathered.bytes, gathered.from, gathered.to, call.request.isHead);
    // Such as 100 and 103: the answer itself follows.
    if (head.status < 200) return takenTo;
    gathered.clear();
    this.#isKept = head.isKept;
    this.#keepMs = head.keepMs;
    call.begin(head);
    if (head.framing === "chunked") this.#chunks = new ChunkedBody(this.#pool.headBytesMax);
    else if (head.framing === "until-close") this.#isUntilClose = true;
    else if (head.framing === "sized" && head.bytes > 0) this.#leftBytes = head.bytes;
    else this.#done(call);
    return takenTo;
  }

  #takeSized(call: Http1Call, bytes: Buffer, from: number): number {
    const to = Math.min(bytes.length, from + this.#leftBytes);
    this.#leftBytes -= to - from;
    if (this.#leftBytes > 0) {
      call.push(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
      return to;
    }
    call.pushLast(bytes, from, to);
    this.#done(call);
    return to;
  }

  #takeChunks(call: Http1Call, chunks: ChunkedBody, bytes: Buffer, from: number): number {
    const data = chunks.push(bytes, from);
    if (data) call.push(data);
    if (chunks.isOver) this.#done(call);
    return chunks.takenTo;
  }

  /** The whole answer has come. Whoever took the last of it may have hung up. */
  #done(call: Http1Call): void {
    if (this.#call !== call) return;
    this.#leftBytes = -1;
    this.#chunks = undefined;
    const isKept = this.#isKept && !this.#unsent && !this.#hasEnded;
    if (isKept) {
      this.#call = undefined;
      this.#isReused = true;
      this.#hasBegun = false;
      this.resume();
      this.#pool.keep(this, this.#keepMs);
    } else this.destroy();
    call.end();
  }
}
