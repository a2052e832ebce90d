import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { framesOf, type Json, jsonOf } from "../../../../test/conformance/frames.ts";
import { lifecycleProblems } from "../../../../test/conformance/lifecycle.ts";
import { snapshotShape } from "../../../../test/conformance/snapshot.ts";
import { given } from "../../../../test/support/clients/given.ts";
import { count } from "../../../../test/support/counts.ts";
import { readText, textOf } from "../../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { Answer, CanonEvent, OutputItem } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { NO_USAGE } from "../../usage.ts";
import { responsesWire } from "../wire.ts";

const wire = responsesWire(readConfig({}).limits);
const OPTIONS = { model: "ours-1.0", echo: { store: "false", previous_response_id: "null" } };
const USAGE = { ...NO_USAGE, fresh: 20, cacheRead: 10, cacheWrite: 5, output: 7, reasoning: 2 };
const END = { cost: undefined, usage: NO_USAGE, echo: {} };

function request(members: object = {}) {
  const body = { model: "ours-1.0", input: "hi", stream: true, ...members };
  return wire.readRequest(body, JSON.stringify(body));
}

/** What the client gets: written as a vendor would, then passed on as a vendor's. */
function relay(events: readonly CanonEvent[], members: object = {}) {
  const asked = request(members);
  const writer = wire.openWriter(asked, OPTIONS);
  const pass = wire.openStream(asked, OPTIONS);
  let text = "";
  for (const event of events) {
    const written = writer.write(event);
    if (written !== "") text += given(pass.push(Buffer.from(written)));
  }
  if (pass.ended) text += given(pass.finish(END));
  return { text, pass, frames: text === "" ? [] : framesOf(text) };
}

const SOURCE = { type: "url_citation", url: "https://example.com", title: "t" };
const sealed = seal("messages", { signature: "s" });

/** Every kind of item with its deltas. */
const EVENTS: CanonEvent[] = [
  { type: "begin", id: "chatcmpl-1" },
  { type: "item", item: { type: "reasoning", summary: [] } },
  { type: "summary", delta: "Thi", part: 0 },
  { type: "summary", delta: "nk", part: 0 },
  { type: "summary", delta: "More", part: 1 },
  { type: "item_done", item: { type: "reasoning", summary: ["Think", "More"], sealed } },
  { type: "item", item: { type: "search", status: "in_progress" } },
  {
    type: "item_done",
    item: { type: "search", status: "completed", action: { type: "search", query: "q" } },
  },
  { type: "item", item: { type: "message", role: "assistant", parts: [] } },
  { type: "text", delta: 'Say "h' },
  { type: "text", delta: "" },
  { type: "text", delta: 'i"\n你好', logprobs: [{ token: "i" }] },
  { type: "annotation", annotation: SOURCE },
  {
    type: "item_done",
    item: {
      type: "message",
      role: "assistant",
      parts: [{ type: "text", text: 'Say "hi"\n你好', annotations: [SOURCE] }],
    },
  },
  ...call({ callId: "c1", name: "f", custom: false, arguments: '{"a":1}' }),
  ...call({ callId: "c2", name: "g", namespace: "ns", custom: false, arguments: "" }),
  ...call({ callId: "c3", name: "patch", custom: true, arguments: "*** begin" }),
  { type: "usage", usage: NO_USAGE },
  { type: "end", status: "completed", usage: USAGE },
];

function call(item: Omit<Extract<OutputItem, { type: "call" }>, "type">): CanonEvent[] {
  const whole = { type: "call", ...item } as const;
  return [
    { type: "item", item: { ...whole, arguments: "" } },
    { type: "arguments", delta: item.arguments.slice(0, 3) },
    { type: "arguments", delta: item.arguments.slice(3) },
    { type: "item_done", item: whole },
  ];
}

const finalOf = (frames: ReturnType<typeof framesOf>) => jsonOf(frames).at(-1)?.response as Json;
const withoutIds = (items: unknown) =>
  JSON.parse(JSON.stringify(items), (name, value) => (name === "id" ? undefined : value));

