import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { given } from "../../../../test/support/clients/given.ts";
import { count } from "../../../../test/support/counts.ts";
import { Fault } from "../../../lib/faults.ts";
import type { AnswerStatus, CanonEvent, OutputItem, ReasoningItem } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { NO_USAGE } from "../../usage.ts";
import { ChatReader } from "./read-stream.ts";
import { ChatStream } from "./stream.ts";
import { ChatWriter } from "./write-stream.ts";

const OPTIONS = { model: "ours-1.0", echo: {} };
const USAGE = { ...NO_USAGE, fresh: 7, output: 3, cacheWriteLong: 2 };
const BEGIN: CanonEvent = { type: "begin", id: "msg_1" };
const END: CanonEvent = { type: "end", usage: USAGE, status: "completed" };
const MESSAGE: OutputItem = { type: "message", role: "assistant", parts: [] };
const THOUGHT: ReasoningItem = { type: "reasoning", summary: [] };

const opened = (item: OutputItem): CanonEvent => ({ type: "item", item });
const done = (item: OutputItem): CanonEvent => ({ type: "item_done", item });
const say = (delta: string): CanonEvent => ({ type: "text", delta });
const argue = (delta: string): CanonEvent => ({ type: "arguments", delta });
const call = (callId: string, more = {}) => ({
  ...({ type: "call", callId, name: "f", custom: false, arguments: "" } as const),
  ...more,
});

function write(...events: CanonEvent[]): string {
  const writer = new ChatWriter(OPTIONS);
  return events.map((event) => writer.write(event)).join("");
}

function chunksOf(text: string) {
  const events = text.split("\n\n").filter((event) => event !== "");
  expect(events.at(-1)).toBe("data: [DONE]");
  return events.slice(0, -1).map((event) => JSON.parse(event.slice("data: ".length)));
}

const deltas = (...events: CanonEvent[]) =>
  chunksOf(write(BEGIN, ...events, END))
    .flatMap(({ choices }) => choices)
    .slice(1, -1)
    .map(({ delta }) => delta);

const finish = (ending: AnswerStatus, ...events: CanonEvent[]) =>
  chunksOf(write(BEGIN, ...events, { type: "end", usage: undefined, ...ending })).at(-1).choices[0]
    .finish_reason;

describe("chunks for a client of this wire", () => {
  test("are of one answer: role first, then text, the finish, the usage and the marker", () => {
    const text = write(BEGIN, opened(MESSAGE), say("a"), say("b"), done(MESSAGE), END);
    const chunks = chunksOf(text);
    const heads = chunks.map(({ choices: _, usage: __, ...head }) => JSON.stringify(head));
    expect(new Set(heads).size).toBe(1);
    expect(chunks[0]).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: "chat.completion.chunk",
      model: "ours-1.0",
      created: expect.any(Number),
    });
    const choice = (delta: object, finish_reason: string | null = null) => [
      { index: 0, delta, logprobs: null, finish_reason },
    ];
    expect(chunks.map(({ choices }) => choices)).toEqual([
      choice({ role: "assistant", content: "", refusal: null }),
      choice({ content: "a" }),
      choice({ content: "b" }),
      choice({}, "stop"),
      [],
    ]);
    expect(chunks.at(-1).usage).toEqual({
      prompt_tokens: 9,
      completion_tokens: 3,
      total_tokens: 12,
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 0 },
    });
  });

  test("carry parallel calls by their number", () => {
    const second = call("c2", { name: "g", namespace: "box", arguments: "{}" });
    expect(
      deltas(
        opened(call("c1")),
        argue('{"a"'),
        argue(":1}"),
        done(call("c1", { arguments: '{"a":1}' })),
        opened({ ...second, arguments: "" }),
        done(second),
      ).map(({ tool_calls }) => tool_calls[0]),
    ).toEqual([
      { index: 0, id: "c1", type: "function", function: { name: "f", arguments: "" } },
      { index: 0, function: { arguments: '{"a"' } },
      { index: 0, function: { arguments: ":1}" } },
      { index: 1, id: "c2", type: "function", function: { name: "box__g", arguments: "" } },
      { index: 1, function: { arguments: "{}" } },
    ]);
  });

  test("carry free text as a custom call", () => {
    const item = call("c1", { custom: true });
    expect(deltas(opened(item), argue("free"), done({ ...item, arguments: "free" }))).toEqual([
      { tool_calls: [{ index: 0, id: "c1", type: "custom", custom: { name: "f", input: "" } }] },
      { tool_calls: [{ index: 0, custom: { input: "free" } }] },
    ]);
  });

  test("carry thinking, its parts and items apart", () => {
    const summary = (delta: string, part: number): CanonEvent => ({ type: "summary", delta, part });
    const found = deltas(
      opened(THOUGHT),
      ...[summary("a", 0), summary("b", 0), summary("c", 1)],
      done(THOUGHT),
      opened(THOUGHT),
      { type: "thinking", delta: "d" },
      done(THOUGHT),
    );
    expect(found.map((delta) => delta.reasoning_content)).toEqual(["a", "b", "\n\nc", "\n\nd"]);
  });

  test("carry the state of all thoughts in one piece before the end", () => {
    const sealed = [seal("messages", { signature: "a" }), "vendor's own"];
    const found = deltas(
      ...sealed.flatMap((text) => [opened(THOUGHT), done({ ...THOUGHT, sealed: text })]),
      opened(MESSAGE),
      say("yes"),
      done(MESSAGE),
    );
    expect(found).toEqual([
      { content: "yes" },
      { reasoning_details: sealed.map((data) => ({ type: "reasoning.encrypted", data })) },
    ]);
  });

  test("carry Gemini's signature on the call it belongs to, and on no other", () => {
    const sealed = seal("gemini", { signature: "sig", call: "c1" });
    const found = deltas(
      ...[opened(THOUGHT), done({ ...THOUGHT, sealed })],
      ...[opened(call("c1")), done(call("c1"))],
      ...[opened(call("c2")), done(call("c2"))],
    );
    const calls = found.flatMap(({ tool_calls }) => tool_calls ?? []).filter(({ id }) => id);
    expect(calls.map(({ extra_content }) => extra_content)).toEqual([
      { google: { thought_signature: "sig" } },
      undefined,
    ]);
  });

  test("carry refusals, log probabilities and sources", () => {
    const token = { token: "b", logprob: -1 };
    const flat = { type: "url_citation", url: "https://a.test", title: "t" };
    const place = { start_index: 0, end_index: 1 };
    const text = write(
      BEGIN,
      ...[opened(MESSAGE), say("aa"), done(MESSAGE)],
      ...[opened(MESSAGE), { type: "text", delta: "b", logprobs: [token] } as const],
      { type: "annotation", annotation: { ...flat, ...place } },
      { type: "annotation", annotation: { type: "file_citation" } },
      { type: "refusal", delta: "no" },
      done(MESSAGE),
      END,
    );
    const choices = chunksOf(text).flatMap((chunk) => chunk.choices);
    expect(choices[2].logprobs).toEqual({ content: [token], refusal: null });
    const { type, ...rest } = flat;
    expect(choices[3].delta.annotations).toEqual([
      // Its place is told for the text of the whole answer.
      { type, url_citation: { ...rest, start_index: 2, end_index: 3 } },
    ]);
    expect(choices[4].delta).toEqual({ refusal: "no" });
  });

  test("searches and early counts are not told", () => {
    const search: OutputItem = { type: "search", status: "completed" };
    expect(write(opened(search), done(search), { type: "usage", usage: USAGE })).toBe("");
  });

  test("end with the reason that agents go by", () => {
    const called = [opened(call("c1")), done(call("c1"))];
    expect(finish({ status: "completed" })).toBe("stop");
    expect(finish({ status: "completed" }, ...called)).toBe("tool_calls");
    expect(finish({ status: "incomplete", reason: "max_output_tokens" }, ...called)).toBe("length");
    expect(finish({ status: "incomplete", reason: "content_filter" })).toBe("content_filter");
  });

  test("a failure is an error frame without the end marker", () => {
    const fault = new Fault("upstream_unavailable", "gone");
    expect(write({ type: "failed", fault })).toBe(
      `data: ${JSON.stringify({ error: fault.toJson() })}\n\n`,
    );
  });
});

