// Spans as the JSON of OTLP/HTTP: ids in hex, whole numbers of 64 bits as texts, kinds as numbers.
import {
  type Attributes,
  type AttributeValue,
  flagsOf,
  nanosOf,
  SPAN_KINDS,
  type Span,
  STATUS_ERROR,
} from "./span.ts";
import type { Scope, SpanEncoding } from "./span-encoding.ts";

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

function writeSpan(span: Span): string {
  return JSON.stringify({
    traceId: span.traceId,
    spanId: span.spanId,
    traceState: span.traceState,
    parentSpanId: span.parentId,
    flags: flagsOf(span),
    name: span.name,
    kind: SPAN_KINDS[span.kind],
    startTimeUnixNano: String(nanosOf(span.startMs)),
    endTimeUnixNano: String(nanosOf(span.endMs)),
    attributes: attributesOf(span.attributes),
    status: span.failed ? { code: STATUS_ERROR } : {},
  });
}

function writeRequest(resource: Attributes, scope: Scope, spans: readonly string[]): string {
  const head = JSON.stringify({ attributes: attributesOf(resource) });
  return `{"resourceSpans":[{"resource":${head},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans.join(",")}]}]}]}`;
}

function rejectedIn(answer: Uint8Array): number {
  const text = Buffer.from(answer).toString();
  return Number(/"rejectedSpans"\s*:\s*"?(?<count>\d+)/.exec(text)?.groups?.count ?? 0);
}

export const JSON_ENCODING: SpanEncoding<string> = {
  contentType: "application/json",
  span: writeSpan,
  request: writeRequest,
  rejected: rejectedIn,
};