describe("an answer of another wire as a Responses stream", () => {
  const { frames, pass } = relay(EVENTS);

  test("has the whole lifecycle, each event in its turn", () => {
    expect(lifecycleProblems(frames)).toEqual([]);
  });

  test("begins at once, before any item", () => {
    const first = relay(EVENTS.slice(0, 1)).frames;
    expect(first.map(({ event }) => event)).toEqual(["response.created", "response.in_progress"]);
  });

  test("ends with the whole output in this wire's words", () => {
    const final = finalOf(frames);
    expect(withoutIds(final.output)).toEqual([
      {
        type: "reasoning",
        summary: [
          { type: "summary_text", text: "Think" },
          { type: "summary_text", text: "More" },
        ],
        encrypted_content: sealed,
      },
      { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } },
      {
        type: "message",
        status: "completed",
        content: [
          {
            type: "output_text",
            annotations: [SOURCE],
            logprobs: [{ token: "i" }],
            text: 'Say "hi"\n你好',
          },
        ],
        role: "assistant",
      },
      {
        type: "function_call",
        status: "completed",
        arguments: '{"a":1}',
        call_id: "c1",
        name: "f",
      },
      {
        type: "function_call",
        status: "completed",
        arguments: "{}",
        call_id: "c2",
        name: "g",
        namespace: "ns",
      },
      {
        type: "custom_tool_call",
        status: "completed",
        input: "*** begin",
        call_id: "c3",
        name: "patch",
      },
    ]);
    const prefixes = (final.output as Json[]).map(({ id }) => String(id).split("_")[0]);
    expect(prefixes).toEqual(["rs", "ws", "msg", "fc", "fc", "ctc"]);
  });

  test("is counted by the wire's own meter", () => {
    expect(pass.usage).toEqual({ ...USAGE, webSearches: 1 });
    expect(pass.webSearches).toBe(1);
    expect(pass.outputTokens).toBeGreaterThan(5);
    expect(pass.id).toStartWith("resp_");
  });

  test("keeps a long-lived cache apart in its counts", () => {
    const usage = { ...USAGE, cacheWriteLong: 3 };
    const end: CanonEvent = { type: "end", status: "completed", usage };
    expect(relay([{ type: "begin", id: undefined }, end]).pass.usage).toEqual(usage);
  });

  test("echoes the request, every member that the wire requires among it", () => {
    const tools = [{ type: "function", name: "f" }];
    const text = { format: { type: "json_object" } };
    const echoed = finalOf(
      relay(EVENTS, { tools, text, temperature: 0.5, metadata: { a: "b" }, user: "u" }).frames,
    );
    expect(snapshotShape.safeParse(echoed).error).toBeUndefined();
    expect(echoed).toMatchObject({
      text,
      temperature: 0.5,
      metadata: { a: "b" },
      user: "u",
      tools: [{ type: "function", name: "f", description: null, parameters: null, strict: null }],
    });
    const plain = finalOf(frames);
    expect(snapshotShape.safeParse(plain).error).toBeUndefined();
    expect(plain).not.toHaveProperty("user");
  });

  test("reads back as the answer that it was", () => {
    const reader = wire.openReader();
    const writer = wire.openWriter(request(), OPTIONS);
    const back = EVENTS.flatMap((event) => [...reader.push(Buffer.from(writer.write(event)))]);
    const shape = (events: readonly CanonEvent[]) =>
      events.flatMap((e) => (e.type === "item_done" && e.item.type !== "search" ? e.item : []));
    const given = shape(EVENTS).map((item) =>
      item.type === "call" && item.name === "g" ? { ...item, arguments: "{}" } : item,
    );
    expect(shape(back).slice(1)).toMatchObject(given.slice(1));
    const usage = { ...USAGE, webSearches: 1 };
    expect(back.at(-1)).toEqual({ type: "end", status: "completed", usage });
  });
});

