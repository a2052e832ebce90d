import type { RateLimits, RateSnapshot } from "../admission/rates.ts";
import type { AdmissionOutcome, AdmissionRequest } from "../admission/request.ts";
import { Fault } from "../lib/faults.ts";
import type { ClientRequest, PassWire } from "../protocols/wire.ts";
import type { Candidate } from "./find-model.ts";
import { exceeded, short } from "./refusals.ts";
import { Room } from "./room.ts";
import { type Caller, Run } from "./run.ts";
import type { Services } from "./services.ts";
import { size, wishOf } from "./sizing.ts";

interface Admitted {
  readonly run: Run;
  readonly headers: Record<string, string>;
}

/** Holds money for a request, or throws the refusal. */
export async function admit(
  services: Services,
  wire: PassWire,
  caller: Caller,
  request: ClientRequest,
  candidates: readonly [Candidate, ...Candidate[]],
  signal: AbortSignal,
): Promise<Admitted> {
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
  const outcome = await services.admission.admit(wish, signal);
  if (outcome.kind === "limited") throw rateLimited(outcome, key);
  if (outcome.kind === "exceeded") throw await exceeded(services, caller, outcome);
  if (outcome.kind === "short") throw await short(services, caller, outcome);
  const room = new Room({ held: outcome.held, sizes });
  const run = new Run({ caller, request, candidates, inputTokens, room });
  return { run, headers: rateHeaders(key, outcome.rates) };
}

/** OpenAI's names and its way of writing durations: "1.5s", "250ms". */
export function rateHeaders(limits: RateLimits, rates: RateSnapshot): Record<string, string> {
  const headers: Record<string, string> = {};
  const write = (name: string, max: number, left: number | null, resetMs: number) => {
    if (left === null) return;
    headers[`x-ratelimit-limit-${name}`] = String(max);
    headers[`x-ratelimit-remaining-${name}`] = String(left);
    headers[`x-ratelimit-reset-${name}`] = resetMs < 1000 ? `${resetMs}ms` : `${resetMs / 1000}s`;
  };
  write("requests", limits.requestsPerMinute, rates.requestsLeft, rates.requestsResetMs);
  write("tokens", limits.tokensPerMinute, rates.tokensLeft, rates.tokensResetMs);
  return headers;
}

const LIMIT_WORDS = {
  requests: "requests per minute",
  tokens: "tokens per minute",
  concurrency: "concurrent requests",
} as const;

function rateLimited(
  outcome: Extract<AdmissionOutcome, { kind: "limited" }>,
  limits: RateLimits,
): Fault {
  const { limit, max, used, retryAfterMs } = outcome;
  const seconds = Math.ceil(retryAfterMs / 1000);
  return new Fault(
    "rate_limit_exceeded",
    `Rate limit reached for ${LIMIT_WORDS[limit]}: limit ${max}, used ${used}. ` +
      `Please try again in ${seconds}s.`,
    {
      headers: {
        ...rateHeaders(limits, outcome.rates),
        "retry-after": String(seconds),
        "retry-after-ms": String(retryAfterMs),
        "x-faregate-limit": limit,
      },
    },
  );
}
