// A collector of traces on this machine, as strict about OTLP/HTTP as its description is.
import * as z from "../../../src/lib/schemas.ts";
import { readOtlp } from "./otlp-reader.ts";

const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
/** Whole numbers of 64 bits are texts in the JSON of protocol buffers. */
const int64 = z.string().regex(/^-?\d{1,19}$/);
const scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.number() }),
]);
const value = z.union([
  scalar,
  z.strictObject({ arrayValue: z.strictObject({ values: z.array(scalar) }) }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const span = z.strictObject({
  traceId,
  spanId,
  traceState: z.string().optional(),
  parentSpanId: spanId.optional(),
  flags: z.int(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: int64,
  endTimeUnixNano: int64,
  attributes,
  status: z.strictObject({ code: z.literal(2).optional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

type Value = z.infer<typeof value>;

function plain(told: Value): unknown {
  if ("arrayValue" in told) return told.arrayValue.values.map(plain);
  return "intValue" in told ? Number(told.intValue) : Object.values(told)[0];
}

function plainly(told: z.infer<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(told.map((each) => [each.key, plain(each.value)]));
}

/** A span as it came, its attributes as plain values. */
export type CollectedSpan = Omit<z.infer<typeof span>, "attributes"> & {
  readonly attributes: Record<string, unknown>;
};

export function openCollector() {
  const spans: CollectedSpan[] = [];
  const batches: number[] = [];
  const calls: { readonly headers: Headers; readonly text: string }[] = [];
  let resource: Record<string, unknown> = {};
  /** What it answers to the next calls; after them it takes everything. */
  const answers: (() => Response | Promise<Response>)[] = [];
  const take = (sent: unknown) => {
    const told = request.parse(sent);
    for (const each of told.resourceSpans) {
      resource = plainly(each.resource.attributes);
      const found = each.scopeSpans.flatMap((scope) => scope.spans);
      batches.push(found.length);
      for (const one of found) spans.push({ ...one, attributes: plainly(one.attributes) });
    }
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(asked) {
      const bytes = await asked.bytes();
      const isBinary = asked.headers.get("content-type") === "application/x-protobuf";
      const text = Buffer.from(bytes).toString();
      calls.push({ headers: asked.headers, text });
      const answer = answers.shift();
      if (answer) return await answer();
      take(isBinary ? readOtlp(bytes) : JSON.parse(text));
      return isBinary ? new Response() : Response.json({});
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    batches,
    calls,
    answers,
    get resource() {
      return resource;
    },
    stop: () => server.stop(true),
  };
}
