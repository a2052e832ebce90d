import type { Model } from "../../catalogue/models.ts";
import type { UsageSource } from "../../ledger/receipt.ts";
import { inputTokens, NO_USAGE, type Usage } from "../../protocols/usage.ts";
import type { ClientRequest } from "../../protocols/wire.ts";
import type { Tally } from "../admitted-request.ts";
import type { Ending } from "../ending/endings.ts";

/**
 * A vendor's counts are believed where they can be true: not more than the request could read and write, and something
 * written where something came. What is above a bound is cut to the bound; what cannot be true is estimated, part by part.
 */

/** The most that a request can come to, by what it asks for and what is held for it. */
export interface Most {
  /** Tokens that its vendor can count as read. */
  readonly input: number;
  /** Tokens that can be written, in all of its answers. */
  readonly output: number;
  readonly searches: number;
}

/** What bounds the usage of a request. */
export interface Asked {
  readonly request: Pick<ClientRequest, "choices" | "webSearch" | "rounds">;
  /** The model that answers. */
  readonly model: Pick<Model, "context" | "maxOutput">;
  readonly most: Most;
  /** Input as estimated. */
  readonly inputTokens: number;
}

/** What was seen of an answer. */
type Seen = Pick<Tally, "usage" | "outputTokens" | "webSearches">;

/** A vendor that searches reads its input again with what it found, several times over. */
const SEARCH_READINGS = 16;

/** What the model could read. A count between our bound and this is cut to the bound; a larger one says nothing. */
function possibleInput({ request, model }: Asked): number {
  return model.context * (request.webSearch ? SEARCH_READINGS : (request.rounds ?? 1));
}

/** What the model could write, had nobody set a maximum. */
function possibleOutput({ request, model }: Asked): number {
  return model.maxOutput * request.choices * (request.rounds ?? 1);
}

/** Input and output as estimated, never more than could have been asked for. */
export function estimate(asked: Asked, outputTokens: number, webSearches = 0): Usage {
  return {
    ...NO_USAGE,
    fresh: Math.min(asked.inputTokens, asked.most.input),
    output: Math.min(Math.ceil(outputTokens), asked.most.output),
    webSearches: Math.min(webSearches, asked.most.searches),
  };
}

/** Whether counts of a whole answer are fine as they are. Nearly all are. */
export function isCredible(asked: Asked, usage: Usage, seen: Pick<Tally, "outputTokens">): boolean {
  const input = inputTokens(usage);
  const { most } = asked;
  return (
    usage.missing === undefined &&
    input > 0 &&
    input <= most.input &&
    (usage.output > 0 || seen.outputTokens === 0) &&
    usage.output <= most.output &&
    usage.webSearches <= most.searches
  );
}

/** One side of the counts: how many tokens, and whether the vendor said so. */
interface Part {
  readonly tokens: number;
  readonly told: boolean;
}

function believedInput(asked: Asked, usage: Usage, own: number): Part {
  const counted = inputTokens(usage);
  if (counted > possibleInput(asked)) return { tokens: own, told: false };
  // More than our bound: that is between the vendor and us.
  const tokens = Math.min(counted, asked.most.input);
  // What was cached is the vendor's word even where the rest of the input is missing.
  const uncounted = usage.missing?.input || tokens === 0;
  return uncounted && own >= tokens ? { tokens: own, told: false } : { tokens, told: true };
}

function believedOutput(asked: Asked, usage: Usage, own: number): Part {
  const { output } = usage;
  if (output > possibleOutput(asked)) return { tokens: own, told: false };
  // More than was allowed, though the model can: that is between the vendor and us.
  const tokens = Math.min(output, asked.most.output);
  const uncounted = usage.missing?.output || tokens === 0;
  return uncounted && own >= tokens ? { tokens: own, told: false } : { tokens, told: true };
}

