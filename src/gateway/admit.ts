import type { RateLimits, RateSnapshot } from "../admission/rates.ts";
import type { AdmissionOutcome, AdmissionRequest } from "../admission/request.ts";
import { valueTokens } from "../catalogue/estimate.ts";
import { type Model, type PriceVersion, priceAt, ratesFor } from "../catalogue/models.ts";
import { formatUsd, type NanoUsd, outputTokensFor, worstCase } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import type { ClientRequest, Wire } from "../protocols/wire.ts";
import type { Route } from "../upstream/channels.ts";
import { modelNotFound } from "./find-model.ts";
import { type Caller, Run } from "./run.ts";
import type { Services } from "./services.ts";

/** Estimates are short sometimes; a hold should not be. */
const INPUT_MARGIN = 1.1;

/** Vendors refuse a smaller maximum; a lone request with little left overruns by no more than this. */
const OUTPUT_TOKENS_LEAST = 16;

/** Input tokens as they stand before the vendor counts them. */
export function estimateInput(wire: Wire, request: ClientRequest): number {
  const { conversation, tools } = wire.inputOf(request);
  return Math.max(1, Math.ceil(valueTokens(conversation) + valueTokens(tools, { names: true })));
}

interface Sizing {
  readonly inputTokens: number;
  readonly priced: PriceVersion;
  readonly hold: NanoUsd;
  readonly inputCost: NanoUsd;
  readonly webSearches: number;
}

/** How much a request may cost, and so how much is held for it. */
function size(
  services: Services,
  wire: Wire,
  request: ClientRequest,
  model: Model,
  hard: boolean,
): Sizing {
  const priced = priceAt(model, services.clock());
  // A model without a price in force is as good as not there.
  if (!priced) throw modelNotFound(model.id, []);
  const inputTokens = estimateInput(wire, request);
  const input = inputTokens * INPUT_MARGIN;
  const { hold_output_tokens_default, hold_hard_output_tokens_default } = services.limits;
  const unsaid = hard ? hold_hard_output_tokens_default : hold_output_tokens_default;
  const wanted = request.maxOutput ?? unsaid;
  const output = Math.min(wanted, model.maxOutput) * request.choices;
  const rates = ratesFor(priced, input);
  const webSearches = request.webSearch ? Number(request.body.max_tool_calls ?? 1) : 0;
  return {
    inputTokens,
    priced,
    hold: worstCase(rates, { input, output, webSearches }),
    inputCost: worstCase(rates, { input: inputTokens, output: 0, webSearches: 0 }),
    webSearches,
  };
}

interface Admitted {
  readonly run: Run;
  /** The most output that may be asked of the vendor, for keys that must not overrun. */
  readonly outputClamp: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Holds money for a request, or throws the refusal. */
export async function admit(
  services: Services,
  wire: Wire,
  caller: Caller,
  request: ClientRequest,
  found: { model: Model; route: Route },
  signal: AbortSignal,
): Promise<Admitted> {
  const { key } = caller;
  const hard = key.hard || key.accountHard;
  const sizing = size(services, wire, request, found.model, hard);
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
    inputTokens: sizing.inputTokens,
    countRate: true,
    behind: null,
    hold: sizing.hold,
    inputCost: sizing.inputCost,
    model: request.model,
    endpoint: caller.endpoint,
    channel: found.route.channel.id,
    stream: request.stream,
  };
  const outcome = await services.admission.admit(wish, signal);
  if (outcome.kind === "limited") throw rateLimited(outcome, key);
  if (outcome.kind === "exceeded") throw await exceeded(services, caller, outcome);
  const run = new Run({ caller, request, ...found, ...sizing, held: outcome.held });
  const headers = rateHeaders(key, outcome.rates);
  if (!hard || outcome.left === null) return { run, outputClamp: undefined, headers };
  return { run, outputClamp: clampFor(run, sizing.webSearches), headers };
}

/** The most output that a request may ask for: what its hold buys, since what others hold is theirs. */
function clampFor(run: Run, webSearches: number): number {
  const input = run.inputTokens * INPUT_MARGIN;
  const tokens = outputTokensFor(run.held, ratesFor(run.priced, input), { input, webSearches });
  const each = Math.floor(Math.min(tokens, run.model.maxOutput) / run.request.choices);
  return Math.max(OUTPUT_TOKENS_LEAST, each);
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

/** The seed's sentence, and for a balance what to do about it. */
export async function exceeded(
  services: Pick<Services, "books">,
  caller: Pick<Caller, "key">,
  outcome: { scope: "balance" | "budget"; used: NanoUsd; max: NanoUsd },
): Promise<Fault> {
  const used = formatUsd(outcome.used);
  const max = formatUsd(outcome.max);
  const sentence = `Budget has been exceeded! Current cost: ${used}, Max budget: ${max}`;
  const headers = {
    "x-faregate-scope": outcome.scope,
    "x-faregate-used": used,
    "x-faregate-max": max,
  };
  if (outcome.scope === "budget") return new Fault("budget_exceeded", sentence, { headers });
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
