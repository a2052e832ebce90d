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
}

function whole(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.trunc(value) : 0;
}

function within(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}

/** Counts as a vendor reports them → disjoint buckets that cannot hurt anyone. */
export function toUsage(counts: VendorCounts, webSearches = 0): Usage {
  const told = {
    input: whole(counts.input),
    cacheRead: whole(counts.cacheRead),
    cacheWrite: whole(counts.cacheWrite),
    cacheWriteLong: whole(counts.cacheWriteLong),
    output: whole(counts.output),
    reasoning: whole(counts.reasoning),
  };
  const input = within(told.input, TOKEN_COUNT_MAX);
  const cacheRead = within(told.cacheRead, input);
  const cacheWrite = within(told.cacheWrite, input - cacheRead);
  const cacheWriteLong = within(told.cacheWriteLong, input - cacheRead - cacheWrite);
  const output = within(told.output, TOKEN_COUNT_MAX);
  const reasoning = within(told.reasoning, output);
  const clamped =
    input !== told.input ||
    cacheRead !== told.cacheRead ||
    cacheWrite !== told.cacheWrite ||
    cacheWriteLong !== told.cacheWriteLong ||
    output !== told.output ||
    reasoning !== told.reasoning;
  const fresh = input - cacheRead - cacheWrite - cacheWriteLong;
  const read = { fresh, cacheRead, cacheWrite, cacheWriteLong };
  return { ...read, output, reasoning, webSearches, clamped };
}

/** The same counts within what was possible; flagged when they were not. */
export function atMost(usage: Usage, most: { input: number; output: number }): Usage {
  if (inputTokens(usage) <= most.input && usage.output <= most.output) return usage;
  const { cacheRead, cacheWrite, cacheWriteLong, reasoning, webSearches } = usage;
  const input = within(inputTokens(usage), most.input);
  const output = within(usage.output, most.output);
  const counts = { input, cacheRead, cacheWrite, cacheWriteLong, output, reasoning };
  return { ...toUsage(counts, webSearches), clamped: true };
}

export function inputTokens(usage: Usage): number {
  return usage.fresh + usage.cacheRead + usage.cacheWrite + usage.cacheWriteLong;
}

export function totalTokens(usage: Usage): number {
  return inputTokens(usage) + usage.output;
}
