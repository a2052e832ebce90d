import type { Settlement } from "../ledger/receipt.ts";
import { isLarge } from "../lib/breath.ts";
import { asFault, type Fault } from "../lib/faults.ts";
import { Answer } from "../lib/net/answer.ts";
import type { LeaveSignal } from "../lib/route.ts";
import { Allowance } from "../lib/threads/allowance.ts";
import { bytesIn, inOrder, type Writes } from "../protocols/bytes/writes.ts";
import { ErrorInside, upstreamUnavailable, vendorFault } from "../protocols/faults.ts";
import type { Translation } from "../protocols/translation/translate.ts";
import type { AnswerOptions, StreamFilter } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import { VendorRefusal } from "../upstream/refusal.ts";
import type { VendorAnswer } from "../upstream/transport/vendor-answer.ts";
import { answerHeaders } from "./answer-headers.ts";
import { BegunRead } from "./answering/begun-read.ts";
import { releaseWhenTaken } from "./answering/taken.ts";
import {
  answerOptions,
  bodyOf,
  keptOf,
  readWhole,
  type WholeBody,
} from "./answering/whole-answer.ts";
import {
  CLIENT_LEFT,
  COMPLETED,
  causeUnsent,
  FINISHED_ALONE,
  LEFT_UNASKED,
} from "./ending/cause.ts";
import { answerEnd, type Ended, endRequest, tallyOf, traced } from "./ending/end-request.ts";
import { endingOf } from "./ending/endings.ts";
import { takeBack } from "./ending/take-back.ts";
import type { AnswerKeeper } from "./idempotency/answer-keeper.ts";
import { MeteredStream } from "./money/metered-stream.ts";
import type { Services } from "./services.ts";
import { StreamRelay } from "./stream-relay.ts";
import {
  type Answered,
  type Dispatch,
  type Reading,
  rememberPlace,
  type Unanswered,
  VendorCalls,
} from "./vendor-calls.ts";

/** Ends a request of which nothing has gone to the client, and gives back what there is to hear. */
async function endUnsent(
  services: Services,
  ended: Ended,
  left: boolean,
  thrown: unknown,
): Promise<Fault> {
  const asked = ended.exchange ? CLIENT_LEFT : LEFT_UNASKED;
  const cause = left ? asked : causeUnsent(thrown, ended.exchange);
  const end = endRequest(services, ended, cause);
  if (endingOf(cause).books === "eventually") services.tasks.run(end);
  else await end;
  return asFault(thrown);
}

/** A whole answer: read, settled, then sent. It is finished even if nobody waits for it any more. */
async function relayWhole(
  services: Services,
  dispatch: Dispatch,
  calls: VendorCalls,
  relaying: Relaying,
): Promise<Answer> {
  const { admitted, turn, keeper, signal } = dispatch;
  try {
    const called = await calls.ask(readWhole);
    const { exchange, answer } = called;
    const ended: Ended = { admitted, exchange, answer };
    if (!called.answered) throw await endWhole(services, ended, signal, called.thrown);
    const tally = tallyOf(services, ended);
    // For all that an end has to write.
    const allowance = new Allowance(services.limits.settle_wait_ms);
    let settlement: Settlement;
    let headers: Record<string, string>;
    let body: WholeBody;
    try {
      const result = called.answer;
      const cause = signal.aborted ? FINISHED_ALONE : COMPLETED;
      settlement = admitted.settle(cause, tally);
      const options = answerOptions(dispatch);
      const kept = turn.keep(result.body, options, answerEnd(admitted, settlement), allowance);
      const end = kept instanceof Promise ? await kept : kept;
      if (turn.continues) rememberPlace(admitted, called.attempt, result.id);
      // Written before it is charged: what cannot be sent must not cost anything.
      const written = bodyOf(services, called.exchange, result.write(options, end));
      body = written instanceof Promise ? await written : written;
      headers = answerHeaders(dispatch, called);
      headers["content-type"] = "application/json";
      if (end.cost !== undefined) headers["x-faregate-cost"] = end.cost;
    } catch (thrown) {
      takeBack(services, dispatch);
      throw await endWhole(services, ended, signal, thrown);
    }
    // One that cannot be recorded is voided by the ledger, and the client hears so.
    keeper?.begin(headers);
    const keep = keeper && keeping(keeper, body, allowance);
    try {
      await traced(admitted, services.ledger.settle(settlement, keep, allowance));
    } catch (thrown) {
      called.exchange.release();
      takeBack(services, dispatch);
      throw thrown;
    }
    if (called.exchange.isHeld) releaseWhenTaken(services, dispatch.client, called.exchange);
    return new Answer(body, headers);
  } finally {
    relaying.over();
  }
}

