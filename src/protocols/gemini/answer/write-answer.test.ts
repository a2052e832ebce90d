import { describe, expect, test } from "bun:test";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Answer, AnswerStatus, CanonEvent, OutputItem } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import type { JsonObject } from "../../fields.ts";
import { toUsage } from "../../usage.ts";
import { readContents } from "../request/read-contents.ts";
import { readGeminiRequest } from "../request/request.ts";
import { GeminiWriter, writeGeminiAnswer } from "./write-answer.ts";

const { limits } = readConfig({});
const OPTIONS = { model: "ours-1.0", echo: {} };
const USAGE = toUsage({ input: 10, output: 6, reasoning: 2 });

function request(includeThoughts: boolean) {
  const body = {
    contents: [{ parts: [{ text: "hi" }] }],
    generationConfig: { thinkingConfig: { includeThoughts } },
  };
  return readGeminiRequest(body, JSON.stringify(body), limits, { model: "m", stream: true });
}

interface Chunk {
  readonly candidates: {
    readonly content?: { readonly role: string; readonly parts: JsonObject[] };
    readonly finishReason?: string;
    readonly groundingMetadata?: JsonObject;
    readonly logprobsResult?: JsonObject;
  }[];
  readonly usageMetadata?: JsonObject;
  readonly modelVersion: string;
  readonly responseId: string;
}

/** The events that make an item, as a reader of any wire tells them. */
function eventsOf(item: OutputItem): CanonEvent[] {
  const done: CanonEvent = { type: "item_done", item };
  if (item.type === "message") {
    const deltas = item.parts.flatMap((part): CanonEvent[] =>
      part.type === "text" ? [{ type: "text", delta: part.text }] : [],
    );
    return [{ type: "item", item: { ...item, parts: [] } }, ...deltas, done];
  }
  if (item.type === "reasoning") {
    const deltas = item.summary.map((delta, part) => ({ type: "summary", delta, part }) as const);
    return [{ type: "item", item: { type: "reasoning", summary: [] } }, ...deltas, done];
  }
  return [{ type: "item", item }, done];
}

const COMPLETED: AnswerStatus = { status: "completed" };

function stream(items: OutputItem[], status = COMPLETED, thoughts = true): Chunk[] {
  const writer = new GeminiWriter(request(thoughts), OPTIONS);
  const events: CanonEvent[] = [
    { type: "begin", id: "r1" },
    ...items.flatMap(eventsOf),
    { type: "end", usage: USAGE, ...status },
  ];
  const text = events.map((event) => writer.write(event)).join("");
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => JSON.parse(event.replace("data: ", "")));
}

function whole(items: OutputItem[], status = COMPLETED, thoughts = true): Chunk {
  const answer: Answer = { id: "r1", items, usage: USAGE, ...status };
  return JSON.parse(JSON.stringify(writeGeminiAnswer(answer, request(thoughts), OPTIONS)));
}

function parts(...chunks: Chunk[]): JsonObject[] {
  return chunks.flatMap(({ candidates }) => candidates[0]?.content?.parts ?? []);
}

const HELLO: OutputItem = {
  type: "message",
  role: "assistant",
  parts: [{ type: "text", text: "Hello" }],
};
const CALL: OutputItem = {
  type: "call",
  callId: "call_1",
  name: "f",
  custom: false,
  arguments: '{"x":1}',
};
const SEALED = seal("messages", { signature: "s" });
const THOUGHT: OutputItem = { type: "reasoning", summary: ["one", "two"], sealed: SEALED };

test("every chunk has a part, our model and the id; the last one the end and the usage", () => {
  const chunks = stream([HELLO]);
  expect(chunks).toHaveLength(2);
  for (const { candidates, modelVersion, responseId } of chunks) {
    expect([modelVersion, responseId]).toEqual(["ours-1.0", "r1"]);
    expect(candidates[0]?.content?.role).toBe("model");
    expect(candidates[0]?.content?.parts).toHaveLength(1);
  }
  expect(chunks.at(-1)?.candidates[0]?.finishReason).toBe("STOP");
  expect(chunks.at(-1)?.usageMetadata).toEqual({
    promptTokenCount: 10,
    candidatesTokenCount: 4,
    thoughtsTokenCount: 2,
    totalTokenCount: 16,
  });
  expect(parts(whole([HELLO]))).toEqual([{ text: "Hello" }]);
});

