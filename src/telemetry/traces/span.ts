import { randomBytes } from "node:crypto";

export type AttributeValue = string | number | bigint | boolean | readonly string[];

/** Those that are undefined are not told. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** As OTLP numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof SPAN_KINDS;

/** Milliseconds since 1970, with their fractions. */
export type PreciseMs = number;

/** A piece of work of one trace that is over. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  /** Whether the parent is in another process. */
  readonly remoteParent: boolean;
  readonly traceState: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: PreciseMs;
  readonly endMs: PreciseMs;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

export function newTraceId(): string {
  return randomBytes(TRACE_ID_BYTES).toString("hex");
}

export function newSpanId(): string {
  return randomBytes(SPAN_ID_BYTES).toString("hex");
}
