import type { JsonObject } from "./fields.ts";
import { numberOf, objectOf } from "./optional.ts";

/** Token counts in disjoint buckets. Reasoning is inside `output`, shown but never added. */
export interface Usage {
  /** Input the vendor read anew. */
  readonly fresh: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Written to be kept for long, where a vendor asks more for that. Not inside `cacheWrite`. */
  readonly cacheWriteLong: number;
  readonly output: number;
  readonly reasoning: number;
  /** Completed web searches: calls, not declarations. */
  readonly webSearches: number;
  /** What the vendor itself says it charged, a decimal in dollars. For the house, not for clients. */
  readonly vendorCost?: string;
  /** A count was negative, absurd or inconsistent and was put right before pricing. */
  readonly clamped: boolean;
  /** What the vendor did not count. Absent where it counted all. */
  readonly missing?: Missing;
}

/** The parts that a vendor left out or wrote as no count; what it said of them before is the least. */
interface Missing {
  readonly input: boolean;
  readonly output: boolean;
  /** Both together, where that is all the vendor said. */
  readonly total: number | undefined;
}

export const NO_USAGE: Usage = {
  fresh: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  output: 0,
  reasoning: 0,
  webSearches: 0,
  clamped: false,
};

/** No request of any vendor has come near this; a count above it is a defect of the vendor. */
export const TOKEN_COUNT_MAX = 100_000_000;

interface VendorCounts {
  /** All input, cached and cache-write tokens included. */
  readonly input: unknown;
  readonly cacheRead?: unknown;
  readonly cacheWrite?: unknown;
  readonly cacheWriteLong?: unknown;
  readonly output: unknown;
  readonly reasoning?: unknown;
  /** Input and output, on wires that have a word for it. */
  readonly total?: unknown;
}

/** A whole number from zero on; anything else is no count, and a text of digits is none either. */
export function counted(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function isUnsaid(value: unknown): boolean {
  return value === undefined || value === null;
}

/** The sum of what is said. What is no count is given back as it is, so that it is seen for what it is. */
export function added(...values: readonly unknown[]): unknown {
  let sum: number | undefined;
  for (const value of values) {
    if (isUnsaid(value)) continue;
    const count = counted(value);
    if (count === undefined) return value;
    sum = (sum ?? 0) + count;
  }
  return sum;
}

/** What was put into a cache, as the vendor says it; `long` of it to be kept for longer. */
interface CacheWrites {
  readonly short: unknown;
  readonly long: number;
}

/** What was put into a cache, by the vendor's total of it and by `cache_creation`, which breaks that down. */
export function readCacheWrites(total: unknown, cacheCreation: unknown): CacheWrites {
  const created = objectOf(cacheCreation);
  const longTold = numberOf(created.ephemeral_1h_input_tokens);
  const sum = numberOf(created.ephemeral_5m_input_tokens) + longTold;
  // A later total counts more than an earlier breakdown: what it adds was not kept for long.
  const written = typeof total === "number" ? numberOf(total) : sum;
  const long = Math.min(longTold, written);
  // What is no count is seen to be none where it is priced.
  return { short: isUnsaid(total) || typeof total === "number" ? written - long : total, long };
}

/** What a total leaves for the part that was not counted beside the other. */
function remainder(total: number | undefined, part: number | undefined): number | undefined {
  return total === undefined || part === undefined || part > total ? undefined : total - part;
}

/** Counts as a vendor reports them → disjoint buckets that cannot hurt anyone. */
export function toUsage(counts: VendorCounts, webSearches = 0): Usage {
  const total = counted(counts.total);
  const toldInput = counted(counts.input);
  const toldOutput = counted(counts.output);
  // Zeros beside a total say as little as silence.
  const onlyTotal = total !== undefined && total > 0 && !toldInput && !toldOutput;
  const input = onlyTotal ? undefined : (toldInput ?? remainder(total, toldOutput));
  const output = onlyTotal ? undefined : (toldOutput ?? remainder(total, toldInput));
  const read = within(input, TOKEN_COUNT_MAX);
  const written = within(output, TOKEN_COUNT_MAX);
  // Without its whole, a part is as large as it says.
  const cachable = input === undefined ? TOKEN_COUNT_MAX : read;
  const cacheRead = within(counts.cacheRead, cachable);
  const cacheWrite = within(counts.cacheWrite, cachable - cacheRead);
  const cacheWriteLong = within(counts.cacheWriteLong, cachable - cacheRead - cacheWrite);
  const reasoning = within(counts.reasoning, written);
  const clamped =
    isPutRight(counts.input, within(toldInput, TOKEN_COUNT_MAX)) ||
    isPutRight(counts.output, within(toldOutput, TOKEN_COUNT_MAX)) ||
    isPutRight(counts.cacheRead, cacheRead) ||
    isPutRight(counts.cacheWrite, cacheWrite) ||
    isPutRight(counts.cacheWriteLong, cacheWriteLong) ||
    (output !== undefined && isPutRight(counts.reasoning, reasoning));
  const fresh = input === undefined ? 0 : read - cacheRead - cacheWrite - cacheWriteLong;
  const usage: Usage = {
    fresh,
    cacheRead,
    cacheWrite,
    cacheWriteLong,
    output: written,
    reasoning,
    webSearches,
    clamped,
  };
  if (input !== undefined && output !== undefined) return usage;
  const missing = { input: input === undefined, output: output === undefined };
  return { ...usage, missing: { ...missing, total: onlyTotal ? total : undefined } };
}

function within(value: unknown, max: number): number {
  return Math.min(counted(value) ?? 0, max);
}

/** Whether the vendor said something that was not taken as it is. */
function isPutRight(said: unknown, taken: number): boolean {
  return !isUnsaid(said) && said !== taken;
}

function saysNothing(said: unknown): boolean {
  return isUnsaid(said) || said === 0;
}

/** The same; undefined where all is silence and zeros, since nobody has counted then. */
export function readCounts(counts: VendorCounts, webSearches = 0): Usage | undefined {
  const isSilent =
    webSearches === 0 &&
    saysNothing(counts.input) &&
    saysNothing(counts.output) &&
    saysNothing(counts.total) &&
    saysNothing(counts.cacheRead) &&
    saysNothing(counts.cacheWrite) &&
    saysNothing(counts.cacheWriteLong) &&
    saysNothing(counts.reasoning);
  return isSilent ? undefined : toUsage(counts, webSearches);
}

/** Of xAI. */
const TICKS_PER_DOLLAR = 1e10;
const COST_DIGITS = 12;

function dollarsOf({ cost, cost_in_usd_ticks: ticks }: JsonObject): unknown {
  const isInTicks = typeof cost !== "number" && typeof ticks === "number";
  return isInTicks ? ticks / TICKS_PER_DOLLAR : cost;
}

/** Counts with what the vendor, which told them in `usage`, says it took. */
export function withVendorCost(counts: Usage | undefined, usage: JsonObject): Usage | undefined {
  const dollars = dollarsOf(usage);
  if (!counts || typeof dollars !== "number") return counts;
  if (!Number.isFinite(dollars) || dollars < 0) return counts;
  const vendorCost = dollars.toFixed(COST_DIGITS).replace(/\.?0+$/, "") || "0";
  return { ...counts, vendorCost };
}

export function inputTokens(usage: Usage): number {
  return usage.fresh + usage.cacheRead + usage.cacheWrite + usage.cacheWriteLong;
}

export function totalTokens(usage: Usage): number {
  return inputTokens(usage) + usage.output;
}
