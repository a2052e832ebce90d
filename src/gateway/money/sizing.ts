import { isHard, type Leeway, type PresentedKey } from "../../accounts/account.ts";
import type { HoldTerms } from "../../admission/judge.ts";
import { TOKEN_FAMILIES } from "../../catalogue/bounds/families.ts";
import type { VocabularyName } from "../../catalogue/bounds/vocabularies.ts";
import { inputBound } from "../../catalogue/input-bound.ts";
import { type InputMeasure, measureInput } from "../../catalogue/input-measure.ts";
import { dearestRates, type Model, ratesFor } from "../../catalogue/models.ts";
import {
  CHARGE_MAX,
  formatUsd,
  type NanoUsd,
  outputTokensFor,
  type Rates,
  worstCase,
} from "../../catalogue/money.ts";
import type { Limits } from "../../config/config.ts";
import { Fault } from "../../lib/faults.ts";
import { isObject, type JsonObject } from "../../protocols/fields.ts";
import type { ClientRequest, PassWire } from "../../protocols/wire.ts";
import type { Routes } from "../../upstream/routing.ts";
import type { Candidate } from "../arriving/find-model.ts";
import { isMetered } from "./metering.ts";

const NANO_PER_DOLLAR = 1e9;
const DAY_MS = 86_400_000;

/** Vendors refuse a smaller maximum of output. */
const OUTPUT_TOKENS_LEAST = 16;

/** Input tokens as they stand before the vendor counts them: what is charged where it never does. */
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
  const vocabularies: VocabularyName[] = [];
  let context = 0;
  for (const { model } of candidates) {
    context = Math.max(context, model.context);
    // What is held at its context needs no count.
    if (model.tokenFamily === "unknown") continue;
    const { vocabulary } = TOKEN_FAMILIES[model.tokenFamily];
    if (!vocabularies.includes(vocabulary)) vocabularies.push(vocabulary);
  }
  const enough = context * (request.rounds ?? 1);
  return measureInput(wire.inputOf(request), { vocabularies, enough });
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

/** The client's own maximum of searches. Not every wire has these members checked when it is read. */
function searchesAsked({ max_tool_calls, tools }: JsonObject): number {
  let least = isCount(max_tool_calls) ? max_tool_calls : Number.POSITIVE_INFINITY;
  for (const tool of Array.isArray(tools) ? tools : []) {
    if (isObject(tool) && isCount(tool.max_uses)) least = Math.min(least, tool.max_uses);
  }
  return least;
}

/** Names the member by which a client allows more searches than so many. */
export function higherSearchLimit(
  { max_tool_calls, tools }: JsonObject,
  searches: number,
): string | undefined {
  if (isCount(max_tool_calls) && max_tool_calls > searches) return "max_tool_calls";
  const allowsMore = (tool: unknown) =>
    isObject(tool) && isCount(tool.max_uses) && tool.max_uses > searches;
  return Array.isArray(tools) && tools.some(allowsMore) ? "tools.max_uses" : undefined;
}

/** How often a model's vendor may search for a request. */
function searchesOf(limits: Limits, request: ClientRequest, model: Model): number {
  if (!request.webSearch || !model.webSearch) return 0;
  // Some take no maximum: they are held to one that they hardly reach.
  const { searches_most: most } = TOKEN_FAMILIES[model.tokenFamily];
  return most ?? Math.min(limits.searches_max, searchesAsked(request.body));
}

/** What a request asks of one of the models that may answer it. */
interface Extent {
  readonly model: Model;
  /** What its vendor may come to count decides what it pays: these are the dearest of them. */
  readonly rates: Rates;
  /** Tokens that the vendor can count as read, with whatever it finds. */
  readonly input: number;
  readonly searches: number;
  /** What it asks for beyond the lists, where that costs most. */
  readonly fee: NanoUsd;
  /** How many texts may each come to the maximum. */
  readonly answers: number;
  /** Tokens that can be written, in all of them together. */
  readonly output: number;
}

/** The most that a request can come to there. */
export interface Size extends Extent {
  /** What it costs then. */
  readonly worst: NanoUsd;
}

