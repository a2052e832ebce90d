// Requests that a server may be sent by anybody: nearly right, quite wrong, and not HTTP at all.
import { Glob } from "bun";
import fc from "fast-check";
import { anyCharacter } from "../support/any-character.ts";

export interface FuzzRoute {
  readonly method: string;
  /** With its parameters, such as `/api/accounts/:account/keys/:id`. */
  readonly path: string;
}

/** One request as it goes over the wire. */
export interface FuzzInput {
  readonly route: FuzzRoute;
  readonly bytes: Uint8Array;
  /** Whether the server can know where the request ends, and so has to answer it. */
  readonly whole: boolean;
}

/** Words that fit somewhere: what the routes' own schemas call their members. */
function memberNames(): string[] {
  const names = new Set(["model", "messages", "input", "contents", "tools", "stream", "role"]);
  const root = new URL("../../src/", import.meta.url).pathname;
  for (const file of new Glob("**/*.ts").scanSync(root)) {
    if (file.endsWith(".test.ts")) continue;
    const text = require("node:fs").readFileSync(root + file, "utf8") as string;
    for (const [, name] of text.matchAll(/^\s+([a-z_]{2,24}): z\b/gm)) names.add(String(name));
  }
  return [...names].sort();
}

const HOSTILE_TEXTS = [
  "",
  "\u0000",
  "__proto__",
  "../../etc/passwd",
  "%00",
  "%",
  "a".repeat(70_000),
  "漢".repeat(5_000),
  "\ud800",
  "' or 1=1 --",
  "<script>",
  "{{7*7}}",
  "1e999",
  "-1",
  "9".repeat(400),
  "# ".repeat(500),
  "- a\n".repeat(500),
  "@".repeat(2_000),
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
);

const scalar = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 1e308, 2 ** 53, -0.5, 1e21),
  fc.integer(),
);

const nested = fc.integer({ min: 1, max: 2_000 }).map((depth) => {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
});

function valueWith(names: readonly string[]): fc.Arbitrary<unknown> {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 6, arbitrary: scalar },
      { weight: 2, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
      {
        weight: 3,
        arbitrary: fc.dictionary(fc.constantFrom(...names), tie("value"), { maxKeys: 6 }),
      },
      { weight: 1, arbitrary: nested },
    ),
  }));
  return value as fc.Arbitrary<unknown>;
}

const SAMPLES: readonly (readonly [RegExp, object])[] = [
  [
    /\/chat\/completions|\/estimate/,
    { model: "sandbox-1.0", messages: [{ role: "user", content: "hi" }] },
  ],
  [/\/responses/, { model: "sandbox-1.0", input: [{ role: "user", content: "hi" }], tools: [] }],
  [
    /\/messages/,
    { model: "sandbox-1.0", max_tokens: 9, messages: [{ role: "user", content: "hi" }] },
  ],
  [/v1beta/, { contents: [{ role: "user", parts: [{ text: "hi" }] }], generationConfig: {} }],
  [/embeddings/, { model: "sandbox-embedding-1.0", input: ["hi"] }],
  [
    /mcp/,
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "draft_add", arguments: {} } },
  ],
  [
    /drafts/,
    { title: "t", markdown: "# t\n\nhello", articles: [{ title: "t", content: "<p>x</p>" }] },
  ],
];

type Json = Record<string, unknown>;

/** The same value with one place of it replaced, chosen by numbers. */
function withPlace(value: unknown, steps: readonly number[], put: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return put;
  if (Array.isArray(value)) {
    if (value.length === 0) return [put];
    const at = step % value.length;
    return value.map((each, i) => (i === at ? withPlace(each, rest, put) : each));
  }
  const names = Object.keys(value);
  const name = names[step % (names.length || 1)];
  if (name === undefined) return { a: put };
  return { ...(value as Json), [name]: withPlace((value as Json)[name], rest, put) };
}

function bodyFor(path: string, names: readonly string[]): fc.Arbitrary<string> {
  const value = valueWith(names);
  const sample = SAMPLES.find(([fits]) => fits.test(path))?.[1];
  const json = value.map((any) => JSON.stringify(any) ?? "null");
  const mutated = fc
    .tuple(fc.array(fc.nat(9), { minLength: 1, maxLength: 4 }), value)
    .map(([steps, put]) => JSON.stringify(withPlace(sample ?? {}, steps, put)));
  const more = fc
    .dictionary(fc.constantFrom(...names), value, { maxKeys: 4 })
    .map((members) => JSON.stringify({ ...sample, ...members }));
  return fc.oneof(
    { weight: sample ? 5 : 1, arbitrary: mutated },
    { weight: 4, arbitrary: more },
    { weight: 2, arbitrary: json },
    { weight: 1, arbitrary: fc.constant(JSON.stringify(sample ?? {})) },
    { weight: 1, arbitrary: fc.string({ maxLength: 300 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "null", "[]", "{", '"', "[".repeat(5_000), "{}".repeat(9)),
    },
  );
}

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[a-z0-9_.:-]{1,30}$/) },
  {
    weight: 1,
    arbitrary: text.map((each) => encodeURIComponent(each.toWellFormed().slice(0, 300))),
  },
  { weight: 1, arbitrary: fc.constantFrom("..", ".", "%2e%2e", "%ff", "%", "a%00b", "~", "a:b:c") },
);

