import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { given } from "../../../test/support/clients/given.ts";
import { count } from "../../../test/support/counts.ts";
import { readConfig } from "../../config/config.ts";
import { textTokens } from "../text-tokens.ts";
import type { ClientRequest, Endpoint, StreamFilter } from "../wire.ts";
import { openWires } from "../wires.ts";

/** Events that are known by their bytes must come to what they would if each of them were read. */
const wires = openWires(readConfig({}).limits);

function open(endpoint: Endpoint): StreamFilter {
  const request = { choices: 2, body: {}, webSearch: false } as unknown as ClientRequest;
  return wires[endpoint].openStream(request, { model: "ours-1.0", echo: {} });
}

/** A text as a vendor writes it, which may escape whatever is not ASCII. */
function quoted(text: string, escaped: boolean): string {
  const json = JSON.stringify(text);
  if (!escaped) return json;
  return json.replaceAll(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** What one event of a kind is, where its text is written so and its number is this. */
type Kind = (text: string, number: number) => string;
type Kinds = Readonly<Record<string, Kind>>;

const named = (type: string, members: string) =>
  `event: ${type}\ndata: {"type":"${type}",${members}}\n\n`;

const chat = (choices: string, more = "", model = "vendor-x") =>
  `data: {"id":"c","model":"${model}",${more}"choices":[${choices}]}\n\n`;
const choice = (delta: string, index = 0) =>
  `{"index":${index},"delta":{${delta}},"finish_reason":null}`;

const CHAT: Kinds = {
  text: (text) => chat(choice(`"content":${text}`)),
  thought: (text) => chat(choice(`"content":"","reasoning_content":${text}`)),
  otherThought: (text) => chat(choice(`"content":null,"reasoning":${text}`)),
  refusal: (text) => chat(choice(`"refusal":${text}`)),
  second: (text) => chat(choice(`"content":${text}`, 1)),
  pair: (text) => chat(`${choice('"content":""')},${choice(`"content":${text}`, 1)}`),
  arguments: (text) => chat(choice(`"tool_calls":[{"index":0,"function":{"arguments":${text}}}]`)),
  padded: (text, n) => chat(choice(`"content":${text}`), `"obfuscation":"${"x".repeat(n % 7)}",`),
  dated: (text, n) => chat(choice(`"content":${text}`), `"created":${n},`),
  newer: (text) => chat(choice(`"content":${text}`), "", "vendor-x-2"),
  doubled: (text) => chat(choice(`"content":"no","content":${text}`)),
  twice: (text) => chat(choice(`"content":${text}`), '"model":"vendor-y",'),
  outside: (text, n) => chat(choice(`"content":${text}`), `"content":"${n}",`),
  counted: (text, n) => chat(choice(`"content":${text}`), `"usage":{"prompt_tokens":${n + 1}},`),
};

const piece = (member: string, n: number, more = "") =>
  `"sequence_number":${n},"item_id":"i","output_index":0,"delta":${member}${more}`;

const RESPONSES: Kinds = {
  text: (text, n) => named("response.output_text.delta", piece(text, n, ',"logprobs":[]')),
  thought: (text, n) => named("response.reasoning_text.delta", piece(text, n)),
  arguments: (text, n) => named("response.function_call_arguments.delta", piece(text, n)),
  padded: (text, n) => named("response.output_text.delta", piece(text, n, `,"obfuscation":"${n}"`)),
  unnumbered: (text) => named("response.output_text.delta", `"delta":${text}`),
  misnamed: (text, n) => `data: {"type":"response.output_text.delta",${piece(text, n)}}\n\n`,
};

const block = (delta: string, index = 0) =>
  named("content_block_delta", `"index":${index},"delta":{${delta}}`);

const MESSAGES: Kinds = {
  text: (text) => block(`"type":"text_delta","text":${text}`),
  thought: (text) => block(`"type":"thinking_delta","thinking":${text}`),
  arguments: (text) => block(`"type":"input_json_delta","partial_json":${text}`),
  second: (text) => block(`"type":"text_delta","text":${text}`, 1),
  begun: (text, n) =>
    named("content_block_start", `"index":${n},"content_block":{"type":"text","text":${text}}`),
  pinged: (text) => named("ping", '"x":1') + block(`"type":"text_delta","text":${text}`),
};

const chunk = (parts: string, counts: string, index = 0) =>
  `data: {"candidates":[{"content":{"parts":[${parts}],"role":"model"},"index":${index}}],` +
  `${counts}"modelVersion":"vendor-x","responseId":"r"}\n\n`;
const counts = (n: number, prompt = 4) =>
  `"usageMetadata":{"promptTokenCount":${prompt},"candidatesTokenCount":${n},"totalTokenCount":${n + prompt}},`;

const GEMINI: Kinds = {
  text: (text, n) => chunk(`{"text":${text}}`, counts(n)),
  thought: (text, n) => chunk(`{"thought":true,"text":${text}}`, counts(n)),
  second: (text, n) => chunk(`{"text":${text}}`, counts(n), 1),
  uncounted: (text) => chunk(`{"text":${text}}`, ""),
  silent: (text) => chunk(`{"text":${text}}`, '"usageMetadata":{"promptTokenCount":0},'),
  parts: (text, n) => chunk(`{"text":""},{"text":${text}}`, counts(n)),
  moreRead: (text, n) => chunk(`{"text":${text}}`, counts(n, n + 1)),
};

const WIRES: Readonly<Record<Endpoint, Kinds>> = {
  chat: CHAT,
  responses: RESPONSES,
  messages: MESSAGES,
  gemini: GEMINI,
};

interface Said {
  readonly kind: string;
  readonly text: string;
  readonly escaped: boolean;
}

const AWKWARD = [
  '"model":"vendor-x"',
  '"usage":{',
  '\\"',
  "\\",
  "\n\n",
  "data: [DONE]",
  "漢字",
  "🎉",
];
const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom(...AWKWARD));

function streamOf(endpoint: Endpoint): fc.Arbitrary<Said[]> {
  const kind = fc.constantFrom(...Object.keys(WIRES[endpoint]));
  // Runs of one kind, as vendors write them.
  const run = fc.record({ kind, said: fc.array(fc.tuple(text, fc.boolean()), { maxLength: 6 }) });
  const flat = (runs: { kind: string; said: [string, boolean][] }[]) =>
    runs.flatMap(({ kind, said }) => said.map(([text, escaped]) => ({ kind, text, escaped })));
  return fc.array(run, { maxLength: 8 }).map(flat);
}

/** The events of a stream. Between some of them vendors say that they live. */
function eventsOf(endpoint: Endpoint, said: readonly Said[]): string[] {
  return said.map(({ kind, text, escaped }, i) => {
    const event = (WIRES[endpoint][kind] as Kind)(quoted(text, escaped), i);
    return i % 5 === 4 ? `: alive\n\n${event}` : event;
  });
}

/** The same, each with a line that no shape has: every one of them is read. */
function strange(events: readonly string[]): string[] {
  return events.map((event) => event.replaceAll(/^data: /gm, ": strange\ndata: "));
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const edges = [0, ...places.map((at) => at % (bytes.length + 1)), bytes.length];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((end, i) => bytes.slice(edges[i], end));
}

/** What comes of reads, and of those behind them once we have said that we live. */
function play(endpoint: Endpoint, reads: readonly Uint8Array[], later: readonly Uint8Array[] = []) {
  const filter = open(endpoint);
  const push = (read: Uint8Array) => given(filter.push(read));
  const out = reads.map(push);
  if (later.length > 0) out.push(Buffer.from(filter.keepAlive()), ...later.map(push));
  const { id, usage, started, failure, outputTokens } = filter;
  const tokens = outputTokens.toFixed(6);
  return { out: Buffer.concat(out).toString(), id, usage, started, failure, tokens };
}

const ENDPOINTS = Object.keys(WIRES) as Endpoint[];

describe.each(ENDPOINTS)("events of the %s wire that are known by their bytes", (endpoint) => {
  test("come to what they would if they were read, however they are chopped", () => {
    const facts = fc.record({
      said: streamOf(endpoint),
      saidLater: streamOf(endpoint),
      places: fc.array(fc.nat(), { maxLength: 30 }),
      crlf: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, ({ said, saidLater, places, crlf }) => {
        const halves = [eventsOf(endpoint, said), eventsOf(endpoint, saidLater)] as const;
        const [first, second] = halves.map((half) => [Buffer.from(strange(half).join(""))]);
        const read = play(endpoint, first ?? [], second);
        const [chopped, choppedLater] = halves.map((half) => {
          const sent = crlf ? half.join("").replaceAll("\n", "\r\n") : half.join("");
          return cut(Buffer.from(sent), places);
        });
        expect(play(endpoint, chopped ?? [], choppedLater)).toEqual(read);
      }),
      { numRuns: count(50, 3_000) },
    );
  });

  test("count all that the model wrote", () => {
    fc.assert(
      fc.property(streamOf(endpoint), (said) => {
        const all = said.reduce((sum, { text }) => sum + textTokens(text), 0);
        const filter = open(endpoint);
        filter.push(Buffer.from(eventsOf(endpoint, said).join("")));
        expect(filter.outputTokens).toBeCloseTo(all, 6);
      }),
    );
  });

  test("may be cut at every byte", () => {
    const kinds = Object.keys(WIRES[endpoint]);
    const said = kinds.flatMap((kind) => [
      { kind, text: "one", escaped: false },
      { kind, text: 'two "漢" 🎉', escaped: false },
      { kind, text: "drei ü 漢", escaped: true },
    ]);
    const bytes = Buffer.from(eventsOf(endpoint, said).join(""));
    const all = play(endpoint, [bytes]);
    for (let at = 1; at < bytes.length; at += count(41, 1)) {
      const split = play(endpoint, [bytes.subarray(0, at), bytes.subarray(at)]);
      if (!Bun.deepEquals(split, all)) expect({ at, ...split }).toEqual({ at, ...all });
    }
    expect(
      play(
        endpoint,
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
      ),
    ).toEqual(all);
  });

  test("are not read, nor behind a sign of life", () => {
    const of = (length: number) =>
      Array.from({ length }, (_, i) => ({ kind: "text", text: `word ${i}`, escaped: i % 3 === 0 }));
    const parses = (said: readonly Said[]) => {
      const parse = spyOn(JSON, "parse");
      try {
        const read = Buffer.from(eventsOf(endpoint, said).join(""));
        play(endpoint, [read], [read]);
        return parse.mock.calls.length;
      } finally {
        parse.mockRestore();
      }
    };
    expect(parses(of(4))).toBeGreaterThan(0);
    expect(parses(of(200))).toBe(parses(of(4)));
  });

  test("go out in one write for each read, with nothing changed in the bytes that came", () => {
    const said = Array.from({ length: 9 }, (_, i) => ({
      kind: "text",
      text: `w${i}`,
      escaped: false,
    }));
    const events = eventsOf(endpoint, said);
    const filter = open(endpoint);
    filter.push(Buffer.from(events.slice(0, 3).join("")));
    const read = Buffer.from(events.slice(3).join(""));
    const before = Buffer.from(read);
    const written = given(filter.push(read)).toString();
    expect(written.match(/"w\d"/g)).toEqual(['"w3"', '"w4"', '"w5"', '"w6"', '"w7"', '"w8"']);
    expect(read).toEqual(before);
  });
});

test("what needs no change is not copied", () => {
  const filter = open("messages");
  const read = Buffer.from(`${MESSAGES.text?.('"a"', 0)}${MESSAGES.text?.('"b"', 0)}`);
  filter.push(read);
  expect(filter.push(read)).toBe(read);
});

test("an event that is like a known one but for an escape that is none is an error of the vendor", () => {
  for (const endpoint of ENDPOINTS) {
    const filter = open(endpoint);
    filter.push(
      Buffer.from(eventsOf(endpoint, Array(3).fill({ kind: "text", text: "a" })).join("")),
    );
    const wrong = (WIRES[endpoint].text as Kind)('"\\x"', 3);
    expect(() => filter.push(Buffer.from(wrong))).toThrow();
  }
});
