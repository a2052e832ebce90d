import { describe, expect, test } from "bun:test";
import { readText } from "../../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import type { CanonEvent, Item, OutputItem } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import { isObject, type JsonObject } from "../../fields.ts";
import { Results } from "../../results.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import type { ClientRequest } from "../../wire.ts";
import { messagesWire } from "../wire.ts";

const wire = messagesWire(readConfig({}).limits);
const OPTIONS = { model: "ours-1.0", echo: {} };
const REQUEST = {} as ClientRequest;
const USAGE: Usage = { ...NO_USAGE, fresh: 4, cacheRead: 3, output: 5, reasoning: 1 };

/** The events that a stream of these items has, each told in its deltas or only when it is done. */
function eventsOf(items: readonly OutputItem[], told = true): CanonEvent[] {
  return items.flatMap((item): CanonEvent[] => {
    const deltas: CanonEvent[] = [];
    let empty = item;
    if (item.type === "message") {
      empty = { ...item, parts: [] };
      for (const part of item.parts) {
        if (part.type === "text") deltas.push({ type: "text", delta: part.text });
        if (part.type === "refusal") deltas.push({ type: "refusal", delta: part.text });
      }
    } else if (item.type === "reasoning") {
      empty = { type: "reasoning", summary: [] };
      item.summary.forEach((delta, part) => {
        deltas.push({ type: "summary", delta, part });
      });
    } else if (item.type === "call") {
      empty = { ...item, arguments: "" };
      deltas.push({ type: "arguments", delta: item.arguments });
    }
    return [{ type: "item", item: empty }, ...(told ? deltas : []), { type: "item_done", item }];
  });
}

function write(events: readonly CanonEvent[]): JsonObject[] {
  const writer = wire.openWriter(REQUEST, OPTIONS);
  const text = events.map((event) => writer.write(event)).join("");
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const [name, data] = event.split("\n");
      const parsed = JSON.parse(data?.replace("data: ", "") ?? "");
      expect(name).toBe(`event: ${parsed.type}`);
      return parsed;
    });
}

/** What the vendor's stream would be read as, if it were one. */
function readBack(events: readonly CanonEvent[]): CanonEvent[] {
  const writer = wire.openWriter(REQUEST, OPTIONS);
  const reader = wire.openReader();
  const text = events.map((event) => writer.write(event)).join("");
  return [...reader.push(Buffer.from(text)), ...reader.close()];
}

/** What a client's next request makes of a thought, with the signature that it was given. */
function sentBack(thinking: string, delta: unknown): readonly Item[] {
  const { signature } = delta as JsonObject;
  const content = [{ type: "thinking", thinking, signature }];
  const body = { model: "m", max_tokens: 5, messages: [{ role: "assistant", content }] };
  return wire.readConversation(wire.readRequest(body, JSON.stringify(body))).items;
}

const SEALED = seal("gemini", { signature: "g" });
const TEXT: OutputItem = {
  type: "message",
  role: "assistant",
  parts: [{ type: "text", text: "hi" }],
};
const CALL: OutputItem = {
  type: "call",
  callId: "c1",
  name: "f",
  custom: false,
  arguments: '{"a":1}',
};
const THOUGHT: OutputItem = { type: "reasoning", summary: ["one", "two"], sealed: SEALED };
const BEGIN: CanonEvent = { type: "begin", id: "resp_1" };
const END: CanonEvent = { type: "end", status: "completed", usage: USAGE };

