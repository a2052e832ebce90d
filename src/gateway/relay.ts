import type { Fault } from "../lib/faults.ts";
import { HttpResponse } from "../lib/net/http-response.ts";
import type { LeaveSignal } from "../lib/route.ts";
import { Deferred, hear, type Listener } from "../lib/threads/deferred.ts";
import { isLarge } from "../lib/yield-to-loop.ts";
import { bytesIn, inOrder, type Writes } from "../protocols/bytes/writes.ts";
import { ErrorInside, upstreamUnavailable, vendorFault } from "../protocols/faults.ts";
import type { Translation } from "../protocols/translation/translate.ts";
import type { AnswerOptions, StreamFilter } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import { VendorRefusal } from "../upstream/refusal.ts";
import type { VendorAnswer } from "../upstream/transport/vendor-answer.ts";
import { answerHeaders } from "./answer-headers.ts";
import { BegunRead } from "./answering/begun-read.ts";
import { answerOptions, readWhole } from "./answering/whole-answer.ts";
import { WholeRelay } from "./answering/whole-relay.ts";
import type { Dispatch } from "./asking/dispatch.ts";
import {
  type Answered,
  type Reading,
  type Unanswered,
  VendorCalls,
} from "./asking/vendor-calls.ts";
import { LEFT_UNASKED } from "./ending/cause.ts";
import { type Ended, endRequest } from "./ending/end-request.ts";
import { endUnsent } from "./ending/end-unsent.ts";
import { MeteredStream } from "./money/metered-stream.ts";
import type { Services } from "./services.ts";
import { StreamRelay } from "./stream-relay.ts";

/** A stream as far as it had to be read to tell success from failure. */
interface Opened {
  readonly options: AnswerOptions;
  readonly filter: StreamFilter;
  /** The same, where it may have to end with its allowance. */
  readonly metered: MeteredStream | undefined;
  /** What it has for the client so far. */
  readonly first: Writes | undefined;
  /** Reads on already, where it is let go of before it says anything of the answer. */
  readonly begun: BegunRead | undefined;
}

/**
 * So long the beginning of a stream is kept back that says nothing of the answer yet. Vendors that are out of their rate
 * or their quota begin as ever and say so right behind it, while somebody else can still be asked.
 */
const BEGINNING_MS = 500;
/** And no more of it: what is kept back waits for no client. */
const BEGINNING_BYTES = 256 * 1024;

/** Whether it is known how the stream begins: with something of the answer, or with its end. */
function isTold(filter: StreamFilter, metered: MeteredStream | undefined): boolean {
  return filter.ended || filter.failure !== undefined || metered?.isFull === true;
}

/** Whether what there is of the stream is only its beginning. */
function saysNothing({ outputTokens }: StreamFilter, first: Writes | undefined): boolean {
  return outputTokens === 0 && (first === undefined || bytesIn(first) < BEGINNING_BYTES);
}

