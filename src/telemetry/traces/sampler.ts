import type { TraceParent } from "./trace-context.ts";

/** Which requests are recorded. */
export interface Sampling {
  /** The share of traces that begin here, from 0 to 1. */
  readonly ratio: number;
  /** Whoever sends a `traceparent` has decided already. */
  readonly parentBased: boolean;
}

/** As many digits of the trace's id as a number has room for; the last ones are those that are random. */
const DIGITS = 13;
const ALL = 16 ** DIGITS;

/** Everybody who judges the same trace by the same share comes to the same answer. */
export function isSampled(
  { ratio, parentBased }: Sampling,
  traceId: string,
  parent: TraceParent | undefined,
): boolean {
  if (parentBased && parent) return parent.sampled;
  if (ratio >= 1) return true;
  return Number.parseInt(traceId.slice(-DIGITS), 16) >= (1 - ratio) * ALL;
}
