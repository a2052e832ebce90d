import type { Settlement } from "../ledger/receipt.ts";
import { asFault, type Fault } from "../lib/faults.ts";
import { upstreamUnavailable } from "../protocols/faults.ts";
import type { Passage } from "../protocols/translate.ts";
import type { AnswerOptions, StreamPass, VendorResult } from "../protocols/wire.ts";
import type { UpstreamCall } from "../upstream/channels.ts";
import type { Exchange } from "../upstream/exchange.ts";
import { Calling, type Dispatch, rememberPlace } from "./calling.ts";
import { answerEnd, endingOf, settleFailure } from "./ending.ts";
import type { Run } from "./run.ts";
import type { Services } from "./services.ts";
import { StreamRelay } from "./stream-relay.ts";

/** Vendor headers that may reach the client. */
const PASSED_HEADERS = ["openai-processing-ms", "openai-version"];

function passHeaders(vendor: Headers, headers: Record<string, string>): void {
  for (const name of PASSED_HEADERS) {
    const value = vendor.get(name);
    if (value !== null) headers[name] = value;
  }
}

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
  calling: Calling,
  exchange: Exchange,
  passage: Passage,
  call: UpstreamCall,
  dispatch: Dispatch,
): Promise<VendorResult> {
  const response = await exchange.open(call, calling.readFault);
  passHeaders(response.headers, dispatch.headers);
  const text = await exchange.text(response);
  let result: VendorResult;
  try {
    result = passage.readResult(text, answerOptions(dispatch));
    if (dispatch.reshape) result = dispatch.reshape(result, dispatch.request);
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
  return result;
}

/** A whole answer: read, settled, then sent. It is finished even if nobody waits for it any more. */
async function relayResult(
  services: Services,
  dispatch: Dispatch,
  calling: Calling,
): Promise<Response> {
  const { run, turn, headers, signal } = dispatch;
  let result: VendorResult | undefined;
  let settlement: Settlement;
  let body: string;
  try {
    result = await calling.answer(async (exchange, passage, call) => {
      // What a failed answer says it has used is charged, unless another vendor is asked.
      result = undefined;
      result = await readWhole(calling, exchange, passage, call, dispatch);
      if (result.failure) throw result.failure;
      return result;
    });
    settlement = run.completed(endingOf(services, calling.exchange, result), signal.aborted);
    const options = answerOptions(dispatch);
    const end = await turn.keep(result.body, options, answerEnd(run, settlement));
    if (turn.continues) rememberPlace(run, result.id);
    // Written before it is charged: what cannot be sent must not cost anything.
    body = result.write(options, end);
    headers["content-type"] = "application/json";
    if (end.cost !== undefined) headers["x-faregate-cost"] = end.cost;
  } catch (thrown) {
    if (calling.exchange?.hungUp) throw settleLeft(services, run, calling.exchange, result, thrown);
    throw await settleCutShort(services, run, calling.exchange, result, thrown);
  }
  await services.ledger.settle(settlement);
  return new Response(body, { headers });
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

/** Reads until the vendor has said something that tells success from failure. */
async function peek(
  exchange: Exchange,
  response: Response,
  pass: StreamPass,
): Promise<Uint8Array | undefined> {
  for (;;) {
    const chunk = await exchange.read(response);
    let bytes: Uint8Array | undefined;
    try {
      bytes = chunk ? pass.push(chunk) : pass.close();
    } catch (thrown) {
      throw upstreamUnavailable(thrown);
    }
    if (pass.failure && !pass.started) throw pass.failure;
    if (bytes || pass.ended || pass.failure) return bytes;
  }
}

/** A stream: nothing is promised to the client until a vendor's first event is there. */
async function openStream(
  services: Services,
  dispatch: Dispatch,
  calling: Calling,
): Promise<StreamRelay> {
  const { run, turn, headers, signal } = dispatch;
  let pass: StreamPass | undefined;
  try {
    const stream = await calling.answer(async (exchange, passage, call) => {
      const options = answerOptions(dispatch);
      pass = passage.openStream(options);
      const response = await exchange.open(call, calling.readFault);
      passHeaders(response.headers, headers);
      const first = await peek(exchange, response, pass);
      return { run, turn, options, pass, exchange, response, first };
    });
    headers["content-type"] = "text/event-stream; charset=utf-8";
    headers["cache-control"] = "no-cache";
    headers["x-accel-buffering"] = "no";
    return new StreamRelay(services, stream);
  } catch (thrown) {
    const { exchange } = calling;
    if (signal.aborted) throw settleLeft(services, run, exchange, pass, thrown);
    throw await settleCutShort(services, run, exchange, pass, thrown);
  }
}

async function relayStream(
  services: Services,
  dispatch: Dispatch,
  calling: Calling,
): Promise<Response> {
  const { run, headers, signal } = dispatch;
  let drained = false;
  const left = () => {
    const bills = run.target?.channel.onDisconnect === "drain";
    drained = bills && services.drains.tryEnter();
    if (drained) calling.exchange?.endWithin(services.limits.drain_ms);
    else calling.exchange?.cancel(new Error("the client left"));
  };
  signal.addEventListener("abort", left, { once: true });
  try {
    const relayed = await openStream(services, dispatch, calling);
    if (!drained) return new Response(relayed.body(), { headers });
    // The first word came when nobody waited for it any more.
    await relayed.drain();
    throw upstreamUnavailable(new Error("the client left"));
  } finally {
    signal.removeEventListener("abort", left);
    if (drained) services.drains.leave();
  }
}

/** A call without its client is finished and charged, as long as not too many are. */
function finishAlone(services: Services, calling: Calling, answer: Promise<Response>): void {
  const drained = services.drains.tryEnter();
  if (drained) calling.exchange?.endWithin(services.limits.drain_ms);
  else calling.exchange?.cancel(new Error("the client left"));
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