describe("what other wires' readers leave out or repeat", () => {
  const begin: CanonEvent = { type: "begin", id: undefined };
  const end: CanonEvent = { type: "end", status: "completed", usage: undefined };

  test("items without deltas are told by their end", () => {
    const whole = EVENTS.filter(({ type }) => ["begin", "item", "item_done", "end"].includes(type));
    const { frames } = relay(whole);
    expect(lifecycleProblems(frames)).toEqual([]);
    const output = withoutIds(finalOf(frames).output);
    expect(JSON.stringify(output)).toBe(
      JSON.stringify(withoutIds(finalOf(relay(EVENTS).frames).output)).replace('{"token":"i"}', ""),
    );
  });

  test("raw thinking is shown as a summary", () => {
    const item = { type: "reasoning", summary: [] } as const;
    const { frames } = relay([
      begin,
      { type: "item", item },
      { type: "thinking", delta: "so" },
      { type: "item_done", item: { ...item, text: "so" } },
      end,
    ]);
    expect(lifecycleProblems(frames)).toEqual([]);
    expect(withoutIds(finalOf(frames).output)).toEqual([
      { type: "reasoning", summary: [{ type: "summary_text", text: "so" }] },
    ]);
  });

  test("calls of one id, or of none, get ids of their own", () => {
    const same = (callId: string) => call({ callId, name: "f", custom: false, arguments: "{}" });
    const { frames } = relay([begin, ...same("0"), ...same("0"), ...same(""), end]);
    expect(lifecycleProblems(frames)).toEqual([]);
    const ids = (finalOf(frames).output as Json[]).map((item) => item.call_id);
    expect(ids[0]).toBe("0");
    expect(new Set(ids).size).toBe(3);
  });

  test("a search that failed is not counted as one", () => {
    const item = { type: "search", status: "in_progress" } as const;
    const { frames, pass } = relay([
      begin,
      { type: "item", item },
      { type: "item_done", item: { ...item, status: "failed" } },
      end,
    ]);
    expect(finalOf(frames).output).toMatchObject([{ status: "failed" }]);
    expect(pass.webSearches).toBe(0);
  });

  test("an event outside of its item is our own bug", () => {
    expect(() => relay([begin, { type: "text", delta: "x" }])).toThrow();
  });
});

describe("answers that do not end well", () => {
  const open = EVENTS.slice(8, 10);

  test.each(["max_output_tokens", "content_filter"] as const)("early by %s", (reason) => {
    const parts = [{ type: "text" as const, text: 'Say "h' }];
    const item: OutputItem = { type: "message", role: "assistant", parts };
    for (const done of [[], [{ type: "item_done" as const, item }]]) {
      const end: CanonEvent = { type: "end", status: "incomplete", reason, usage: USAGE };
      const { frames } = relay([...EVENTS.slice(0, 6), ...open, ...done, end]);
      expect(lifecycleProblems(frames)).toEqual([]);
      expect(finalOf(frames)).toMatchObject({
        status: "incomplete",
        incomplete_details: { reason },
        completed_at: null,
        output: [{ type: "reasoning" }, { type: "message", status: "incomplete" }],
      });
    }
  });

  test("a refusal is one for who asked for a schema, and a text for others", () => {
    const parts = [{ type: "refusal" as const, text: "I will not." }];
    const item: OutputItem = { type: "message", role: "assistant", parts };
    const events: CanonEvent[] = [
      { type: "begin", id: undefined },
      { type: "item", item: { ...item, parts: [] } },
      { type: "refusal", delta: "I will" },
      { type: "refusal", delta: " not." },
      { type: "item_done", item },
      { type: "end", status: "completed", usage: USAGE },
    ];
    const plain = relay(events);
    expect(lifecycleProblems(plain.frames)).toEqual([]);
    expect(finalOf(plain.frames).output_text).toBe("I will not.");
    const format = { type: "json_schema", name: "n", schema: {} };
    const strict = relay(events, { text: { format } }).frames;
    expect(finalOf(strict).output).toMatchObject([
      { content: [{ type: "refusal", refusal: "I will not." }] },
    ]);
    expect(strict.map(({ event }) => event).slice(3, 8)).toEqual([
      "response.content_part.added",
      "response.refusal.delta",
      "response.refusal.delta",
      "response.refusal.done",
      "response.content_part.done",
    ]);
  });

  test("a failure reaches the wire's own pass, with its cause and its counts", () => {
    const fault = new Fault("upstream_rejected", "bad image", { param: "input" });
    const { pass } = relay([...EVENTS.slice(0, 2), { type: "failed", fault, usage: USAGE }]);
    expect([pass.ended, pass.failure?.status, pass.failure?.message]).toEqual([
      false,
      400,
      "bad image",
    ]);
    expect(pass.usage).toMatchObject({ fresh: 20 });
    const first = relay([{ type: "failed", fault: new Fault("upstream_unavailable", "gone") }]);
    expect([first.text, first.pass.started, first.pass.failure?.status]).toEqual(["", false, 503]);
  });
});

