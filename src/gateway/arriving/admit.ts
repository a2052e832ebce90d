import type { PresentedKey } from "../../accounts/account.ts";
import type { Admitting } from "../../admission/admission.ts";
import type { RateSnapshot } from "../../admission/rates.ts";
import type { AdmissionRequest } from "../../admission/request.ts";
import { type Soon, whenThere } from "../../lib/soon.ts";
import type { ClientRequest, PassWire } from "../../protocols/wire.ts";
import { AdmittedRequest, type Caller } from "../admitted-request.ts";
import { Room } from "../money/room.ts";
import { size, wishOf } from "../money/sizing.ts";
import { exceeded, short } from "../refusals.ts";
import type { Services } from "../services.ts";
import type { Candidate } from "./find-model.ts";
import { rateHeaders, rateLimited } from "./rate-words.ts";

interface Admitted {
  readonly admitted: AdmittedRequest;
  readonly headers: Record<string, string>;
}

/** What a request that has to wait for money goes by. */
interface Line {
  /** Its client leaves. */
  readonly signal: AbortSignal;
  /** Throws where its key is not good any more. */
  readonly mayStay: () => Promise<void>;
}

/** Holds money for a request, or throws the refusal. */
export function admit(
  services: Services,
  wire: PassWire,
  caller: Caller,
  request: ClientRequest,
  candidates: readonly [Candidate, ...Candidate[]],
  { signal, mayStay }: Line,
): Soon<Admitted> {
  const { key } = caller;
  const sizing = size(services, wire, request, candidates);
  const { inputTokens, inputCost, sizes } = sizing;
  const wish: AdmissionRequest = {
    requestId: caller.requestId,
    accountId: key.accountId,
    keyId: key.id,
    // Only what the store needs crosses to the writer.
    limits: {
      requestsPerMinute: key.requestsPerMinute,
      tokensPerMinute: key.tokensPerMinute,
      concurrency: key.concurrency,
    },
    inputTokens,
    countRate: true,
    behind: null,
    ...wishOf(key, sizing),
    inputCost,
    model: candidates[0].model.id,
    endpoint: caller.endpoint,
    channel: services.routes.find(candidates[0].model)?.channel.id ?? "",
    stream: request.stream,
  };
  caller.trace?.admitting();
  const outcome = services.admission.admit(wish, signal, caller.allowance, mayStay);
  return whenThere(outcome, (outcome) => {
    if (outcome.kind !== "admitted") return refused(services, caller, outcome);
    caller.trace?.admitted(outcome.held);
    const room = new Room(outcome.held, sizes, outcome.byBalance);
    const admitted = new AdmittedRequest({ caller, request, candidates, inputTokens, room });
    return { admitted, headers: rateHeaders(key, leastLeft(services, key, outcome.rates)) };
  });
}

/** Throws what the client hears of a request that may not run. */
async function refused(
  services: Services,
  caller: Caller,
  outcome: Exclude<Admitting, { kind: "admitted" }>,
): Promise<never> {
  if (outcome.kind === "exceeded") throw await exceeded(services, caller, outcome);
  if (outcome.kind === "short") throw await short(services, caller, outcome);
  const { key } = caller;
  const { limit, max, retryAfterMs } = outcome;
  // The next one is not read to be told the same.
  if (limit === "requests") services.arrivals.close(key.id, max, retryAfterMs);
  throw rateLimited(outcome, key);
}

/** The next request is counted twice, as it comes and as it is admitted: the nearer end is the true one. */
function leastLeft(
  { arrivals }: Pick<Services, "arrivals">,
  { id, requestsPerMinute }: PresentedKey,
  rates: RateSnapshot,
): RateSnapshot {
  if (rates.requestsLeft === null) return rates;
  const left = arrivals.left(id, requestsPerMinute);
  return left < rates.requestsLeft ? { ...rates, requestsLeft: left } : rates;
}