/** By itself: a function within another makes room for both, with each request that keeps nothing. */
function keeping(keeper: AnswerKeeper, body: WholeBody, allowance: Allowance): () => Promise<void> {
  return () => keeper.keep(keptOf(body), allowance);
}

/** One that is finished alone may still fail: it was left only where its vendor was hung up on, or none was asked. */
function endWhole(
  services: Services,
  ended: Ended,
  { aborted }: LeaveSignal,
  thrown: unknown,
): Promise<Fault> {
  ended.exchange?.release();
  return endUnsent(services, ended, ended.exchange ? ended.exchange.hungUp : aborted, thrown);
}

/** A stream as far as it had to be read to tell success from failure. */
interface Opened {
  readonly options: AnswerOptions;
  readonly filter: StreamFilter;
  /** The same, where it may have to end with its room. */
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

/** The stream with its room around it, where it has less than it may come to and was not asked for less. */
function meteredStream(
  { wires }: Services,
  { admitted }: Dispatch,
  filter: StreamFilter,
): MeteredStream | undefined {
  const { model, target, outputClamp } = admitted;
  const wire = target && wires[target.endpoint];
  const isTight = outputClamp === undefined && admitted.room.outputOf(model) !== undefined;
  if (!isTight || !wire || !("openTrack" in wire)) return undefined;
  const limit = () => admitted.room.outputOf(model) ?? Number.POSITIVE_INFINITY;
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
  calls: VendorCalls,
  relaying: Relaying,
): Promise<Answer> {
  const { admitted, turn, keeper, signal } = dispatch;
  try {
    const called = await calls.ask(peek);
    if (!called.answered) {
      const { exchange, answer, thrown } = called;
      const ended: Ended = { admitted, exchange, answer: answer && countedOf(answer.filter) };
      throw await endUnsent(services, ended, wasLeft(called, signal), thrown);
    }
    const { attempt, exchange, response, answer } = called;
    const headers = streamHeaders(dispatch, called);
    keeper?.begin(headers);
    const served = { attempt, exchange, response, ...answer };
    const relayed = new StreamRelay(services, { admitted, turn, keeper, ...served });
    if (!signal.aborted) return new Answer(relayed, headers);
    // The first word came when nobody waited for it any more.
    await relayed.endAlone();
    throw upstreamUnavailable(new Error("the client left"));
  } finally {
    relaying.over();
  }
}

function streamHeaders(dispatch: Dispatch, called: Answered<Opened>): Record<string, string> {
  const headers = answerHeaders(dispatch, called);
  headers["content-type"] = dispatch.wire.streamType ?? "text/event-stream; charset=utf-8";
  headers["x-accel-buffering"] = "no";
  return headers;
}

/** The client leaves before it has heard a word. What becomes of the call is seen to without it. */
function goOnAlone({ tasks }: Services, calls: VendorCalls, answer: Promise<Answer>): void {
  const leave = calls.left();
  const over = answer.then(
    () => {},
    () => {},
  );
  // A shutdown has to wait for it.
  tasks.run(leave ? over.then(leave) : over);
}

async function leftUnasked(
  services: Services,
  { admitted }: Dispatch,
  _calls: VendorCalls,
  relaying: Relaying,
): Promise<never> {
  try {
    await endRequest(services, { admitted }, LEFT_UNASKED);
    throw upstreamUnavailable(new Error("the client left before the vendor was called"));
  } finally {
    relaying.over();
  }
}

/** An answer on its way, which hears that its client leaves for as long as it has not begun. */
class Relaying {
  readonly #services: Services;
  readonly #dispatch: Dispatch;
  readonly #calls: VendorCalls;
  readonly answer: Promise<Answer>;

  constructor(services: Services, dispatch: Dispatch) {
    const { request, signal } = dispatch;
    this.#services = services;
    this.#dispatch = dispatch;
    this.#calls = new VendorCalls(services, dispatch);
    const relayed = signal.aborted ? leftUnasked : request.stream ? relayStream : relayWhole;
    // Nothing of it is over before the first turn.
    this.answer = relayed(services, dispatch, this.#calls, this);
    // It happens once: to say so costs more than to listen.
    signal.addEventListener("abort", this.#left);
  }

  readonly #left = (): void => goOnAlone(this.#services, this.#calls, this.answer);

  /** The answer is there, or none: from then on a stream hears by itself that its client has left. */
  over(): void {
    const { signal, body } = this.#dispatch;
    signal.removeEventListener("abort", this.#left);
    body.release();
  }
}

/** Calls a vendor and brings back its answer, with the hold ended on every path. */
export function relay(services: Services, dispatch: Dispatch): Relaying {
  return new Relaying(services, dispatch);
}