describe("thoughts", () => {
  test("are parts of their own where the client asked for them", () => {
    const shown = stream([{ type: "reasoning", summary: ["one", "two"] }, HELLO]);
    expect(parts(...shown.slice(0, 2))).toEqual([
      { text: "one", thought: true },
      { text: "\n\ntwo", thought: true },
    ]);
    expect(JSON.stringify(stream([THOUGHT, HELLO], COMPLETED, false))).not.toContain("one");
    expect(JSON.stringify(whole([THOUGHT, HELLO], COMPLETED, false))).not.toContain("one");
  });

  test("that a vendor shows as its thinking are shown as such", () => {
    const writer = new GeminiWriter(request(true), OPTIONS);
    expect(writer.write({ type: "thinking", delta: "hm" })).toContain(
      '{"text":"hm","thought":true}',
    );
  });

  const forms = {
    stream: (items: OutputItem[]) => stream(items),
    whole: (items: OutputItem[]) => [whole(items)],
  };
  test.each(Object.entries(forms))("bring their state back through a client, %s", (_, write) => {
    for (const answer of [[THOUGHT, CALL], [THOUGHT, HELLO], [THOUGHT]]) {
      const contents = write(answer).map(({ candidates }) => candidates[0]?.content);
      const { items } = readContents(contents);
      const summary = ["one\n\ntwo"];
      expect(items[0]).toEqual({ type: "reasoning", summary, sealed: SEALED });
      expect(items.slice(1)).toEqual(answer.slice(1));
    }
  });

  test("give their state to the call behind them, since clients drop thoughts but keep calls", () => {
    for (const written of [parts(...stream([THOUGHT, CALL])), parts(whole([THOUGHT, CALL]))]) {
      const signed = written.filter((part) => part.thoughtSignature);
      expect(signed).toEqual([
        {
          functionCall: { id: "call_1", name: "f", args: { x: 1 } },
          thoughtSignature: Buffer.from(SEALED).toString("base64"),
        },
      ]);
    }
  });

  test("of several kinds in a row keep the state of each", () => {
    const other = seal("messages", { data: "redacted" });
    const chunks = stream([{ type: "reasoning", summary: [], sealed: other }, THOUGHT, CALL]);
    const { items } = readContents(chunks.map(({ candidates }) => candidates[0]?.content));
    expect(items).toMatchObject([{ sealed: other }, { sealed: SEALED }, { type: "call" }]);
  });
});

test("arguments that are no object are wrapped, since the wire has room for nothing else", () => {
  const written = parts(
    whole([
      { ...CALL, arguments: "[1" },
      { ...CALL, arguments: "" },
    ]),
  );
  expect(written).toMatchObject([
    { functionCall: { args: { input: "[1" } } },
    { functionCall: { args: {} } },
  ]);
});

test("refusals are texts", () => {
  const writer = new GeminiWriter(request(false), OPTIONS);
  expect(writer.write({ type: "refusal", delta: "no" })).toContain('{"text":"no"}');
  const refusal = { type: "refusal", text: "no" } as const;
  expect(parts(whole([{ type: "message", role: "assistant", parts: [refusal] }]))).toEqual([
    { text: "no" },
  ]);
});

test.each<[AnswerStatus, string]>([
  [{ status: "completed" }, "STOP"],
  [{ status: "incomplete", reason: "max_output_tokens" }, "MAX_TOKENS"],
  [{ status: "incomplete", reason: "content_filter" }, "SAFETY"],
])("an answer with %j finishes with %s", (status, reason) => {
  expect(stream([HELLO], status).at(-1)?.candidates[0]?.finishReason).toBe(reason);
  expect(whole([HELLO], status).candidates[0]?.finishReason).toBe(reason);
});

test("a prompt that was filtered has a candidate without content", () => {
  const filtered: AnswerStatus = { status: "incomplete", reason: "content_filter" };
  const [only, ...more] = stream([], filtered);
  expect([only?.candidates[0], more]).toEqual([{ index: 0, finishReason: "SAFETY" } as object, []]);
  expect(whole([], filtered).candidates[0]).not.toHaveProperty("content");
});

test("searches and citations are told as grounding, in bytes", () => {
  const search = (query?: string): OutputItem => ({
    type: "search",
    status: "completed",
    ...(query === undefined ? {} : { action: { type: "search", query } }),
  });
  const annotation = {
    type: "url_citation",
    start_index: 7,
    end_index: 11,
    url: "https://a",
    title: "A",
  };
  const text = { type: "text", text: "España ganó", annotations: [annotation] } as const;
  const message: OutputItem = { type: "message", role: "assistant", parts: [text] };
  const items = [search("q"), search("q"), search(), message];
  const expected = {
    webSearchQueries: ["q", "q", "web search"],
    groundingChunks: [{ web: { uri: "https://a", title: "A" } }],
    groundingSupports: [
      { segment: { startIndex: 8, endIndex: 13, text: "ganó" }, groundingChunkIndices: [0] },
    ],
  };
  const chunks = stream(items);
  expect(chunks.at(-1)?.candidates[0]?.groundingMetadata).toEqual(expected);
  expect(chunks[0]?.candidates[0]?.groundingMetadata).toEqual({ webSearchQueries: ["q"] });
  expect(whole(items).candidates[0]?.groundingMetadata).toEqual(expected);
});

test("log probabilities go out in the vendor's words", () => {
  const told = { token: "a", logprob: -1, bytes: [97] };
  const writer = new GeminiWriter(request(false), OPTIONS);
  const logprobs = [{ ...told, top_logprobs: [told] }];
  const chunk = JSON.parse(writer.write({ type: "text", delta: "a", logprobs }).slice(6));
  const expected = {
    chosenCandidates: [{ token: "a", logProbability: -1 }],
    topCandidates: [{ candidates: [{ token: "a", logProbability: -1 }] }],
  };
  expect(chunk.candidates[0].logprobsResult).toEqual(expected);
  const message = { ...HELLO, parts: [{ type: "text", text: "a", logprobs }] } as OutputItem;
  expect(whole([message]).candidates[0]?.logprobsResult).toEqual(expected);
});

test("a failure is the vendor's error object", () => {
  const writer = new GeminiWriter(request(false), OPTIONS);
  const fault = new Fault("upstream_unavailable", "down");
  expect(writer.write({ type: "failed", fault })).toBe(
    'data: {"error":{"code":503,"message":"down","status":"UNAVAILABLE"}}\n\n',
  );
});

test("counts that are known early stand in every chunk from then on", () => {
  const writer = new GeminiWriter(request(false), OPTIONS);
  writer.write({ type: "usage", usage: USAGE });
  expect(writer.write({ type: "text", delta: "a" })).toContain('"promptTokenCount":10');
});