/** A whole item and the events that tell it. */
type Report = { readonly item: OutputItem; readonly events: CanonEvent[] };

function told(item: OutputItem, empty: OutputItem, deltas: CanonEvent[]): Report {
  return { item, events: [opened(empty), ...deltas, done(item)] };
}

const words = fc.string({ minLength: 1 }).filter((text) => text.trim() !== "");
const message = fc.array(words, { minLength: 1, maxLength: 3 }).map((texts) => {
  const text = texts.join("");
  return told(
    { ...MESSAGE, parts: [{ type: "text", text }] } as OutputItem,
    MESSAGE,
    texts.map(say),
  );
});
const thought = words.map((text) =>
  told({ ...THOUGHT, text }, THOUGHT, [{ type: "thinking", delta: text }]),
);
const tool = fc.jsonValue().map((value) => {
  const item = call(`c${JSON.stringify(value).length}`, { arguments: JSON.stringify({ value }) });
  return told(item, { ...item, arguments: "" }, [argue(item.arguments)]);
});

describe("what was written", () => {
  test("reads back as the events it was written from", () => {
    const answer = fc.tuple(
      fc.option(thought, { nil: undefined }),
      fc.option(message, { nil: undefined }),
      fc.uniqueArray(tool, {
        selector: ({ item }) => item.type === "call" && item.callId,
        maxLength: 3,
      }),
    );
    fc.assert(
      fc.property(answer, ([first, second, tools]) => {
        const items = [first, second, ...tools].filter(
          (each): each is Report => each !== undefined,
        );
        const text = write(BEGIN, ...items.flatMap(({ events }) => events), END);
        const reader = new ChatReader();
        const events = [...reader.push(Buffer.from(text)), ...reader.close()];
        expect(events.flatMap((each) => (each.type === "item_done" ? [each.item] : []))).toEqual(
          items.map(({ item }) => item),
        );
        expect(events.at(-1)).toMatchObject({ type: "end", usage: { output: 3 } });
      }),
      { numRuns: count(60, 200) },
    );
  });

  test("passes our own stream of the wire, metered and without its usage", () => {
    const stream = new ChatStream(OPTIONS, false);
    const text = write(BEGIN, opened(MESSAGE), say("four"), say("more"), done(MESSAGE), END);
    const out = given(stream.push(Buffer.from(text))).toString();
    expect(out).toBe(text.slice(0, text.lastIndexOf("data: {")));
    expect([stream.ended, stream.outputTokens]).toEqual([true, 2]);
    expect(stream.usage).toMatchObject({ fresh: 7, cacheWrite: 2, output: 3 });
  });
});
