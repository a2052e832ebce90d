import type { Settlement } from "../ledger/receipt.ts";
import { asFault, type Fault } from "../lib/faults.ts";
import { upstreamUnavailable, vendorFault } from "../protocols/faults.ts";
import type { Passage } from "../protocols/translate.ts";
import type { AnswerOptions, StreamPass, VendorResult } from "../protocols/wire.ts";
import type { Exchange } from "../upstream/exchange.ts";
import { answerHeaders } from "./answer-headers.ts";
import {
  type Answered,
  Calling,
  type Dispatch,
  type Reading,
  rememberPlace,
  type Unanswered,
} from "./calling.ts";
import { answerEnd, endingOf, settleFailure } from "./ending.ts";
import type { Run } from "./run.ts";
import type { Services } from "./services.ts";
import { StreamRelay } from "./stream-relay.ts";

/** What the answer says of its model: the one that answers, which may not be the one asked for. */
function answerOptions({ run, turn }: Dispatch): AnswerOptions {
  return { model: run.model.id, echo: turn.echo };
}

/** The deadline of the whole is the client's doing, as its leaving is; all else is a failure. */
async function settleCutShort(
  services: Services,
  run: Run,
  exchange: Exchange | undefined,
  answer: VendorResult | StreamPass | undefined,
  thrown: unknown,
): Promise<Fault> {
  const ending = endingOf(services, exchange, answer);
  const overran = exchange?.overran ?? false;
  exchange?.cancel(new Error("the answer could not be used"));
  if (!overran) return settleFailure(services, run, ending, thrown);
  await services.ledger.settle(run.clientClosed(ending));
  return asFault(thrown);
}

