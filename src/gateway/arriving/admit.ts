import type { PresentedKey } from "../../accounts/account.ts";
import type { Admitting, InLine } from "../../admission/admission.ts";
import { NO_LEEWAY } from "../../admission/judge.ts";
import type { RateSnapshot } from "../../admission/rates.ts";
import type { AdmissionRequest } from "../../admission/request.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { LeaveSignal } from "../../lib/route.ts";
import type { ClientRequest, PassWire } from "../../protocols/wire.ts";
import { type AdmittedFacts, AdmittedRequest, type Caller } from "../admitted-request.ts";
import { Allowance } from "../money/allowance.ts";
import { isHeldAtContext, leewayOf, type Size, size, tokensOf } from "../money/sizing.ts";
import { exceeded, short } from "../refusals.ts";
import type { Services } from "../services.ts";
import { atPricesOfNow, type Candidates } from "./find-model.ts";
import { rateHeaders, rateLimited } from "./rate-words.ts";

export interface Admitted {
  readonly admitted: AdmittedRequest;
  readonly headers: Record<string, string>;
}

/** Holds money for a request, or throws the refusal. */
export function admit(
  services: Services,
  wire: PassWire,
  caller: Caller,
  request: ClientRequest,
  candidates: Candidates,
  who: InLine,
): MaybePromise<Admitted> {
  const asking = new Asking(services, wire, caller, request, candidates, who);
  const admissionRequest = asking.admissionRequest();
  caller.trace?.admitting();
  const outcome = services.admission.admit(admissionRequest, asking, caller.timeBudget);
  if (!(outcome instanceof Promise)) return judged(services, asking, outcome);
  return judgedLater(services, asking, outcome);
}

/** A request that asks for money. Its price is the one in force when it gets that, however long it waits in line. */
class Asking implements InLine, AdmittedFacts {
  readonly caller: Caller;
  readonly request: ClientRequest;
  candidates: Candidates;
  inputTokens = 0;
  sizes: readonly Size[] = [];
  leeway = NO_LEEWAY;
  readonly #services: Services;
  readonly #wire: PassWire;
  readonly #who: InLine;

  constructor(
    services: Services,
    wire: PassWire,
    caller: Caller,
    request: ClientRequest,
    candidates: Candidates,
    who: InLine,
  ) {
    this.#services = services;
    this.#wire = wire;
    this.caller = caller;
    this.request = request;
    this.candidates = candidates;
    this.#who = who;
  }

  get signal(): LeaveSignal {
    return this.#who.signal;
  }

  async mayStay(): Promise<void> {
    await this.#who.mayStay?.();
  }

  /** Sized anew only where a price has changed since `admissionRequest` was made: that walks through the whole input. */
  requestNow(admissionRequest: AdmissionRequest): AdmissionRequest {
    const { key } = this.caller;
    const { endpoint } = this.#wire;
    const candidates = atPricesOfNow(this.#services, key, endpoint, this.candidates);
    if (candidates === this.candidates) return admissionRequest;
    this.candidates = candidates;
    return this.admissionRequest();
  }

  /** What it asks for at the prices of its candidates. */
  admissionRequest(): AdmissionRequest {
    const { caller, request, candidates } = this;
    const { key } = caller;
    const { routes, limits, clock } = this.#services;
    const atContext = isHeldAtContext(key, limits, clock());
    const sizing = size({ routes, limits, atContext }, this.#wire, request, candidates);
    const { inputTokens, inputCost, sizes, worst, floor, least } = sizing;
    const leeway = leewayOf(key, limits, sizing);
    this.inputTokens = inputTokens;
    this.sizes = sizes;
    this.leeway = leeway;
    return {
      requestId: caller.requestId,
      accountId: key.accountId,
      keyId: key.id,
      // Only what the store needs crosses to the writer.
      limits: {
        requestsPerMinute: key.requestsPerMinute,
        tokensPerMinute: key.tokensPerMinute,
        concurrency: key.concurrency,
      },
      tokens: tokensOf(sizes, key.tokensPerMinute),
      countRate: true,
      behind: null,
      worst,
      floor,
      least,
      overdraft: leeway.overdraft,
      hard: leeway.hard,
      loneMax: leeway.loneMax,
      loneLeast: leeway.loneLeast,
      inputCost,
      model: candidates[0].model.id,
      endpoint: caller.endpoint,
      channel: routes.find(candidates[0].model)?.channel.id ?? "",
      stream: request.stream,
    };
  }
}

async function judgedLater(
  services: Services,
  asking: Asking,
  outcome: Promise<Admitting>,
): Promise<Admitted> {
  return judged(services, asking, await outcome);
}

/** A request as it is, or throws what its client hears. */
function judged(services: Services, asking: Asking, outcome: Admitting): MaybePromise<Admitted> {
  const { caller, sizes, leeway } = asking;
  if (outcome.kind !== "admitted") return refused(services, caller, outcome);
  caller.trace?.admitted(outcome.held);
  const allowance = new Allowance(outcome.held, sizes, leeway, outcome.byBalance);
  const admitted = new AdmittedRequest(asking, allowance, outcome.taken);
  const rates = leastLeft(services, caller.key, outcome.rates);
  return { admitted, headers: rateHeaders(caller.key, rates) };
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