describe("a whole answer of another wire", () => {
  const items = EVENTS.flatMap((event) => (event.type === "item_done" ? event.item : []));
  const answer: Answer = { id: "x", items, usage: USAGE, status: "completed" };
  const write = (changes: Partial<Answer> = {}) =>
    readText(
      wire.readResult,
      JSON.stringify(wire.writeAnswer({ ...answer, ...changes }, request(), OPTIONS)),
    );

  test("is what its stream ends with", () => {
    const result = write();
    const body = JSON.parse(textOf(result.write(OPTIONS, END)));
    expect(snapshotShape.safeParse(body).error).toBeUndefined();
    const streamed = finalOf(
      relay(EVENTS.filter(({ type }) => !["text", "annotation"].includes(type))).frames,
    );
    expect(withoutIds(body.output)).toEqual(withoutIds(streamed.output));
    expect(result.usage).toEqual({ ...USAGE, webSearches: 1 });
  });

  test("stops early in its last item", () => {
    const cut = write({ status: "incomplete", reason: "max_output_tokens" }).body;
    expect(cut).toMatchObject({ incomplete_details: { reason: "max_output_tokens" } });
    expect((cut.output as Json[]).map(({ status }) => status)).toEqual([
      undefined,
      "completed",
      "completed",
      "completed",
      "completed",
      "incomplete",
    ]);
  });

  test("fails with its cause", () => {
    const failure = new Fault("context_length_exceeded", "too long");
    const result = write({ failure });
    expect(result.failure?.code).toBe("context_length_exceeded");
    expect(result.usage).toMatchObject({ fresh: 20 });
  });
});

test("any answer in any pieces has a sound lifecycle", () => {
  const word = fc.string({ minLength: 1, maxLength: 8 });
  const words = fc.array(word, { maxLength: 4 });
  const message = words.map((list): CanonEvent[] => [
    { type: "item", item: { type: "message", role: "assistant", parts: [] } },
    ...list.map((delta) => ({ type: "text" as const, delta })),
    {
      type: "item_done",
      item: { type: "message", role: "assistant", parts: [{ type: "text", text: list.join("") }] },
    },
  ]);
  const tool = fc
    .record({ name: word, custom: fc.boolean(), arguments: word })
    .map((item) => call({ ...item, callId: "" }));
  const thought = words.map((list): CanonEvent[] => [
    { type: "item", item: { type: "reasoning", summary: [] } },
    ...list.map((delta, part) => ({ type: "summary" as const, delta, part })),
    { type: "item_done", item: { type: "reasoning", summary: list } },
  ]);
  const items = fc.array(fc.oneof(message, tool, thought), { maxLength: 6 });
  fc.assert(
    fc.property(items, fc.constantFrom("completed", "incomplete"), (list, status) => {
      const end: CanonEvent = { type: "end", status, usage: undefined };
      const { frames } = relay([{ type: "begin", id: undefined }, ...list.flat(), end]);
      expect(lifecycleProblems(frames)).toEqual([]);
    }),
    { numRuns: count(60, 200) },
  );
});