describe("an answer as a stream of this wire", () => {
  test("has blocks one after the other, each opened, filled and closed", () => {
    const events = write([BEGIN, ...eventsOf([THOUGHT, TEXT, CALL]), END]);
    expect(events.map(({ type, index }) => [type, index])).toEqual([
      ["message_start", undefined],
      ["content_block_start", 0],
      ["content_block_delta", 0],
      ["content_block_delta", 0],
      ["content_block_delta", 0],
      ["content_block_stop", 0],
      ["content_block_start", 1],
      ["content_block_delta", 1],
      ["content_block_stop", 1],
      ["content_block_start", 2],
      ["content_block_delta", 2],
      ["content_block_stop", 2],
      ["message_delta", undefined],
      ["message_stop", undefined],
    ]);
    const [start, , first, second, signature] = events;
    expect(start?.message).toMatchObject({ model: "ours-1.0", role: "assistant", content: [] });
    expect(start).toMatchObject({ message: { id: expect.stringMatching(/^msg_/) } });
    expect(first?.delta).toEqual({ type: "thinking_delta", thinking: "one" });
    expect(second?.delta).toEqual({ type: "thinking_delta", thinking: "\n\ntwo" });
    expect(signature?.delta).toEqual({ type: "signature_delta", signature: SEALED });
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "tool_use", stop_sequence: null },
      usage: { input_tokens: 4, cache_read_input_tokens: 3, output_tokens: 5 },
    });
  });

  test("says the same whether items come in deltas or only when they are done", () => {
    const items = [THOUGHT, TEXT, CALL];
    const done = (told: boolean) =>
      readBack([BEGIN, ...eventsOf(items, told), END]).filter(
        ({ type }) => type === "item_done" || type === "end",
      );
    expect(done(false)).toEqual(done(true));
    expect(done(true)).toHaveLength(4);
  });

  test("says nothing of what is empty or has no words here", () => {
    const empty: OutputItem[] = [
      { type: "message", role: "assistant", parts: [] },
      { type: "reasoning", summary: [] },
      { type: "foreign", raw: { type: "shell_call" } },
    ];
    const events = write([BEGIN, ...eventsOf(empty), END]);
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "message_delta",
      "message_stop",
    ]);
    expect(events[1]).toMatchObject({ delta: { stop_reason: "end_turn" } });
  });

  test("has a signature for every thought, also for one that is only sealed or has none", () => {
    const blank = write([
      BEGIN,
      ...eventsOf([{ type: "reasoning", summary: [], sealed: SEALED }]),
      END,
    ]);
    expect(blank[2]?.delta).toEqual({ type: "signature_delta", signature: SEALED });
    const unsigned = write([BEGIN, ...eventsOf([{ type: "reasoning", summary: ["a"] }]), END]);
    expect(sentBack("a", unsigned[3]?.delta)).toEqual([{ type: "reasoning", summary: ["a"] }]);
  });

  test("brings a vendor's bare secret back as it was", () => {
    const items = eventsOf([{ type: "reasoning", summary: ["a"], sealed: "gAAAA-bare" }]);
    const events = write([BEGIN, ...items, END]);
    expect(sentBack("a", events[3]?.delta)).toMatchObject([{ sealed: "gAAAA-bare" }]);
  });

  test("tells a search in two blocks, and sources beside the text", () => {
    const search: OutputItem = {
      type: "search",
      status: "completed",
      action: { type: "search", query: "q", sources: [{ type: "url", url: "https://a.test" }] },
    };
    const annotation = { type: "url_citation", url: "https://a.test", title: "A" };
    const text: CanonEvent[] = [
      { type: "item", item: { ...TEXT, parts: [] } },
      { type: "text", delta: "hi" },
      { type: "annotation", annotation },
      { type: "item_done", item: TEXT },
    ];
    const events = readBack([BEGIN, ...eventsOf([search]), ...text, END]);
    const [found, said] = events.flatMap((event) =>
      event.type === "item_done" ? [event.item] : [],
    );
    expect(found).toMatchObject({ type: "search", status: "completed", action: search.action });
    expect(said).toMatchObject({ parts: [{ text: "hi", annotations: [annotation] }] });
  });

  test.each([
    [{ status: "incomplete", reason: "max_output_tokens" }, "max_tokens"],
    [{ status: "incomplete", reason: "content_filter" }, "refusal"],
    [{ status: "completed", stopSequence: "END" }, "stop_sequence"],
    [{ status: "completed" }, "end_turn"],
  ] as const)("that ended as %p stops for %s", (status, stop_reason) => {
    const events = write([
      BEGIN,
      ...eventsOf([TEXT]),
      { type: "end", usage: undefined, ...status },
    ]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason } });
    expect(events.at(-2)).not.toHaveProperty("usage");
    const answer = { id: undefined, items: [TEXT], usage: undefined, ...status };
    expect(wire.writeAnswer(answer, REQUEST, OPTIONS)).toMatchObject({ stop_reason });
  });

  test("free text is JSON once it is whole", () => {
    const custom: OutputItem = { ...CALL, custom: true, arguments: 'a "b"' };
    const events = write([BEGIN, ...eventsOf([custom]), END]);
    expect(events[2]?.delta).toEqual({
      type: "input_json_delta",
      partial_json: '{"input":"a \\"b\\""}',
    });
  });

  test("begins by itself and tells a failure", () => {
    expect(write(eventsOf([TEXT]))[0]?.type).toBe("message_start");
    const fault = new Fault("upstream_unavailable", "gone");
    expect(write([{ type: "failed", fault }])).toEqual([
      { type: "error", error: { type: "overloaded_error", message: "gone" } },
    ]);
  });
});

