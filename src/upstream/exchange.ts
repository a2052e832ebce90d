import type { Limits } from "../config/config.ts";
import { systemClock } from "../lib/clock.ts";
import { Fault } from "../lib/faults.ts";
import type { MaybePromise } from "../lib/maybe-promise.ts";
import type { TextThreads } from "../lib/text/text-threads.ts";
import type { Watch, Watchdog } from "../lib/threads/watchdog.ts";
import { yieldToLoop } from "../lib/yield-to-loop.ts";
import { endsLine, lastEventEnd } from "../protocols/bytes/sse.ts";
import { upstreamUnavailable } from "../protocols/faults.ts";
import type { UpstreamCall } from "./channels/channels.ts";
import type { Attempt } from "./plans/attempt.ts";
import type { Reach } from "./reach.ts";
import {
  REFUSAL_CHARS_MAX,
  type ReadFault,
  refusalOfAnswer,
  refusalOfLeaving,
  refusalOfSilence,
  type VendorRefusal,
} from "./refusal.ts";
import type { AnswerBudget, HeldAnswer } from "./transport/answer-budget.ts";
import type {
  AnswerHeaders,
  ChunkTaker,
  LongTexts,
  VendorAnswer,
  VendorCall,
} from "./transport/vendor-answer.ts";
import { AnswerTooLong } from "./transport/whole-text.ts";

/** Refusals are short; a vendor that sends more has gone wrong. */

/** While it is worked on, an answer is there about twice: as it came, and as what is made of it. */
const IN_WORK = 2;

/** So much of a stream is worked on in one tick of the event loop, however much has come at once. */
const TICK_BYTES = 32 * 1024;

/** How long a vendor may take to close a stream that it has ended. */
const DRAIN_MS = 5_000;

/** Where vendors put their own name of a request, which their support asks for. */
const REQUEST_ID_HEADERS = [
  "x-request-id",
  "request-id",
  "x-goog-request-id",
  "apim-request-id",
  "x-ds-trace-id",
];

function vendorRequestId(headers: AnswerHeaders): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const id = headers.get(name);
    if (id !== null) return id;
  }
  return null;
}

/** What all exchanges of a process share. */
interface ExchangeTools {
  readonly limits: Limits;
  readonly watchdog: Watchdog;
  readonly threads: TextThreads;
  readonly answers: AnswerBudget;
}

/**
 * One call to a vendor and its answer, under four deadlines: connecting, the first byte, silence
 * between chunks, and the whole. What goes wrong before the answer is a refusal that says whose doing
 * it was; what goes wrong in it is one kind of fault.
 */
export class Exchange implements Watch, LongTexts, ChunkTaker {
  readonly #attempt: Pick<Attempt, "channel" | "credential" | "endpoint">;
  readonly #limits: Limits;
  readonly #watchdog: Watchdog;
  readonly #threads: TextThreads;
  readonly #answers: AnswerBudget;
  readonly #accountId: string;
  /** What counts for its answer, once that is a large one. */
  #held: HeldAnswer | undefined;
  #totalAtMs: number;
  /** Whether vendors that were asked before it have had a part of the time. */
  #hasLess: boolean;
  #call: VendorCall | undefined;
  #reach: Reach | undefined;
  #closed = false;
  /** Why we hung up, where we did. */
  #brokenBy: Error | undefined;
  /** Who waits for the next chunk. */
  #taker: ChunkTaker | undefined;
  /** What has come of a stream and is left for later ticks of the event loop. */
  #left: Uint8Array | undefined;
  /** What has come of a stream behind the last event that is whole. */
  #unendedBytes = 0;
  #isBehindLine = false;
  #hungUp = false;

  /** The next of the deadlines. */
  dueAtMs: number;
  before: Watch | undefined;
  behind: Watch | undefined;
  vendorRequestId: string | null = null;
  /** The vendor's HTTP status; 0 while there is none. */
  status = 0;
  firstByteAtMs: number | null = null;

