import { isHard, type PresentedKey } from "../accounts/account.ts";
import type { Wish } from "../admission/judge.ts";
import type { RateLimits, RateSnapshot } from "../admission/rates.ts";
import type { AdmissionOutcome, AdmissionRequest, ExceededScope } from "../admission/request.ts";
import { TOKEN_FAMILIES } from "../catalogue/bounds/families.ts";
import { inputBound } from "../catalogue/input-bound.ts";
import { type InputMeasure, measureInput } from "../catalogue/input-measure.ts";
import { ratesFor } from "../catalogue/models.ts";
import { formatUsd, type NanoUsd, outputTokensFor, worstCase } from "../catalogue/money.ts";
import { Fault } from "../lib/faults.ts";
import type { JsonObject } from "../protocols/fields.ts";
import type { ClientRequest, PassWire } from "../protocols/wire.ts";
import type { Candidate } from "./find-model.ts";
import { type Caller, Run } from "./run.ts";
import type { Services } from "./services.ts";

/** Estimates are short sometimes; a hold should not be. */
const INPUT_MARGIN = 1.1;

/** Vendors refuse a smaller maximum; a lone request with little left overruns by no more than this. */
const OUTPUT_TOKENS_LEAST = 16;

/** Input tokens as they stand before the vendor counts them. */
export function estimateInput(wire: PassWire, request: ClientRequest): number {
  return estimateOf(measureInput(wire.inputOf(request)));
}

function estimateOf({ estimate }: InputMeasure): number {
  return Math.max(1, Math.ceil(estimate));
}

/** Measures the input for every model that may answer, in one walk through it. */
function measure(
  wire: PassWire,
  request: ClientRequest,
  candidates: readonly Candidate[],
): InputMeasure {
  const vocabularies = candidates.map(({ model }) => TOKEN_FAMILIES[model.tokenFamily].vocabulary);
  const enough = Math.max(...candidates.map(({ model }) => model.context));
  return measureInput(wire.inputOf(request), { vocabularies: [...new Set(vocabularies)], enough });
}

interface Sizing {
  /** Input tokens as estimated, and the most that any of the models can count. */
  readonly inputTokens: number;
  readonly inputBound: number;
  /** The most output that was asked for, or is held for where nothing was. */
  readonly outputTokens: number;
  readonly webSearches: number;
  readonly hold: NanoUsd;
  /** The same with the least output that a vendor can be asked for. */
  readonly least: NanoUsd;
  readonly inputCost: NanoUsd;
}

const SEARCHES_MAX = 10_000;

/** How many searches a request may make. Not every wire has this member checked when it is read. */
function searchesOf({ max_tool_calls: most }: JsonObject): number {
  const told = typeof most === "number" && Number.isInteger(most) && most >= 1;
  return told ? Math.min(most, SEARCHES_MAX) : 1;
}

/** How much a request may cost at the dearest model that may answer it: so much is held. */
export function size(
  services: Pick<Services, "limits">,
  wire: PassWire,
  key: PresentedKey,
  request: ClientRequest,
  candidates: readonly Candidate[],
): Sizing {
  const measured = measure(wire, request, candidates);
  const inputTokens = estimateOf(measured);
  const input = inputTokens * INPUT_MARGIN;
  const { hold_output_tokens_default, hold_hard_output_tokens_default } = services.limits;
  const unsaid = isHard(key) ? hold_hard_output_tokens_default : hold_output_tokens_default;
  const wanted = request.maxOutput ?? unsaid;
  const mayRun = request.webSearch ? searchesOf(request.body) : 0;
  let webSearches = 0;
  let outputTokens = 0;
  let hold = 0n;
  let least = 0n;
  let inputCost = 0n;
  let bound = 0;
  for (const { model, priced } of candidates) {
    bound = Math.max(bound, inputBound(measured, model));
    const output = Math.min(wanted, model.maxOutput) * request.choices;
    const rates = ratesFor(priced, input);
    const searches = model.webSearch ? mayRun : 0;
    const most = worstCase(rates, { input, output, webSearches: searches });
    const few = OUTPUT_TOKENS_LEAST * request.choices;
    const fewest = worstCase(rates, { input, output: few, webSearches: searches });
    const unanswered = worstCase(rates, { input: inputTokens, output: 0, webSearches: 0 });
    // A hold of nothing would be let through by an empty balance.
    if (most <= 0n && !model.free) throw new Error(`a request to ${model.id} would cost nothing`);
    if (output > outputTokens) outputTokens = output;
    if (searches > webSearches) webSearches = searches;
    if (most > hold) hold = most;
    if (fewest > least) least = fewest;
    if (unanswered > inputCost) inputCost = unanswered;
  }
  return { inputTokens, inputBound: bound, outputTokens, webSearches, hold, least, inputCost };
}

/** What the hold is judged by. */
export function wishOf(key: PresentedKey, { hold, least }: Sizing): Wish {
  return { worst: hold, floor: hold, least, hard: isHard(key) };
}

interface Admitted {
  readonly run: Run;
  /** The most output that may be asked of a model, for keys that must not overrun. */
  outputClamp(candidate: Candidate): number | undefined;
  readonly headers: Record<string, string>;
}

const UNCLAMPED = () => undefined;

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
  const sizing = size(services, wire, key, request, candidates);
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
    ...wishOf(key, sizing),
    inputCost: sizing.inputCost,
    model: candidates[0].model.id,
    endpoint: caller.endpoint,
    channel: services.routes.find(candidates[0].model)?.channel.id ?? "",
    stream: request.stream,
  };
  const outcome = await services.admission.admit(wish, signal);
  if (outcome.kind === "limited") throw rateLimited(outcome, key);
  if (outcome.kind === "exceeded") throw await exceeded(services, caller, outcome);
  if (outcome.kind === "short") throw short(outcome);
  const { inputTokens, webSearches } = sizing;
  const run = new Run({ caller, request, candidates, inputTokens, held: outcome.held });
  const headers = rateHeaders(key, outcome.rates);
  if (!isHard(key) || outcome.left === null) return { run, outputClamp: UNCLAMPED, headers };
  return { run, outputClamp: (candidate) => clampFor(run, candidate, webSearches), headers };
}

/** The most output that a request may ask for: what its hold buys, since what others hold is theirs. */
function clampFor(run: Run, { model, priced }: Candidate, webSearches: number): number {
  const input = run.inputTokens * INPUT_MARGIN;
  const tokens = outputTokensFor(run.held, ratesFor(priced, input), { input, webSearches });
  const each = Math.floor(Math.min(tokens, model.maxOutput) / run.request.choices);
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