/** Hosts, types and other headers as clients write them, or as nobody should. */
const header = fc.oneof(
  fc.constantFrom(
    "content-type: application/json",
    "content-type: text/plain",
    "content-type: application/json; charset=\xff",
    "content-type: multipart/form-data; boundary=x",
    "accept: text/event-stream",
    "accept-encoding: gzip, br, zstd",
    "idempotency-key: a",
    `idempotency-key: ${"k".repeat(600)}`,
    "origin: https://elsewhere.example",
    "origin: null",
    "anthropic-version: 2023-06-01",
    "anthropic-beta: a,b,c",
    "expect: 100-continue",
    "upgrade: websocket",
    "x-forwarded-for: ::1, a, 999.1.1.1",
    "x-sandbox-fault: status=500",
    "cookie: a=b; a=c; =; ;;",
    "range: bytes=5-1",
    "if-none-match: *",
    "x-requested-with: x",
    `x-long: ${"x".repeat(6_000)}`,
  ),
  fc.stringMatching(/^[a-z-]{1,12}: [ -~]{0,40}$/),
);

type Oddity = "none" | "cut" | "chunks" | "bad chunk" | "no length" | "too long" | "host" | "line";

const oddity = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Oddity>("none") },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Oddity>(
      "chunks",
      "bad chunk",
      "cut",
      "no length",
      "too long",
      "host",
      "line",
    ),
  },
);

const HOSTS = [
  "[",
  "",
  "a b",
  "127.0.0.1:1:1",
  "x".repeat(3_000),
  "evil.example",
  "[::1",
  "a\r\nhost: b",
];

function framed(body: Buffer, odd: Oddity): { lines: string[]; body: Buffer; whole: boolean } {
  switch (odd) {
    case "chunks": {
      const chunk =
        body.length === 0 ? "" : `${body.length.toString(16)}\r\n${body.toString("latin1")}\r\n`;
      return {
        lines: ["transfer-encoding: chunked"],
        body: Buffer.from(`${chunk}0\r\n\r\n`, "latin1"),
        whole: true,
      };
    }
    case "bad chunk":
      return {
        lines: ["transfer-encoding: chunked"],
        body: Buffer.from("zz\r\nhello\r\n0\r\n\r\n"),
        whole: false,
      };
    case "cut":
      return { lines: [`content-length: ${body.length + 10}`], body, whole: false };
    case "no length":
      return { lines: [], body, whole: false };
    case "too long":
      return { lines: ["content-length: 99999999999999999999"], body, whole: false };
    default:
      return { lines: [`content-length: ${body.length}`], body, whole: odd === "none" };
  }
}

/** Ways to be known, as the lines of a request. */
export type Credentials = readonly (readonly string[])[];

/** Any request to one of the routes, by one of those who may be known. */
export function fuzzInputs(
  routes: readonly FuzzRoute[],
  credentials: Credentials,
  ids: readonly string[],
): fc.Arbitrary<FuzzInput> {
  const names = memberNames();
  return fc.constantFrom(...routes).chain((route) =>
    fc
      .record({
        method: fc.oneof(
          { weight: 9, arbitrary: fc.constant(route.method) },
          {
            weight: 1,
            arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"),
          },
        ),
        pieces: fc.array(fc.oneof(fc.constantFrom(...ids), piece), { minLength: 4, maxLength: 4 }),
        query: fc.oneof(
          { weight: 3, arbitrary: fc.constant("") },
          {
            weight: 1,
            arbitrary: fc.tuple(fc.constantFrom(...names), piece).map(([n, v]) => `?${n}=${v}`),
          },
          {
            weight: 1,
            arbitrary: fc.constantFrom("?limit=-1", "?from=x&to=", "?cursor=%F0", "?page=1e9&x"),
          },
        ),
        who: fc.constantFrom(...credentials),
        headers: fc.array(header, { maxLength: 3 }),
        body: bodyFor(route.path, names),
        odd: oddity,
        host: fc.constantFrom(...HOSTS),
      })
      .map(({ method, pieces, query, who, headers, body, odd, host }) => {
        let at = 0;
        const path = route.path.replace(/:[a-z_]+|\*/gi, () => pieces[at++ % 4] ?? "x");
        const hasBody = method !== "GET" && method !== "DELETE";
        const {
          lines,
          body: sent,
          whole,
        } = hasBody
          ? framed(Buffer.from(body), odd)
          : { lines: [], body: Buffer.alloc(0), whole: odd === "none" };
        const typed = headers.some((each) => each.startsWith("content-type"));
        const head = [
          odd === "line" ? `${method} ${path}` : `${method} ${path}${query} HTTP/1.1`,
          `host: ${odd === "host" ? host : "127.0.0.1"}`,
          ...(typed || !hasBody ? [] : ["content-type: application/json"]),
          ...who,
          ...headers,
          ...lines,
        ];
        const bytes = Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), sent]);
        return {
          route,
          bytes,
          whole: whole && !headers.some((each) => /^(?:expect|upgrade)/.test(each)),
        };
      }),
  );
}