/** What a request costs at most that writes so many tokens. */
export function costOf({ rates, input, searches, fee }: Extent, output: number): NanoUsd {
  return costAt(rates, input, output, searches, fee);
}

function costAt(
  rates: Rates,
  input: number,
  output: number,
  webSearches: number,
  fee: NanoUsd,
): NanoUsd {
  const cost = worstCase(rates, { input, output, webSearches });
  return fee === 0n ? cost : cost + fee;
}

/** How many tokens can be written for an amount; undefined where that is all there can be. */
export function outputFor(size: Size, amount: NanoUsd): number | undefined {
  if (amount >= size.worst) return undefined;
  const { rates, input, searches, fee, output } = size;
  return Math.min(output, outputTokensFor(amount - fee, rates, { input, webSearches: searches }));
}

/** The same for each answer, where it has to be asked for as a maximum: no less than vendors take. */
export function clampFor(size: Size, amount: NanoUsd): number | undefined {
  const tokens = outputFor(size, amount);
  if (tokens === undefined) return undefined;
  return Math.max(OUTPUT_TOKENS_LEAST, Math.floor(tokens / size.answers));
}

/** What so many more tokens of each answer cost. */
export function outputCost({ rates, answers }: Size, tokens: number): NanoUsd {
  return worstCase(rates, { input: 0, output: tokens * answers, webSearches: 0 });
}

function sizeAt(
  { limits, routes, atContext = false }: Sizer,
  request: ClientRequest,
  measured: InputMeasure,
  { model, priced }: Candidate,
): Size {
  const { tokenFamily } = model;
  const { choices, maxOutput = model.maxOutput, rounds = 1 } = request;
  const searches = searchesOf(limits, request, model);
  // A model that only reads has a round for each text, and the measure is of all of them together.
  const readsOnly = model.maxOutput === 0;
  const context = readsOnly ? model.context * rounds : model.context;
  const once = atContext ? context : inputBound(measured, { tokenFamily, context });
  // A vendor that is told how often to search reads all of it again for each; and for each round.
  const again = TOKEN_FAMILIES[tokenFamily].searches_most === undefined ? searches : 0;
  const readings = readsOnly ? 1 : rounds + again;
  const counted = once * readings + searches * limits.search_result_tokens;
  // Nobody can count here what a vendor reads while it searches.
  const input = searches > 0 ? Math.max(counted, context) : counted;
  const answers = choices * rounds;
  const output = Math.min(maxOutput, model.maxOutput) * answers;
  const fee = routes.feeOf(model, request.body);
  const rates = dearestRates(priced, input);
  const worst = costAt(rates, input, output, searches, fee);
  return { model, rates, input, searches, fee, answers, output, worst };
}

/** What it costs with no more than so much output of each of its answers. */
function costWithin(size: Size, tokens: number): NanoUsd {
  const output = tokens * size.answers;
  return output >= size.output ? size.worst : costOf(size, output);
}

/** What is known of limits, and of those who may serve. */
interface Sizer {
  readonly limits: Limits;
  readonly routes: Pick<Routes, "stopsWithUs" | "feeOf">;
  /** The input counts as all that a model can read: see `isHeldAtContext`. */
  readonly atContext?: boolean;
}

interface Sizing {
  /** Input tokens as estimated. */
  readonly inputTokens: number;
  /** One for each of the models that may answer. */
  readonly sizes: readonly Size[];
  readonly worst: NanoUsd;
  readonly floor: NanoUsd;
  readonly least: NanoUsd;
  /** With one short answer, however many are asked for. */
  readonly short: NanoUsd;
  /** What the estimated input alone costs. */
  readonly inputCost: NanoUsd;
}