test("a whole answer is read as it was written", () => {
  const items = [THOUGHT, TEXT, CALL];
  const answer = { id: "msg_kept", items, usage: USAGE, status: "completed" } as const;
  const text = JSON.stringify(wire.writeAnswer(answer, REQUEST, OPTIONS));
  expect(JSON.parse(text)).toMatchObject({ id: "msg_kept", type: "message", model: "ours-1.0" });
  expect(JSON.parse(text).content).toEqual([
    { type: "thinking", thinking: "one\n\ntwo", signature: SEALED },
    { type: "text", text: "hi" },
    { type: "tool_use", id: "c1", name: "f", input: { a: 1 } },
  ]);
  const result = readText(wire.readResult, text);
  expect(result.usage).toEqual(USAGE);
  expect(wire.readAnswer(JSON.parse(text)).items.slice(1)).toEqual([TEXT, CALL]);
});

describe("calls of another wire's vendor", () => {
  const FOREIGN = [
    "functions.Bash:0",
    "functions_Bash_0",
    "functions.Bash:0",
    "call_1",
    "call_1",
    "",
  ];
  const CALLS = FOREIGN.map((callId): OutputItem => ({ ...CALL, callId }));
  const whole = { id: "m", items: CALLS, usage: USAGE, status: "completed" } as const;
  const WRITTEN = {
    whole: () => wire.writeAnswer(whole, REQUEST, OPTIONS).content as JsonObject[],
    streamed: () =>
      write([BEGIN, ...eventsOf(CALLS), END]).flatMap(({ content_block: block }) =>
        isObject(block) ? [block] : [],
      ),
  };

  test.each(["whole", "streamed"] as const)(
    "have ids that this wire's vendors take, each its own, when they come %s",
    (form) => {
      const ids = WRITTEN[form]().map(({ id }) => String(id));
      for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
      expect(new Set(ids).size).toBe(FOREIGN.length);
      // What such a vendor takes stays what it was.
      expect([ids[1], ids[3]]).toEqual(["functions_Bash_0", "call_1"]);
      // Vendors number anew in each answer, and the answers of a conversation stand in one history.
      expect(WRITTEN[form]()[0]?.id).not.toBe(ids[0]);
    },
  );

  test.each(["whole", "streamed"] as const)("find their results again, sent back %s", (form) => {
    const content = WRITTEN[form]();
    const results = content.map(({ id }, i) => ({
      type: "tool_result",
      tool_use_id: id,
      content: `result ${i}`,
    }));
    const messages = [
      { role: "assistant", content },
      { role: "user", content: results },
    ];
    const body = { model: "m", max_tokens: 5, messages };
    const { items } = wire.readConversation(wire.readRequest(body, JSON.stringify(body)));
    const found = new Results(items);
    const told = items.flatMap((item) => (item.type === "call" ? [found.take(item.callId)] : []));
    expect(told.map((result) => result?.parts)).toEqual(
      FOREIGN.map((_, i) => [{ type: "text", text: `result ${i}` }]),
    );
  });
});
