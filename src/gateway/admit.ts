import type { RateLimits, RateSnapshot } from "../admission/rates.ts";
import type { AdmissionOutcome, AdmissionRequest, ExceededScope } from "../admission/request.ts";
import { formatUsd } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import type { ClientRequest, PassWire } from "../protocols/wire.ts";
import type { Candidate } from "./find-model.ts";
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
  if (outcome.kind === "short") throw short(outcome);
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

/** When a budget starts anew; a total never does. */
function periodHeaders({ period, resetsAtMs }: Extract<ExceededScope, { scope: "budget" }>) {
  const headers = { "x-faregate-period": period };
  if (resetsAtMs === null) return headers;
  return { ...headers, "x-faregate-resets-at": new Date(resetsAtMs).toISOString() };
}

/** Something is left, but of a limit that must not be passed, and too little for an answer. */
function short(outcome: Extract<AdmissionOutcome, { kind: "short" }>): Fault {
  const left = formatUsd(outcome.left);
  const needed = formatUsd(outcome.needed);
  const headers = {
    "x-faregate-scope": outcome.scope,
    "x-faregate-used": formatUsd(outcome.used),
    "x-faregate-max": formatUsd(outcome.max),
    "x-faregate-left": left,
    "x-faregate-needed": needed,
  };
  const facts = outcome.scope === "budget" ? { ...headers, ...periodHeaders(outcome) } : headers;
  const sentence = `What is left of the ${outcome.scope} does not do for this request: ${left} left, ${needed} needed.`;
  return new Fault("budget_exceeded", sentence, { headers: facts });
}

/** The seed's sentence, and for a balance what to do about it. */
export async function exceeded(
  services: Pick<Services, "books">,
  caller: Pick<Caller, "key">,
  outcome: ExceededScope,
): Promise<Fault> {
  const used = formatUsd(outcome.used);
  const max = formatUsd(outcome.max);
  const sentence = `Budget has been exceeded! Current cost: ${used}, Max budget: ${max}`;
  const headers = {
    "x-faregate-scope": outcome.scope,
    "x-faregate-used": used,
    "x-faregate-max": max,
  };
  if (outcome.scope === "budget") {
    const facts = { ...headers, ...periodHeaders(outcome) };
    return new Fault("budget_exceeded", sentence, { headers: facts });
  }
  const { accountId } = caller.key;
  const balance = await services.books.balance(accountId);
  const what = balance?.trialOnly
    ? "The trial credit is used up"
    : "The prepaid balance is used up";
  const remedy = caller.key.operator
    ? `${what}; add more with: ./bin/faregate topup --account ${accountId} 10.00`
    : "The prepaid balance is used up; top it up to go on.";
  return new Fault("budget_exceeded", `${sentence}. ${remedy}`, { headers });
}
