// Spans as the protocol buffers of OTLP/HTTP, by the numbers that its description gives to each member.
import {
  type Attributes,
  type AttributeValue,
  flagsOf,
  nanosOf,
  type PreciseMs,
  SPAN_KINDS,
  type Span,
  STATUS_ERROR,
} from "./span.ts";
import type { Scope, SpanEncoding } from "./span-encoding.ts";

/** How a member is written, which its tag says beside its number. */
const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const TAG_BITS = 3;
const LOW_SEVEN = 0x7fn;
const MORE = 0x80;

/** Tags and lengths are mostly of one byte: those are made once. */
const ONE_BYTE = Array.from({ length: MORE }, (_, value) => Buffer.from([value]));

function varint(value: bigint | number): Buffer {
  const made = typeof value === "number" ? ONE_BYTE[value] : undefined;
  if (made) return made;
  // Numbers below zero are written as if they had 64 bits and no sign.
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > LOW_SEVEN) {
    bytes.push(Number(rest & LOW_SEVEN) | MORE);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function tag(member: number, wire: number): Buffer {
  return varint((member << TAG_BITS) | wire);
}

function bytes(member: number, content: Uint8Array): Buffer {
  return Buffer.concat([tag(member, BYTES), varint(content.length), content]);
}

function message(member: number, ...parts: readonly Uint8Array[]): Buffer {
  return bytes(member, Buffer.concat(parts));
}

const text = (member: number, content: string) => bytes(member, Buffer.from(content));
const hex = (member: number, content: string) => bytes(member, Buffer.from(content, "hex"));
const whole = (member: number, value: bigint | number) =>
  Buffer.concat([tag(member, VARINT), varint(value)]);

function double(member: number, value: number): Buffer {
  const content = Buffer.alloc(8);
  content.writeDoubleLE(value);
  return Buffer.concat([tag(member, FIXED64), content]);
}

function nanos(member: number, ms: PreciseMs): Buffer {
  const content = Buffer.alloc(8);
  content.writeBigUInt64LE(nanosOf(ms));
  return Buffer.concat([tag(member, FIXED64), content]);
}

function fixed32(member: number, value: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeUInt32LE(value);
  return Buffer.concat([tag(member, FIXED32), content]);
}

/** AnyValue. */
function written(value: AttributeValue): Buffer {
  if (typeof value === "string") return text(1, value);
  if (typeof value === "boolean") return whole(2, value ? 1 : 0);
  if (typeof value === "object")
    return message(5, ...value.map((each) => message(1, text(1, each))));
  return typeof value === "bigint" || Number.isInteger(value) ? whole(3, value) : double(4, value);
}

/** KeyValue, as many times as there are attributes. */
function attributesOf(member: number, attributes: Attributes): Buffer[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [message(member, text(1, key), message(2, written(value)))],
  );
}

function writeSpan(span: Span): Uint8Array {
  return message(
    2,
    hex(1, span.traceId),
    hex(2, span.spanId),
    ...(span.traceState === undefined ? [] : [text(3, span.traceState)]),
    ...(span.parentId === undefined ? [] : [hex(4, span.parentId)]),
    text(5, span.name),
    whole(6, SPAN_KINDS[span.kind]),
    nanos(7, span.startMs),
    nanos(8, span.endMs),
    ...attributesOf(9, span.attributes),
    message(15, ...(span.failed ? [whole(3, STATUS_ERROR)] : [])),
    fixed32(16, flagsOf(span)),
  );
}

function writeRequest(
  resource: Attributes,
  scope: Scope,
  spans: readonly Uint8Array[],
): Uint8Array {
  const head = message(1, ...attributesOf(1, resource));
  const maker = message(1, text(1, scope.name), text(2, scope.version));
  return message(1, head, message(2, maker, ...spans));
}

/** Reads a number, and where the next thing begins. */
function readVarint(
  from: Uint8Array,
  start: number,
): { readonly value: number; readonly end: number } {
  let value = 0;
  let end = start;
  for (let scale = 1; end < from.length; scale *= MORE) {
    const byte = from[end] ?? 0;
    end += 1;
    value += (byte % MORE) * scale;
    if (byte < MORE) break;
  }
  return { value, end };
}

/** The first member of the first member, which is what was rejected of a partial success. */
function rejectedIn(answer: Uint8Array): number {
  if (answer[0] !== ((1 << TAG_BITS) | BYTES)) return 0;
  const { end } = readVarint(answer, 1);
  if (answer[end] !== ((1 << TAG_BITS) | VARINT)) return 0;
  return readVarint(answer, end + 1).value;
}

export const PROTOBUF_ENCODING: SpanEncoding<Uint8Array> = {
  contentType: "application/x-protobuf",
  span: writeSpan,
  request: writeRequest,
  rejected: rejectedIn,
};
