import { describe, expect, test } from "bun:test";
import { readText } from "../../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../../config/config.ts";
import type { CanonEvent } from "../../canon.ts";
import { seal } from "../../envelope.ts";
import streams from "../vendor-streams.json";
import { messagesWire } from "../wire.ts";

const wire = messagesWire(readConfig({}).limits);
type Name = keyof typeof streams;

/** A stream written by hand from the wire's documented shapes, read to its end. */
function read(name: Name): CanonEvent[] {
  const reader = wire.openReader();
  const texts = streams[name].map(
    (data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`,
  );
  return [...reader.push(Buffer.from(texts.join(""))), ...reader.close()];
}

const items = (events: readonly CanonEvent[]) =>
  events.flatMap((event) => (event.type === "item_done" ? [event.item] : []));
const kinds = (events: readonly CanonEvent[]) => events.map(({ type }) => type);

describe("a vendor's stream written by hand", () => {
  test("text, with what it read told before it and all counts at the end", () => {
    const events = read("text");
    expect(kinds(events)).toEqual([
      ...["begin", "usage", "item", "text", "text", "item_done", "end"],
    ] as never);
    expect(events[1]).toMatchObject({ usage: { fresh: 25, cacheRead: 7 } });
    expect(events.at(-1)).toMatchObject({
      status: "completed",
      usage: { fresh: 25, cacheRead: 7, output: 15 },
    });
  });

  test("thinking keeps its signature, and what is hidden stays whole", () => {
    const events = read("thinking");
    expect(items(events)).toEqual([
      {
        type: "reasoning",
        summary: ["Let me see."],
        sealed: seal("messages", { thinking: "Let me see.", signature: "c2lnbmVk" }),
      },
      { type: "reasoning", summary: [], sealed: seal("messages", { data: "cmVkYWN0ZWQ=" }) },
      { type: "message", role: "assistant", parts: [{ type: "text", text: "391" }] },
    ]);
    expect(kinds(events).filter((kind) => kind === "summary")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ usage: { output: 40, reasoning: 30 } });
  });

  test("calls, one after the other, the second without arguments", () => {
    const events = read("tools");
    expect(items(events).slice(1)).toEqual([
      {
        type: "call",
        callId: "toolu_01",
        name: "look_up",
        custom: false,
        arguments: '{"valley": "Inn"}',
      },
      { type: "call", callId: "toolu_02", name: "now", custom: false, arguments: "{}" },
    ]);
    const written = events.flatMap((event) => (event.type === "arguments" ? [event.delta] : []));
    expect(written.join("")).toBe('{"valley": "Inn"}{}');
    expect(events.at(-1)).toMatchObject({ type: "end", status: "completed" });
  });

  test("searches with what they found, and sources in their places of one text", () => {
    const events = read("search");
    const [found, message, failed] = items(events);
    expect(found).toEqual({
      type: "search",
      id: "srvtoolu_01",
      status: "completed",
      action: {
        type: "search",
        query: "tallest dam",
        sources: [{ type: "url", url: "https://dams.test/a" }],
      },
    });
    const place = { start_index: 6, end_index: 11 };
    const citation = { type: "url_citation", url: "https://dams.test/a", title: "Dams", ...place };
    expect(message).toEqual({
      type: "message",
      role: "assistant",
      parts: [{ type: "text", text: "It is 305 m high.", annotations: [citation] }],
    });
    expect(failed).toMatchObject({ id: "srvtoolu_02", status: "failed" });
    expect(events.at(-1)).toMatchObject({
      usage: { fresh: 100, cacheWrite: 10, cacheWriteLong: 30, webSearches: 2 },
    });
  });

  test("a refusal, with its explanation", () => {
    const events = read("refusal");
    expect(events.at(-1)).toMatchObject({ status: "incomplete", reason: "content_filter" });
    expect(items(events)).toMatchObject([
      { parts: [{ type: "refusal", text: "That would harm people." }] },
    ]);
  });

  test("an answer cut short by its maximum, and one by a stop sequence", () => {
    expect(read("limit").at(-1)).toMatchObject({ reason: "max_output_tokens" });
    expect(read("unknown blocks").at(-1)).toMatchObject({ stopSequence: "END" });
  });

  test("blocks that nobody knows are left out, with their deltas", () => {
    expect(items(read("unknown blocks"))).toMatchObject([{ parts: [{ text: "Seen." }] }]);
  });

  test("an error on the way fails the answer with what was used", () => {
    const last = read("error on the way").at(-1);
    expect(last).toMatchObject({ type: "failed", usage: { fresh: 9 } });
    expect(last?.type === "failed" && last.fault.fault).toBe("upstream_unavailable");
  });

  test("a stream without its end has failed, and one that told its reason has not", () => {
    expect(read("cut").at(-1)).toMatchObject({ type: "failed" });
    const reader = wire.openReader();
    const told = streams.limit.slice(0, -1);
    const text = told.map((data) => `event: x\ndata: ${JSON.stringify(data)}\n\n`).join("");
    reader.push(Buffer.from(text));
    expect(reader.close().at(-1)).toMatchObject({ type: "end", status: "incomplete" });
  });

  test.each(["event: message_stop\n", 'event: message_stop\ndata: {"type":"mess'])(
    "one that is cut within its last event is whole: %p",
    (cut) => {
      const reader = wire.openReader();
      const told = streams.limit.slice(0, -1);
      const text = told.map((data) => `event: x\ndata: ${JSON.stringify(data)}\n\n`).join("");
      reader.push(Buffer.from(text + cut));
      expect(reader.close().at(-1)).toMatchObject({ type: "end", status: "incomplete" });
    },
  );

  test.each(["event: data\ndata: [DONE]\n\n", "data: and goodbye\n\n"])(
    "what comes behind its end in the same read is not looked at: %p",
    (behind) => {
      const reader = wire.openReader();
      const text = streams.text
        .map((data) => `event: x\ndata: ${JSON.stringify(data)}\n\n`)
        .join("");
      expect(reader.push(Buffer.from(text + behind))).toEqual(read("text"));
      expect(reader.close()).toEqual([]);
    },
  );

  test("the end marker of another wire is passed over before the end too", () => {
    const reader = wire.openReader();
    const told = streams.limit.slice(0, -1);
    const text = told.map((data) => `event: x\ndata: ${JSON.stringify(data)}\n\n`).join("");
    reader.push(Buffer.from(`${text}data: [DONE]\n\n`));
    expect(reader.close().at(-1)).toMatchObject({ type: "end", status: "incomplete" });
  });

  test("every item is opened before it is filled and done before the next", () => {
    for (const name of Object.keys(streams) as Name[]) {
      let open = false;
      for (const { type } of read(name)) {
        if (["text", "summary", "arguments", "annotation", "refusal"].includes(type)) {
          expect(open).toBe(true);
        }
        if (type === "item" || type === "item_done") {
          expect(open).toBe(type === "item_done");
          open = type === "item";
        }
      }
    }
  });
});

describe("a vendor's whole answer written by hand", () => {
  const body = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-vendor",
    content: [
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "text", text: "a" },
      { type: "text", text: "b" },
      { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } },
      { type: "later_invention" },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 4, output_tokens: 5 },
  };

  test("is the same items as its stream would be", () => {
    const answer = wire.readAnswer(body);
    expect(answer).toMatchObject({
      id: "msg_1",
      status: "completed",
      usage: { fresh: 4, output: 5 },
    });
    expect(answer.items).toEqual([
      {
        type: "reasoning",
        summary: ["hm"],
        sealed: seal("messages", { thinking: "hm", signature: "sig" }),
      },
      { type: "message", role: "assistant", parts: [{ type: "text", text: "ab" }] },
      { type: "call", callId: "toolu_1", name: "f", custom: false, arguments: '{"a":1}' },
    ]);
  });

  test.each([
    ["pause_turn", { status: "completed" }],
    ["end_turn", { status: "completed" }],
    ["refusal", { status: "incomplete", reason: "content_filter" }],
    ["model_context_window_exceeded", { status: "incomplete", reason: "max_output_tokens" }],
  ])("that ended by %s", (stop_reason, status) => {
    expect(wire.readAnswer({ ...body, stop_reason })).toMatchObject(status);
  });

  test("that is an error or nothing at all", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(wire.readAnswer(error).failure?.fault).toBe("upstream_unavailable");
    expect(() => wire.readAnswer({})).toThrow();
    expect(() => wire.readAnswer([])).toThrow();
  });

  test("counts its output, and a call without input as something", () => {
    expect(wire.readAnswer(body).usage?.missing).toBeUndefined();
    const content = [{ type: "tool_use", id: "t", name: "look", input: {} }];
    expect(readText(wire.readResult, JSON.stringify({ ...body, content })).outputTokens).toBe(1);
  });

  test("passes with our model and the cost, all else to the byte", () => {
    const text = JSON.stringify(body);
    const result = readText(wire.readResult, text);
    const end = { cost: "0.5", usage: result.usage as never, echo: {} };
    expect(result.write({ model: "ours-1.0", echo: {} }, end)).toBe(
      text
        .replace("claude-vendor", "ours-1.0")
        .replace('tokens":5}', 'tokens":5,"cost":0.5,"cost_exact":"0.5"}'),
    );
    expect(result.id).toBe("msg_1");
    expect(result.outputTokens).toBe((2 + 2 + '{"a":1}'.length) / 4);
    expect(() => readText(wire.readResult, "{}")).toThrow();
    const error = { type: "error", error: { type: "api_error", message: "x" } };
    expect(readText(wire.readResult, JSON.stringify(error)).failure?.status).toBe(503);
  });
});
