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

export const STATUS_ERROR = 2;

const SAMPLED = 0x01;
const KNOWS_REMOTE = 0x100;
const REMOTE = 0x200;
const NANOS_PER_MS = 1_000_000;

/** What a collector is told of a span and its parent. */
export function flagsOf({ remoteParent }: Pick<Span, "remoteParent">): number {
  return SAMPLED | KNOWS_REMOTE | (remoteParent ? REMOTE : 0);
}

export function nanosOf(ms: PreciseMs): bigint {
  const whole = Math.floor(ms);
  return BigInt(whole) * BigInt(NANOS_PER_MS) + BigInt(Math.round((ms - whole) * NANOS_PER_MS));
}

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}

export function newTraceId(): string {
  return randomHex(TRACE_ID_BYTES);
}

export function newSpanId(): string {
  return randomHex(SPAN_ID_BYTES);
}