/** A total without its parts: what our estimate of the input leaves of it was written. */
function outputOfTotal(asked: Asked, usage: Usage, own: Usage): Part | undefined {
  const total = usage.missing?.total;
  const tokens = total === undefined ? 0 : total - own.fresh;
  return tokens > 0 && tokens <= asked.most.output ? { tokens, told: true } : undefined;
}

function isClamped(asked: Asked, usage: Usage): boolean {
  return (
    usage.clamped ||
    inputTokens(usage) > asked.most.input ||
    usage.output > asked.most.output ||
    usage.webSearches > asked.most.searches
  );
}

type InputBuckets = Pick<Usage, "fresh" | "cacheRead" | "cacheWrite" | "cacheWriteLong">;

/** The input in its buckets. Of an input that was not believed, neither is what was cached of it. */
function inputOf(usage: Usage, { tokens, told }: Part): InputBuckets {
  if (told) return bucketsWithin(usage, tokens);
  const { cacheRead, cacheWrite, cacheWriteLong } = usage;
  const cached = cacheRead + cacheWrite + cacheWriteLong;
  if (cached > tokens) return { fresh: tokens, cacheRead: 0, cacheWrite: 0, cacheWriteLong: 0 };
  return { fresh: tokens - cached, cacheRead, cacheWrite, cacheWriteLong };
}

/** The buckets as they were told, up to so many tokens in all. What is cut is the dearest. */
function bucketsWithin(usage: InputBuckets, most: number): InputBuckets {
  const cacheRead = Math.min(usage.cacheRead, most);
  const fresh = Math.min(usage.fresh, most - cacheRead);
  const cacheWrite = Math.min(usage.cacheWrite, most - cacheRead - fresh);
  const rest = most - cacheRead - fresh - cacheWrite;
  return { fresh, cacheRead, cacheWrite, cacheWriteLong: Math.min(usage.cacheWriteLong, rest) };
}

/**
 * The usage with the input that the vendor counted, where that is beyond our bound: the vendor may bill it. A count of more
 * than the model can read is taken as all that it can, and says nothing of a request that is not charged.
 */
export function usageBilled(
  asked: Asked,
  told: Usage,
  usage: Usage,
  isCharged: boolean,
): Usage | undefined {
  const counted = inputTokens(told);
  const possible = possibleInput(asked);
  if (counted <= asked.most.input || (counted > possible && !isCharged)) return undefined;
  return { ...usage, ...bucketsWithin(told, possible) };
}

function sourceOf(parts: readonly Part[]): UsageSource {
  const counted = parts.filter(({ tokens }) => tokens > 0);
  if (!counted.some(({ told }) => told)) return "estimated";
  return counted.every(({ told }) => told) ? "vendor" : "mixed";
}

interface Believed {
  readonly usage: Usage;
  readonly source: UsageSource;
}

/** What there is to charge where the vendor's counts cannot be taken as they are. */
export function believed(asked: Asked, due: Ending["charge"], seen: Seen): Believed {
  const { usage, outputTokens } = seen;
  const own = estimate(asked, outputTokens, seen.webSearches);
  if (!usage) return { usage: own, source: "estimated" };
  const split = outputOfTotal(asked, usage, own);
  // Where the vendor failed, what it did not count is not asked for. A total counts both of its parts.
  const guess = due === "counts" && !split ? NO_USAGE : own;
  const input = believedInput(asked, usage, guess.fresh);
  let output = split ?? believedOutput(asked, usage, guess.output);
  // Some vendors count before they write; what they wrote since then is our estimate.
  if (due === "delivered" && own.output > output.tokens) {
    output = { tokens: own.output, told: false };
  }
  const source = sourceOf([input, output]);
  const clamped = isClamped(asked, usage);
  if (source === "estimated") return { usage: { ...own, clamped }, source };
  const searches = Math.max(usage.webSearches, due === "delivered" ? own.webSearches : 0);
  return {
    usage: {
      ...inputOf(usage, input),
      output: output.tokens,
      reasoning: Math.min(usage.reasoning, output.tokens),
      webSearches: Math.min(searches, asked.most.searches),
      clamped,
    },
    source,
  };
}
