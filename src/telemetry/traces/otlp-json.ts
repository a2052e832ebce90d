// Spans as the JSON of OTLP/HTTP: ids in hex, whole numbers of 64 bits as texts, kinds as numbers.
import {
  type Attributes,
  type AttributeValue,
  type PreciseMs,
  SPAN_KINDS,
  type Span,
} from "./span.ts";

const SAMPLED = 0x01;
const KNOWS_REMOTE = 0x100;
const REMOTE = 0x200;
const STATUS_ERROR = 2;
const NANOS_PER_MS = 1_000_000;

function nanos(ms: PreciseMs): string {
  const whole = Math.floor(ms);
  return String(
    BigInt(whole) * BigInt(NANOS_PER_MS) + BigInt(Math.round((ms - whole) * NANOS_PER_MS)),
  );
}

function written(value: AttributeValue): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "bigint") return { intValue: String(value) };
  if (typeof value === "object") {
    return { arrayValue: { values: value.map((each) => ({ stringValue: each })) } };
  }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function attributesOf(attributes: Attributes): object[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: written(value) }],
  );
}

/** One span, as a text: a batch is put together from them in steps. */
export function writeSpan(span: Span): string {
  return JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    traceState: span.traceState,
    parentSpanId: span.parentId,
    flags: SAMPLED | KNOWS_REMOTE | (span.remoteParent ? REMOTE : 0),
    name: span.name,
    kind: SPAN_KINDS[span.kind],
    startTimeUnixNano: nanos(span.startMs),
    endTimeUnixNano: nanos(span.endMs),
    attributes: attributesOf(span.attributes),
    status: span.failed ? { code: STATUS_ERROR } : {},
  });
}

/** The request for a batch of written spans, all of one resource. */
export function writeExport(
  resource: Attributes,
  scope: { readonly name: string; readonly version: string },
  spans: readonly string[],
): string {
  const head = JSON.stringify({ attributes: attributesOf(resource) });
  return `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(",")}]}]}]}`;
}