/** What a first chunk has for the client. One that cannot be read is the vendor's failure. */
function pushed(filter: StreamFilter, chunk: Uint8Array | undefined): Writes | undefined {
  try {
    return chunk ? filter.push(chunk) : filter.close();
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
}

/** The stream with its allowance around it, where it has less than it may come to and was not asked for less. */
function meteredStream(
  { wires }: Services,
  { admitted }: Dispatch,
  filter: StreamFilter,
): MeteredStream | undefined {
  const { model, target, outputClamp } = admitted;
  const wire = target && wires[target.endpoint];
  const isTight = outputClamp === undefined && admitted.allowance.outputOf(model) !== undefined;
  if (!isTight || !wire || !("openTrack" in wire)) return undefined;
  const limit = () => admitted.allowance.outputOf(model) ?? Number.POSITIVE_INFINITY;
  return new MeteredStream(filter, wire.openTrack(), model, limit);
}

/** Whether the vendor has begun to answer and then says, by a status, that it does not. */
function isRefused({ outputTokens, failure }: StreamFilter): boolean {
  return outputTokens === 0 && failure?.cause instanceof ErrorInside;
}

/** What counts of a stream that has failed: of one that was refused behind its beginning, not what that announced. */
function countedOf(filter: StreamFilter): StreamFilter | undefined {
  return filter.started && isRefused(filter) ? undefined : filter;
}

/** Reads until the vendor has said something that tells success from failure. */
async function peek(
  services: Services,
  dispatch: Dispatch,
  exchange: Exchange,
  response: VendorAnswer,
  translation: Translation,
): Promise<Reading<Opened>> {
  const options = answerOptions(dispatch);
  const own = isLarge(dispatch.request.json.text)
    ? await translation.openLongStream(options)
    : translation.openStream(options);
  const metered = meteredStream(services, dispatch, own);
  const filter = metered ?? own;
  let first: Writes | undefined;
  let begun: BegunRead | undefined;
  let failure: Fault | undefined;
  try {
    while (!first && !isTold(filter, metered))
      first = pushed(filter, await exchange.read(response));
    const { watchdog } = services;
    const untilMs = watchdog.now() + BEGINNING_MS;
    while (saysNothing(filter, first) && !isTold(filter, metered)) {
      const read = new BegunRead();
      exchange.readTo(response, read);
      const taken = await read.until(watchdog, untilMs);
      if (!taken) {
        begun = read;
        break;
      }
      first = inOrder([first, pushed(filter, taken.chunk)]);
    }
    // One that fails after it has begun is a stream all the same, unless it is refused before it says anything.
    if (!filter.started || isRefused(filter)) failure = filter.failure;
  } catch (thrown) {
    if (thrown instanceof VendorRefusal) throw thrown;
    failure = vendorFault(thrown);
  }
  return { answer: { options, filter, metered, first, begun }, failure };
}

/**
 * Whether the vendor has said itself that there is no answer. That costs nothing, also where the client has
 * left and the vendor was read on; it may well bill a call that was hung up on, or fell silent.
 */
function saidNo(exchange: Exchange, filter: StreamFilter | undefined): boolean {
  if (exchange.hungUp || exchange.status === 0) return false;
  return exchange.status !== 200 || filter?.failure !== undefined;
}

/** Whether the client's leaving is what ended it: not where the vendor was out of it already. */
function wasLeft(
  { exchange, unsaid, answer }: Unanswered<Opened>,
  { aborted }: LeaveSignal,
): boolean {
  if (!aborted || !exchange) return aborted;
  return !unsaid && !saidNo(exchange, answer?.filter);
}

/** A stream: nothing is promised to the client until a vendor's first event is there. */
async function relayStream(
  services: Services,
  dispatch: Dispatch,
  calls: VendorCalls<Opened>,
): Promise<HttpResponse> {
  const { admitted, turn, recorder, signal } = dispatch;
  calls.ask();
  const called = await calls.called;
  if (!called.answered) {
    const { exchange, answer, thrown } = called;
    const ended: Ended = { admitted, exchange, answer: answer && countedOf(answer.filter) };
    throw await endUnsent(services, ended, wasLeft(called, signal), thrown);
  }
  const { attempt, exchange, response, answer } = called;
  const headers = streamHeaders(dispatch, called);
  recorder?.begin(headers);
  const served = { attempt, exchange, response, ...answer };
  const relayed = new StreamRelay(services, { admitted, turn, recorder, ...served });
  if (!signal.aborted) return new HttpResponse(relayed, headers);
  // The first word came when nobody waited for it any more.
  await relayed.endAlone();
  throw upstreamUnavailable(new Error("the client left"));
}

function streamHeaders(dispatch: Dispatch, called: Answered<Opened>): Record<string, string> {
  const headers = answerHeaders(dispatch, called);
  headers["content-type"] = dispatch.wire.streamType ?? "text/event-stream; charset=utf-8";
  headers["x-accel-buffering"] = "no";
  return headers;
}

async function leftUnasked(services: Services, { admitted }: Dispatch): Promise<never> {
  await endRequest(services, { admitted }, LEFT_UNASKED);
  throw upstreamUnavailable(new Error("the client left before the vendor was called"));
}

/** An answer on its way, which hears that its client leaves for as long as it has not begun. */
class Relaying implements Listener<HttpResponse> {
  readonly #services: Services;
  readonly #dispatch: Dispatch;
  #calls: Pick<VendorCalls<unknown>, "left"> | undefined;
  readonly answer = new Deferred<HttpResponse>();

  constructor(services: Services, dispatch: Dispatch) {
    this.#services = services;
    this.#dispatch = dispatch;
    // It happens once: to say so costs more than to listen.
    dispatch.signal.addEventListener("abort", this.#left);
  }

  begin(): void {
    const { signal, request } = this.#dispatch;
    if (signal.aborted) hear(leftUnasked(this.#services, this.#dispatch), this);
    else if (request.stream) this.#relayStream();
    else this.#relayWhole();
  }

  #relayWhole(): void {
    const calls = new VendorCalls(this.#services, this.#dispatch, readWhole);
    this.#calls = calls;
    calls.called.hear(new WholeRelay(this.#services, this.#dispatch, this));
    calls.ask();
  }

  #relayStream(): void {
    const calls = new VendorCalls(this.#services, this.#dispatch, peek);
    this.#calls = calls;
    hear(relayStream(this.#services, this.#dispatch, calls), this);
  }

  /** The client leaves before it has heard a word. What becomes of the call is seen to without it. */
  readonly #left = (): void => {
    const { tasks } = this.#services;
    const leave = this.#calls?.left();
    const over = this.answer.then(
      () => {},
      () => {},
    );
    // A shutdown has to wait for it.
    tasks.run(leave ? over.then(leave) : over);
  };

  came(answer: HttpResponse): void {
    try {
      this.#over();
      this.answer.came(answer);
    } catch (thrown) {
      this.answer.failed(thrown);
    }
  }

  failed(thrown: unknown): void {
    try {
      this.#over();
    } finally {
      this.answer.failed(thrown);
    }
  }

  /** The answer is there, or none: from then on a stream hears by itself that its client has left. */
  #over(): void {
    const { signal, body } = this.#dispatch;
    signal.removeEventListener("abort", this.#left);
    body.release();
  }
}

/** Calls a vendor and brings back its answer, with the hold ended on every path. */
export function relay(services: Services, dispatch: Dispatch): Deferred<HttpResponse> {
  const relaying = new Relaying(services, dispatch);
  relaying.begin();
  return relaying.answer;
}