/** A vendor's whole answer. One that says it failed is as good as none. */
async function readWhole(
  dispatch: Dispatch,
  exchange: Exchange,
  response: Response,
  passage: Passage,
): Promise<Reading<VendorResult>> {
  const text = await exchange.text(response);
  try {
    const result = passage.readResult(text, answerOptions(dispatch));
    const answer = dispatch.reshape ? dispatch.reshape(result, dispatch.request) : result;
    return { answer, failure: answer.failure };
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
}

/** A whole answer: read, settled, then sent. It is finished even if nobody waits for it any more. */
async function relayResult(
  services: Services,
  dispatch: Dispatch,
  calling: Calling,
): Promise<Response> {
  const called = await calling.ask((exchange, response, passage) =>
    readWhole(dispatch, exchange, response, passage),
  );
  if (!called.answered) throw await endWhole(services, dispatch, called, called.thrown);
  const { run, turn, signal } = dispatch;
  const { answer: result, attempt, exchange } = called;
  const headers = answerHeaders(dispatch.headers, called);
  let settlement: Settlement;
  let body: string;
  try {
    settlement = run.completed(endingOf(services, exchange, result), signal.aborted);
    const options = answerOptions(dispatch);
    const end = await turn.keep(result.body, options, answerEnd(run, settlement));
    if (turn.continues) rememberPlace(run, attempt, result.id);
    // Written before it is charged: what cannot be sent must not cost anything.
    body = result.write(options, end);
    headers["content-type"] = "application/json";
    if (end.cost !== undefined) headers["x-faregate-cost"] = end.cost;
  } catch (thrown) {
    throw await endWhole(services, dispatch, called, thrown);
  }
  await services.ledger.settle(settlement);
  return new Response(body, { headers });
}

async function endWhole(
  services: Services,
  { run }: Dispatch,
  { exchange, answer }: Answered<VendorResult> | Unanswered<VendorResult>,
  thrown: unknown,
): Promise<Fault> {
  if (exchange?.hungUp) return settleLeft(services, run, exchange, answer, thrown);
  return settleCutShort(services, run, exchange, answer, thrown);
}

/** The client left and the vendor was told to stop: input and what was delivered. */
function settleLeft(
  services: Services,
  run: Run,
  exchange: Exchange | undefined,
  answer: VendorResult | StreamPass | undefined,
  thrown: unknown,
): Fault {
  const closed = run.clientClosed(endingOf(services, exchange, answer));
  exchange?.cancel(new Error("the client left"));
  services.tasks.run(services.ledger.settleEventually(closed));
  return asFault(thrown);
}

/** A stream as far as it had to be read to tell success from failure. */
interface Opened {
  readonly options: AnswerOptions;
  readonly pass: StreamPass;
  /** What it has for the client so far. */
  readonly first: Uint8Array | undefined;
}

/** What a first chunk has for the client. One that cannot be read is the vendor's failure. */
function pushed(pass: StreamPass, chunk: Uint8Array | undefined): Uint8Array | undefined {
  try {
    return chunk ? pass.push(chunk) : pass.close();
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
}

/** Reads until the vendor has said something that tells success from failure. */
async function peek(
  dispatch: Dispatch,
  exchange: Exchange,
  response: Response,
  passage: Passage,
): Promise<Reading<Opened>> {
  const options = answerOptions(dispatch);
  const pass = passage.openStream(options);
  let first: Uint8Array | undefined;
  let failure: Fault | undefined;
  try {
    while (!first && !pass.ended && !pass.failure) {
      const chunk = await exchange.read(response);
      first = pushed(pass, chunk);
    }
    // One that fails after it has begun is a stream all the same.
    if (!pass.started) failure = pass.failure;
  } catch (thrown) {
    failure = vendorFault(thrown);
  }
  return { answer: { options, pass, first }, failure };
}

/** A stream: nothing is promised to the client until a vendor's first event is there. */
async function relayStream(
  services: Services,
  dispatch: Dispatch,
  calling: Calling,
): Promise<Response> {
  const { run, turn, signal } = dispatch;
  let drained = false;
  const left = () => {
    const bills = calling.asked?.channel.onDisconnect === "drain";
    drained = bills && services.drains.tryEnter();
    if (drained) calling.endWithin(services.limits.drain_ms);
    else calling.hangUp();
  };
  signal.addEventListener("abort", left, { once: true });
  try {
    const called = await calling.ask((exchange, response, passage) =>
      peek(dispatch, exchange, response, passage),
    );
    if (!called.answered) {
      const { exchange, answer, thrown } = called;
      if (signal.aborted) throw settleLeft(services, run, exchange, answer?.pass, thrown);
      throw await settleCutShort(services, run, exchange, answer?.pass, thrown);
    }
    const { attempt, exchange, response, answer } = called;
    const relayed = new StreamRelay(services, {
      run,
      turn,
      attempt,
      exchange,
      response,
      ...answer,
    });
    if (!drained) return new Response(relayed.body(), { headers: streamHeaders(dispatch, called) });
    // The first word came when nobody waited for it any more.
    await relayed.drain();
    throw upstreamUnavailable(new Error("the client left"));
  } finally {
    signal.removeEventListener("abort", left);
    if (drained) services.drains.leave();
  }
}

function streamHeaders(dispatch: Dispatch, called: Answered<Opened>): Record<string, string> {
  const headers = answerHeaders(dispatch.headers, called);
  headers["content-type"] = "text/event-stream; charset=utf-8";
  headers["cache-control"] = "no-cache";
  headers["x-accel-buffering"] = "no";
  return headers;
}

/** A call without its client is finished and charged, as long as not too many are. */
function finishAlone(services: Services, calling: Calling, answer: Promise<Response>): void {
  const drained = services.drains.tryEnter();
  if (drained) calling.endWithin(services.limits.drain_ms);
  else calling.hangUp();
  const ended = answer.then(
    () => {},
    () => {},
  );
  // A shutdown has to wait for it.
  services.tasks.run(drained ? ended.then(() => services.drains.leave()) : ended);
}

/** Calls a vendor and brings back its answer, with the hold ended on every path. */
export async function relay(services: Services, dispatch: Dispatch): Promise<Response> {
  const { run, request, signal } = dispatch;
  if (signal.aborted) {
    await services.ledger.settleEventually(run.abandoned(endingOf(services, undefined, undefined)));
    throw upstreamUnavailable(new Error("the client left before the vendor was called"));
  }
  const calling = new Calling(services, dispatch);
  if (request.stream) return relayStream(services, dispatch, calling);
  const answer = relayResult(services, dispatch, calling);
  signal.addEventListener("abort", () => finishAlone(services, calling, answer), { once: true });
  return answer;
}