/** How much a request may cost, at the dearest of the models that may answer it. */
export function size(
  sizer: Sizer,
  wire: PassWire,
  request: ClientRequest,
  candidates: readonly Candidate[],
): Sizing {
  const { limits, routes } = sizer;
  const measured = measure(wire, request, candidates);
  const inputTokens = estimateOf(measured);
  const sizes: Size[] = [];
  let worst: NanoUsd = 0n;
  let floor: NanoUsd = 0n;
  let least: NanoUsd = 0n;
  let short: NanoUsd = 0n;
  let inputCost: NanoUsd = 0n;
  for (const candidate of candidates) {
    const { model, priced } = candidate;
    const own = sizeAt(sizer, request, measured, candidate);
    if (own.worst > CHARGE_MAX) throw tooDear(own);
    sizes.push(own);
    const metered = isMetered(request, model) && routes.stopsWithUs(model);
    const enough = metered ? limits.floor_output_tokens : limits.floor_unmetered_output_tokens;
    // A hold of nothing would be let through by an empty balance.
    if (own.worst <= 0n && !model.free) {
      throw new Error(`a request to ${model.id} would cost nothing`);
    }
    worst = dearer(worst, own.worst);
    const ownFloor = costWithin(own, enough);
    floor = dearer(floor, ownFloor);
    least = dearer(least, costWithin(own, OUTPUT_TOKENS_LEAST));
    short = dearer(short, own.answers === 1 ? ownFloor : costOf(own, Math.min(enough, own.output)));
    const estimated = { input: inputTokens, output: 0, webSearches: 0 };
    inputCost = dearer(inputCost, worstCase(ratesFor(priced, inputTokens), estimated));
  }
  return { inputTokens, sizes, worst, floor, least, short, inputCost };
}

/** Nobody could pay it, and the databases could not count it. */
function tooDear({ model, worst }: Size): Fault {
  const dollars = `${formatUsd(worst)} USD at the price of the model \`${model.id}\``;
  return new Fault(
    "invalid_value",
    `This request may cost ${dollars}, and no request may cost more than ${formatUsd(CHARGE_MAX)}. ` +
      "Send less input or ask for less output; if the price is wrong, the operator can change it.",
    { param: "model" },
  );
}

/** A request takes so much of its key's limit for its output: the rest of a longer answer counts when it is over. */
const OUTPUT_SHARE = 4;

/** Tokens that a request takes from its key's window before it runs; zero where the key has no limit of them. */
export function tokensOf(sizes: readonly Size[], perMinute: number): number {
  if (perMinute === 0) return 0;
  const outputMost = Math.floor(perMinute / OUTPUT_SHARE);
  let most = 0;
  for (const { input, output } of sizes)
    most = Math.max(most, input + Math.min(output, outputMost));
  return most;
}

function dearer(a: NanoUsd, b: NanoUsd): NanoUsd {
  return a > b ? a : b;
}

/**
 * Whether the requests of this key are held at the model's context, since its account has lost the house more than
 * the limit today: its vendors count more input than our bounds.
 */
export function isHeldAtContext(
  { inputLoss }: Pick<PresentedKey, "inputLoss">,
  { loss_account_day }: Pick<Limits, "loss_account_day">,
  nowMs: number,
): boolean {
  if (inputLoss.amount === 0n || inputLoss.day !== Math.floor(nowMs / DAY_MS)) return false;
  return inputLoss.amount > dollarsToNano(loss_account_day);
}

function dollarsToNano(dollars: number): NanoUsd {
  return BigInt(Math.round(dollars * NANO_PER_DOLLAR));
}

/** By how much a request of this key may pass its limits. */
export function leewayOf(
  key: Pick<PresentedKey, "overdraft" | "hard" | "accountHard">,
  { lone_max }: Limits,
  { short, least }: Pick<Sizing, "short" | "least">,
): Leeway {
  const loneMax = dollarsToNano(lone_max);
  const loneLeast = dearer(least, short < loneMax ? short : loneMax);
  return { overdraft: key.overdraft, hard: isHard(key), loneMax, loneLeast };
}

/** What the hold is judged by. */
export function holdTerms(key: PresentedKey, limits: Limits, sizing: Sizing): HoldTerms {
  const { worst, floor, least } = sizing;
  return { worst, floor, least, ...leewayOf(key, limits, sizing) };
}
