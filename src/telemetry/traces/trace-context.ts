// The header `traceparent` as W3C's Trace Context has it.

/** The span of somebody else that a request belongs to. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
  /** What other systems have written beside it. */
  readonly state: string | undefined;
}

const TRACEPARENT =
  /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<rest>-.*)?$/;
const NOTHING = /^0+$/;
const SAMPLED = 1;
/** What everybody has to carry on; who writes more may lose it. */
const STATE_CHARS_MAX = 512;

/**
 * Whose child a request is. A header that is not as it should be counts as none, and so does what stands
 * beside it. Later versions may write more behind what this one knows.
 */
export function readTraceParent(
  header: string | null,
  state: string | null,
): TraceParent | undefined {
  const parts = header === null ? undefined : TRACEPARENT.exec(header.trim())?.groups;
  if (!parts) return undefined;
  const { version, traceId = "", spanId = "", flags = "", rest } = parts;
  if (version === "ff" || (version === "00" && rest !== undefined)) return undefined;
  if (NOTHING.test(traceId) || NOTHING.test(spanId)) return undefined;
  return {
    traceId,
    spanId,
    sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED,
    state: state !== null && state.length <= STATE_CHARS_MAX ? state : undefined,
  };
}

/** For whoever is called within a span that is recorded. */
export function writeTraceParent(traceId: string, spanId: string): string {
  return `00-${traceId}-${spanId}-01`;
}
