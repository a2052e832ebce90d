import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { Deferred } from "../../lib/threads/deferred.ts";
import type {
  AnswerHeaders,
  ChunkTaker,
  LongTexts,
  VendorAnswer,
  VendorCall,
} from "../transport/vendor-answer.ts";
import { wholeText } from "../transport/whole-text.ts";
import type { AnswerHead } from "./answer-head.ts";
import { fieldOf } from "./head-fields.ts";
import { unpacked } from "./unpacked-answer.ts";

/** The connection of a call, as far as the call has to do with it. */
export interface CallSocket {
  /** Nothing more is read of the vendor until it is resumed. */
  pause(): void;
  resume(): void;
  /** Closes it at once. */
  destroy(): void;
}

/** A request as it goes out, head and body. */
export interface Http1Request {
  readonly text: string;
  /** What the text is in bytes. */
  readonly bytes: number;
  /** What follows it, where it is not all: the chunks of a long body. */
  readonly more: readonly Uint8Array[];
  /** The answer to HEAD has no body, whatever it says of one. */
  readonly isHead: boolean;
}

/** What is left of a request that has gone out. */
const SENT: Http1Request = { text: "", bytes: 0, more: [], isHead: false };
const SENT_HEAD: Http1Request = { ...SENT, isHead: true };
/** So many pieces that nobody has read are put together: a small one weighs far more than its bytes. */
const PIECES_MAX = 256;
/** What some put in front of a text, and a decoder leaves out. */
const BYTE_ORDER_MARK = 0xfeff;
const decoder = new TextDecoder();

function tellLoss(taker: ChunkTaker, thrown: unknown): void {
  queueMicrotask(() => taker.lost(thrown));
}

/**
 * One request and its answer: the call and the answer are one object, since there is one of both for every
 * request. What the vendor sends before it is asked for is kept here, up to a bound, beyond which the
 * connection is paused.
 */
export class Http1Call implements VendorCall, VendorAnswer {
  /** Nothing of it is left once all of it has gone out. */
  request: Http1Request;
  readonly answered = new Deferred<VendorAnswer>();
  /** Where it is under way; nowhere before and after. */
  socket: CallSocket | undefined;

  readonly #unreadBytesMax: number;
  #head: AnswerHead | undefined;
  #isTold = false;
  #unread: Uint8Array | undefined;
  /** Of what has come at once, where it lies in what was read: most is wanted as a text, and no view need be made. */
  #last: Buffer | undefined;
  #lastFrom = 0;
  #lastTo = 0;
  /** What came behind it. */
  #unreadMore: Uint8Array[] | undefined;
  #unreadBytes = 0;
  #isOver = false;
  #isBroken = false;
  #thrown: unknown;
  /** Who waits for what comes next. */
  #taker: ChunkTaker | undefined;

  constructor(request: Http1Request, unreadBytesMax: number) {
    this.request = request;
    this.#unreadBytesMax = unreadBytesMax;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get status(): number {
    return this.#head?.status ?? 0;
  }

  get headers(): AnswerHeaders {
    return this;
  }

  get(name: string): string | null {
    return this.#head ? fieldOf(this.#head, name) : null;
  }

  /** All of the request has gone out. A long answer must not keep it in memory. */
  wasSent(): void {
    this.request = this.request.isHead ? SENT_HEAD : SENT;
  }

  begin(head: AnswerHead): void {
    this.#head = head;
  }

  /** Whoever waits for the answer is told of it when all has been taken that came with its head: mostly that is all. */
  tell(): void {
    if (!this.#head || this.#isTold) return;
    const { packing } = this.#head;
    const answer = packing === "" ? this : unpacked(this, packing);
    this.#isTold = true;
    this.answered.came(answer);
  }

  /** Something of the body has come: to whoever waits for it, or else to what is kept. */
  push(chunk: Uint8Array): void {
    const taker = this.#taker;
    if (taker) {
      this.#taker = undefined;
      taker.took(chunk);
      return;
    }
    if (!this.#unread) this.#unread = chunk;
    else if (this.#unreadMore) this.#unreadMore.push(chunk);
    else this.#unreadMore = [chunk];
    if (this.#unreadMore?.length === PIECES_MAX) this.#putTogether();
    this.#unreadBytes += chunk.byteLength;
    if (this.#unreadBytes > this.#unreadBytesMax) this.socket?.pause();
  }

  /** The same for the end of a body, which lies there in what was read. */
  pushLast(bytes: Buffer, from: number, to: number): void {
    if (this.#taker || this.#unread) {
      this.push(bytes.subarray(from, to));
      return;
    }
    this.#last = bytes;
    this.#lastFrom = from;
    this.#lastTo = to;
    this.#unreadBytes = to - from;
  }

  /** The body has come to its end. */
  end(): void {
    this.#isOver = true;
    this.socket = undefined;
    const taker = this.#taker;
    this.#taker = undefined;
    taker?.took(undefined);
  }

  /** Nothing more will come. What has come before can still be read. */
  fail(thrown: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isBroken = true;
    this.#thrown = thrown;
    this.socket = undefined;
    // Also where its head was read in vain. In a tick of its own: whoever hangs up is in the middle of changing what they are.
    if (!this.#isTold) queueMicrotask(() => this.answered.failed(thrown));
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) tellLoss(taker, thrown);
  }

  hangUp(reason: Error): void {
    const { socket } = this;
    this.#unread = undefined;
    this.#unreadMore = undefined;
    this.#last = undefined;
    this.fail(reason);
    socket?.destroy();
  }

  /** What has gathered since the last time is one chunk. */
  read(): Promise<Uint8Array | undefined> {
    return new Promise((took, lost) => this.readTo({ took, lost }));
  }

  readTo(taker: ChunkTaker): void {
    if (this.#unread || this.#last) taker.took(this.#takeUnread());
    else if (this.#isBroken) tellLoss(taker, this.#thrown);
    else if (this.#isOver) taker.took(undefined);
    else this.#taker = taker;
  }

  #takeUnread(): Uint8Array | undefined {
    this.#putTogether();
    const unread = this.#last?.subarray(this.#lastFrom, this.#lastTo) ?? this.#unread;
    this.#last = undefined;
    this.#unread = undefined;
    if (this.#unreadBytes > this.#unreadBytesMax) this.socket?.resume();
    this.#unreadBytes = 0;
    return unread;
  }

  #putTogether(): void {
    const more = this.#unreadMore;
    if (this.#unread && more) this.#unread = Buffer.concat([this.#unread, ...more]);
    this.#unreadMore = undefined;
  }

  text(bytesMax: number, long?: LongTexts): MaybePromise<string> {
    // Most answers are small, and have come with their head.
    const isThere = this.#isOver && !this.#isBroken && this.#unreadBytes <= bytesMax;
    if (!isThere) return wholeText(this, bytesMax, long);
    return this.#last ? this.#takeLast(this.#last) : decoder.decode(this.#takeUnread());
  }

  #takeLast(bytes: Buffer): string {
    this.#last = undefined;
    this.#unreadBytes = 0;
    const text = bytes.toString("utf8", this.#lastFrom, this.#lastTo);
    return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  }
}
