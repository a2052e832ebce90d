// Reads the protocol buffers of OTLP into what its JSON would be, by the description that collectors go by.

type Kind = "text" | "id" | "int64" | "int" | "bool" | "double" | "nanos" | "fixed32" | Members;

interface Member {
  readonly name: string;
  readonly kind: Kind;
  readonly many?: true;
}

interface Members {
  readonly [member: number]: Member;
}

const SCALAR: Members = {
  1: { name: "stringValue", kind: "text" },
  2: { name: "boolValue", kind: "bool" },
  3: { name: "intValue", kind: "int64" },
  4: { name: "doubleValue", kind: "double" },
};
const LIST: Members = { 1: { name: "values", kind: SCALAR, many: true } };
const VALUE: Members = { ...SCALAR, 5: { name: "arrayValue", kind: LIST } };
const ATTRIBUTE: Members = { 1: { name: "key", kind: "text" }, 2: { name: "value", kind: VALUE } };
const ATTRIBUTES = { name: "attributes", kind: ATTRIBUTE, many: true } as const;
const SPAN: Members = {
  1: { name: "traceId", kind: "id" },
  2: { name: "spanId", kind: "id" },
  3: { name: "traceState", kind: "text" },
  4: { name: "parentSpanId", kind: "id" },
  5: { name: "name", kind: "text" },
  6: { name: "kind", kind: "int" },
  7: { name: "startTimeUnixNano", kind: "nanos" },
  8: { name: "endTimeUnixNano", kind: "nanos" },
  9: ATTRIBUTES,
  15: { name: "status", kind: { 3: { name: "code", kind: "int" } } },
  16: { name: "flags", kind: "fixed32" },
};
const SCOPE: Members = { 1: { name: "name", kind: "text" }, 2: { name: "version", kind: "text" } };
const SCOPE_SPANS: Members = {
  1: { name: "scope", kind: SCOPE },
  2: { name: "spans", kind: SPAN, many: true },
};
const RESOURCE_SPANS: Members = {
  1: { name: "resource", kind: { 1: ATTRIBUTES } },
  2: { name: "scopeSpans", kind: SCOPE_SPANS, many: true },
};
const REQUEST: Members = { 1: { name: "resourceSpans", kind: RESOURCE_SPANS, many: true } };

/** By how a member is written: how many bytes it has, or that they say so themselves. */
const WIRES: Readonly<Record<string, number>> = {
  int64: 0,
  int: 0,
  bool: 0,
  nanos: 1,
  double: 1,
  fixed32: 5,
};

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  get isOver(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#bytes.readUInt8(this.#at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  take(count: number): Buffer {
    if (this.#at + count > this.#bytes.length) throw new Error("the message is cut off");
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  value(kind: Kind): unknown {
    if (typeof kind === "object") return readMembers(kind, this.take(Number(this.varint())));
    switch (kind) {
      case "text":
        return this.take(Number(this.varint())).toString();
      case "id":
        return this.take(Number(this.varint())).toString("hex");
      case "int64":
        return String(BigInt.asIntN(64, this.varint()));
      case "int":
        return Number(this.varint());
      case "bool":
        return this.varint() === 1n;
      case "double":
        return this.take(8).readDoubleLE();
      case "nanos":
        return String(this.take(8).readBigUInt64LE());
      case "fixed32":
        return this.take(4).readUInt32LE();
    }
  }
}

function readMembers(members: Members, bytes: Uint8Array): Record<string, unknown> {
  const reader = new Reader(bytes);
  // What has many values and none of them is not written at all.
  const lists = Object.values(members).filter(({ many }: Member) => many);
  const read: Record<string, unknown> = Object.fromEntries(lists.map(({ name }) => [name, []]));
  while (!reader.isOver) {
    const tag = Number(reader.varint());
    const member = members[tag >> 3];
    if (!member) throw new Error(`there is no member ${tag >> 3}`);
    const wire = typeof member.kind === "string" ? (WIRES[member.kind] ?? 2) : 2;
    if ((tag & 7) !== wire) throw new Error(`${member.name} is written as ${tag & 7}`);
    const value = reader.value(member.kind);
    if (member.many) (read[member.name] as unknown[]).push(value);
    else read[member.name] = value;
  }
  return read;
}

export function readOtlp(bytes: Uint8Array): unknown {
  return readMembers(REQUEST, bytes);
}
