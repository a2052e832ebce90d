import { HttpResponse } from "../lib/net/http-response.ts";
import type { Incoming, Sent } from "../lib/route.ts";
import type { PassWire } from "../protocols/wire.ts";
import { Arrival, type Particular, type Prepared } from "./arriving/arrival.ts";
import type { Dispatch } from "./asking/dispatch.ts";
import type { AnswerRecorder } from "./idempotency/answer-recorder.ts";
import { relay } from "./relay.ts";
import type { Services } from "./services.ts";
import type { RequestTrace } from "./tracing/request-trace.ts";

const NOTHING_PARTICULAR: Particular = {};

/** The path of one generation, recorded where somebody collects traces. */
export function generate(
  services: Services,
  wire: PassWire,
  incoming: Incoming<Sent>,
  particular: Particular = NOTHING_PARTICULAR,
): PromiseLike<HttpResponse> {
  const trace = services.traces?.begin(wire.endpoint, incoming);
  const answer = answerTo(services, wire, incoming, particular, trace);
  return trace ? trace.around(answer) : answer;
}

/** Authenticate → admit → route → relay → settle. */
function answerTo(
  services: Services,
  wire: PassWire,
  incoming: Incoming<Sent>,
  particular: Particular,
  trace: RequestTrace | undefined,
): PromiseLike<HttpResponse> {
  try {
    const prepared = new Arrival(services, wire, incoming, particular, trace).prepared();
    return prepared instanceof Promise
      ? answeredLater(services, prepared)
      : answered(services, prepared);
  } catch (thrown) {
    return Promise.reject(thrown);
  }
}

async function answeredLater(
  services: Services,
  prepared: Promise<Prepared>,
): Promise<HttpResponse> {
  return answered(services, await prepared);
}

function answered(services: Services, prepared: Prepared): PromiseLike<HttpResponse> {
  if (prepared instanceof HttpResponse) return Promise.resolve(prepared);
  const response = relay(services, prepared);
  const { recorder } = prepared;
  return recorder ? once(services, prepared, recorder, response) : response;
}

/** Of a request that will not be answered in full the next one with its value takes the place. */
async function once(
  services: Services,
  dispatch: Dispatch,
  recorder: AnswerRecorder,
  answer: PromiseLike<HttpResponse>,
): Promise<HttpResponse> {
  const { request, signal } = dispatch;
  const left = () => services.tasks.run(recorder.free());
  // A whole answer is finished without its client, and can be given again. Of a stream nothing will be.
  if (request.stream) signal.addEventListener("abort", left, { once: true });
  try {
    return await answer;
  } catch (thrown) {
    // It has its receipt, by which whoever comes meanwhile sees that the value is free.
    services.tasks.run(recorder.free());
    throw thrown;
  } finally {
    signal.removeEventListener("abort", left);
  }
}