  constructor(
    attempt: Pick<Attempt, "channel" | "credential" | "endpoint">,
    stream: boolean,
    /** Who asks. */
    accountId: string,
    { limits, watchdog, threads, answers }: ExchangeTools,
    /** When the request first went to a vendor, if not now: its whole time is one, however many are asked. */
    dispatchedAtMs?: number,
  ) {
    this.#attempt = attempt;
    this.#limits = limits;
    this.#watchdog = watchdog;
    this.#threads = threads;
    this.#answers = answers;
    this.#accountId = accountId;
    const nowMs = watchdog.now();
    const { upstream_first_byte_ms, upstream_answer_ms, upstream_total_ms } = limits;
    this.#totalAtMs = (dispatchedAtMs ?? nowMs) + upstream_total_ms;
    this.#hasLess = dispatchedAtMs !== undefined;
    const firstByteAtMs = nowMs + (stream ? upstream_first_byte_ms : upstream_answer_ms);
    this.dueAtMs = Math.min(this.#totalAtMs, firstByteAtMs);
  }

  /** A deadline has passed. */
  due(): void {
    this.#held?.giveUp();
    this.#break(new Error("the vendor was silent for too long"));
  }

  /** Whether its answer is counted: then somebody has to say when it is gone. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Whether we ended it, since nobody waited any more. */
  get hungUp(): boolean {
    return this.#hungUp;
  }

  /** Whether the whole took longer than it may: not the vendor's silence but the clock ended it. */
  get overran(): boolean {
    return this.#watchdog.now() >= this.#totalAtMs;
  }

  /** Whether it did so with what others had left of the time: then it is nobody's doing here. */
  get ranShort(): boolean {
    return this.#hasLess && this.overran;
  }

  /** Allows no more than this from now on; for answers that nobody waits for any more. */
  endWithin(ms: number): void {
    const endAtMs = this.#watchdog.now() + ms;
    if (endAtMs >= this.#totalAtMs) return;
    this.#totalAtMs = endAtMs;
    this.#hasLess = false;
    this.dueAtMs = Math.min(this.dueAtMs, endAtMs);
  }

  /** The call is on its way. What comes of it is for `heard` or `unanswered`. */
  send(call: UpstreamCall): PromiseLike<VendorAnswer> {
    const { channel, credential, endpoint } = this.#attempt;
    const reach = channel.reach?.(endpoint);
    this.#reach = reach;
    this.#watchdog.add(this);
    if (reach) this.#proveReach(reach);
    this.#call = channel.call(call, credential.key);
    return this.#call.answered;
  }

  /** No answer came, or the call could not even be made. */
  unanswered(thrown: unknown): VendorRefusal {
    this.close();
    return this.#silence(thrown);
  }

  /** The head of an answer is there. Of one that is no success, what it says is thrown later. */
  heard(answer: VendorAnswer, readFault: ReadFault): Promise<never> | undefined {
    this.#reach?.reached(this.#watchdog.now());
    const { status, headers } = answer;
    this.vendorRequestId = vendorRequestId(headers);
    this.status = status;
    return status === 200 ? undefined : this.#refused(answer, readFault);
  }

  async #refused(answer: VendorAnswer, readFault: ReadFault): Promise<never> {
    const { status, headers } = answer;
    const body = await this.#errorBody(answer);
    this.firstByteAtMs = null;
    this.close();
    if (this.#hungUp) throw this.#silence(undefined);
    throw refusalOfAnswer({ status, headers, body }, readFault, systemClock());
  }

  #silence(thrown: unknown): VendorRefusal {
    const reason = this.#reason(thrown);
    return this.#hungUp ? refusalOfLeaving(reason) : refusalOfSilence(reason);
  }

  #proveReach(reach: Reach): void {
    if (reach.lately(this.#watchdog.now())) return;
    reach.prove(this.#limits.upstream_connect_ms).catch((reason) => {
      if (!reach.lately(this.#watchdog.now())) this.#break(reason);
    });
  }

  async #errorBody(answer: VendorAnswer): Promise<unknown> {
    try {
      const decoder = new TextDecoder();
      let text = "";
      for (;;) {
        const chunk = await this.read(answer);
        // Some vendors quote the key that they refuse. Nobody is to read it, not even operators.
        if (!chunk) return this.#attempt.credential.key.parse(text);
        text += decoder.decode(chunk, { stream: true });
        if (text.length > REFUSAL_CHARS_MAX) {
          this.#break(new Error("the refusal is too long"));
          return undefined;
        }
      }
    } catch {
      return undefined;
    }
  }

  /** The whole body as text. Some vendors send its first bytes long before the rest: not silence. */
  text(answer: VendorAnswer): MaybePromise<string> {
    this.firstByteAtMs ??= this.#watchdog.now();
    const text = answer.text(this.#limits.upstream_answer_bytes_max, this);
    if (text instanceof Promise) return this.#waited(text);
    this.close();
    return text;
  }

  gathered(bytes: number): MaybePromise<void> {
    return this.weigh(IN_WORK * bytes);
  }

  /** Says what its answer weighs by now. Nothing more is made of it until there is room, or no time is left for it. */
  weigh(bytes: number): MaybePromise<void> {
    this.#held ??= this.#answers.enter(this.#accountId);
    const room = this.#held.weigh(bytes);
    // Its vendor may be through already, and then there is no deadline but that of the whole.
    return room && this.#closed ? this.#waitedAlone(room) : room;
  }

  async #waitedAlone(room: Promise<void>): Promise<void> {
    this.dueAtMs = this.#totalAtMs;
    this.#watchdog.add(this);
    try {
      await room;
    } finally {
      this.#watchdog.drop(this);
    }
  }

  /** Its answer is gone: its client has taken it, or it is thrown away. */
  release(): void {
    this.#held?.release();
    this.#held = undefined;
  }

  /** The vendor has done its part, whatever becomes of the client meanwhile. */
  textOf(chunks: readonly Uint8Array[]): Promise<string> {
    this.close();
    return this.#threads.mend(chunks);
  }

  async #waited(text: Promise<string>): Promise<string> {
    try {
      return await text;
    } catch (thrown) {
      // The answer is there, and only we do not get its text.
      if (thrown instanceof Fault) throw thrown;
      // One that is too long would go on.
      if (thrown instanceof AnswerTooLong) this.#break(thrown);
      throw upstreamUnavailable(this.#reason(thrown));
    } finally {
      this.close();
    }
  }

  /** The next chunk of the body, undefined at its end. */
  read(answer: VendorAnswer): Promise<Uint8Array | undefined> {
    return new Promise((took, lost) => this.readTo(answer, { took, lost }));
  }

  /**
   * The same without a promise: with thousands of slow streams, what every one of them keeps while it waits is
   * what the process weighs.
   */
  readTo(answer: VendorAnswer, taker: ChunkTaker): void {
    if (this.firstByteAtMs !== null) this.#listen();
    this.#taker = taker;
    const left = this.#left;
    if (left) {
      this.#left = undefined;
      yieldToLoop()
        .then(() => this.took(left))
        .catch((thrown) => this.lost(thrown));
    } else answer.readTo(this);
  }

  took(chunk: Uint8Array | undefined): void {
    const taker = this.#taker;
    this.#taker = undefined;
    this.#progress();
    const part = chunk && chunk.length > TICK_BYTES ? this.#firstOf(chunk) : chunk;
    const tooLong = part && this.#weigh(part);
    if (tooLong) taker?.lost(upstreamUnavailable(tooLong));
    else taker?.took(part);
  }

  #firstOf(chunk: Uint8Array): Uint8Array {
    this.#left = chunk.subarray(TICK_BYTES);
    return chunk.subarray(0, TICK_BYTES);
  }

  lost(thrown: unknown): void {
    const taker = this.#taker;
    this.#taker = undefined;
    // A status without a word behind it is as little of an answer as none.
    const isSilent = this.firstByteAtMs === null;
    taker?.lost(isSilent ? this.#silence(thrown) : upstreamUnavailable(this.#reason(thrown)));
  }

  /** Reads what follows the end marker, so that the connection can serve the next call. */
  async drain(answer: VendorAnswer): Promise<void> {
    this.endWithin(DRAIN_MS);
    try {
      while ((await this.read(answer)) !== undefined);
    } finally {
      this.close();
    }
  }

  /** It is silence only while somebody listens: a client that takes nothing is not the vendor's. */
  #listen(): void {
    const idleAtMs = this.#watchdog.now() + this.#limits.upstream_idle_ms;
    this.dueAtMs = Math.min(this.#totalAtMs, idleAtMs);
  }

  #progress(): void {
    this.firstByteAtMs ??= this.#watchdog.now();
    this.dueAtMs = this.#totalAtMs;
  }

  /** Whoever reads a stream keeps what has come of an event until it is whole. Hangs up where that is too long. */
  #weigh(chunk: Uint8Array): AnswerTooLong | undefined {
    const { upstream_answer_bytes_max: bytesMax } = this.#limits;
    const end = lastEventEnd(chunk, this.#isBehindLine);
    this.#isBehindLine = endsLine(chunk);
    this.#unendedBytes = end < 0 ? this.#unendedBytes + chunk.byteLength : chunk.byteLength - end;
    if (this.#unendedBytes <= bytesMax) return undefined;
    const tooLong = new AnswerTooLong(bytesMax);
    this.#break(tooLong);
    return tooLong;
  }

  #reason(thrown: unknown): unknown {
    return this.#brokenBy ?? thrown;
  }

  /** Hangs up, since nobody waits for the answer any more. */
  cancel(reason: Error): void {
    if (this.#closed) return;
    this.#hungUp = true;
    this.#break(reason);
  }

  /** Hangs up on a vendor that has gone wrong. */
  #break(reason: Error): void {
    if (this.#closed) return;
    this.close();
    this.#brokenBy = reason;
    this.#held?.giveUp();
    this.#call?.hangUp(reason);
  }

  /** The deadlines no longer apply; the answer has been read. */
  close(): void {
    this.#closed = true;
    this.#watchdog.drop(this);
  }
}
