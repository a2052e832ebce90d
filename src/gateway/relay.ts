import type { Settlement } from "../ledger/receipt.ts";
import { asFault, type Fault } from "../lib/faults.ts";
import { upstreamUnavailable } from "../protocols/faults.ts";
import type {
  AnswerOptions,
  ClientRequest,
  StreamPass,
  VendorResult,
  Wire,
} from "../protocols/wire.ts";
import type { UpstreamCall } from "../upstream/channels.ts";
import { Exchange } from "../upstream/exchange.ts";
import { answerEnd, endingOf, settleFailure } from "./ending.ts";
import type { Run } from "./run.ts";
import type { Services } from "./services.ts";
import { StreamRelay } from "./stream-relay.ts";
import type { Turn } from "./turn.ts";

/** Everything an admitted request needs on its way to the vendor and back. */
export interface Dispatch {
  readonly wire: Wire;
  readonly run: Run;
  readonly request: ClientRequest;
  /** Writes the vendor's request. Called once the hold can be ended whatever it throws. */
  call(): UpstreamCall;
  readonly turn: Turn;
  readonly headers: Record<string, string>;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
}

/** Vendor headers that may reach the client. */
const PASSED_HEADERS = ["openai-processing-ms", "openai-version"];

function passHeaders(vendor: Headers, headers: Record<string, string>): void {
  for (const name of PASSED_HEADERS) {
    const value = vendor.get(name);
    if (value !== null) headers[name] = value;
  }
}

function readResult(wire: Wire, text: string): VendorResult {
  try {
    return wire.readResult(text);
  } catch (thrown) {
    throw upstreamUnavailable(thrown);
  }
}

/** The deadline of the whole is the client's doing, as its leaving is; all else is a failure. */
async function settleCutShort(
  services: Services,
  run: Run,
  exchange: Exchange,
  answer: VendorResult | StreamPass | undefined,
  thrown: unknown,
): Promise<Fault> {
  const ending = endingOf(services, exchange, answer);
  const { overran } = exchange;
  exchange.cancel(new Error("the answer could not be used"));
  if (!overran) return settleFailure(services, run, ending, thrown);
  await services.ledger.settle(run.clientClosed(ending));
  return asFault(thrown);
}

/** A whole answer: read, settled, then sent. It is finished even if nobody waits for it any more. */
async function relayResult(
  services: Services,
  dispatch: Dispatch,
  exchange: Exchange,
): Promise<Response> {
  const { wire, run, turn, headers, signal } = dispatch;
  let result: VendorResult | undefined;
  let settlement: Settlement;
  let body: string;
  try {
    const response = await exchange.open(dispatch.call());
    passHeaders(response.headers, headers);
    result = readResult(wire, await exchange.text(response));
    if (result.failure) throw result.failure;
    settlement = run.completed(endingOf(services, exchange, result), signal.aborted);
    const options: AnswerOptions = { model: run.model.id, echo: turn.echo };
    const end = await turn.keep(result.body, options, answerEnd(run, settlement));
    // Written before it is charged: what cannot be sent must not cost anything.
    body = result.write(options, end);
    headers["content-type"] = "application/json";
    if (end.cost !== undefined) headers["x-faregate-cost"] = end.cost;
  } catch (thrown) {
    throw await settleCutShort(services, run, exchange, result, thrown);
  }
  await services.ledger.settle(settlement);
  return new Response(body, { headers });
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

/** A stream: nothing is promised to the client until the vendor's first event is there. */
async function relayStream(
  services: Services,
  dispatch: Dispatch,
  exchange: Exchange,
): Promise<Response> {
  const { wire, run, turn, headers, signal } = dispatch;
  const left = () => exchange.cancel(new Error("the client left"));
  signal.addEventListener("abort", left, { once: true });
  let pass: StreamPass | undefined;
  try {
    const options: AnswerOptions = { model: run.model.id, echo: turn.echo };
    pass = wire.openStream(dispatch.request, options);
    const response = await exchange.open(dispatch.call());
    passHeaders(response.headers, headers);
    const first = await peek(exchange, response, pass);
    headers["content-type"] = "text/event-stream; charset=utf-8";
    headers["cache-control"] = "no-cache";
    headers["x-accel-buffering"] = "no";
    const stream = { run, turn, options, pass, exchange, response, first };
    return new Response(new StreamRelay(services, stream).body(), { headers });
  } catch (thrown) {
    if (!signal.aborted) throw await settleCutShort(services, run, exchange, pass, thrown);
    const closed = run.clientClosed(endingOf(services, exchange, pass));
    services.tasks.run(services.ledger.settleEventually(closed));
    throw asFault(thrown);
  } finally {
    signal.removeEventListener("abort", left);
  }
}

/** Calls the vendor and brings back its answer, with the hold ended on every path. */
export async function relay(services: Services, dispatch: Dispatch): Promise<Response> {
  const { run, request, signal } = dispatch;
  const { limits, watchdog } = services;
  const exchange = new Exchange(run.route.channel, request.stream, limits, watchdog);
  if (signal.aborted) {
    await services.ledger.settleEventually(run.abandoned(endingOf(services, exchange, undefined)));
    throw upstreamUnavailable(new Error("the client left before the vendor was called"));
  }
  if (request.stream) return relayStream(services, dispatch, exchange);
  const answer = relayResult(services, dispatch, exchange);
  // Also without its client the call is finished and charged, so a shutdown has to wait for it.
  const left = () => {
    exchange.endWithin(limits.drain_ms);
    services.tasks.run(answer.catch(() => {}));
  };
  signal.addEventListener("abort", left, { once: true });
  return answer;
}
