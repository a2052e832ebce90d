import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import type { CanonEvent, OutputItem } from "../../canon.ts";
import { unseal } from "../../envelope.ts";
import { ChatReader } from "./read-stream.ts";

function event(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

function chunk(delta: object, finish: string | null = null, more: object = {}): string {
  return event({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    model: "vendor-x",
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
}

const piece = (index: number, text: string) => ({ index, function: { arguments: text } });
const opened = (index: number, id: string, name: string, text = "") => ({
  ...{ index, id, type: "function", function: { name, arguments: text } },
});
const calls = (...pieces: object[]) => chunk({ tool_calls: pieces });

const FIRST = chunk({ role: "assistant", content: "", refusal: null });
const STOP = chunk({}, "stop");
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const COUNTS = event({ id: "chatcmpl-1", choices: [], usage: USAGE });
const DONE = event("[DONE]");

function read(stream: string | Uint8Array, ...cuts: number[]): CanonEvent[] {
  const bytes = Buffer.from(stream as string);
  const reader = new ChatReader();
  const events: CanonEvent[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    events.push(...reader.push(bytes.subarray(from, to)));
    from = to;
  }
  return [...events, ...reader.close()];
}

const items = (events: readonly CanonEvent[]): OutputItem[] =>
  events.flatMap((each) => (each.type === "item_done" ? [each.item] : []));
const last = (events: readonly CanonEvent[]) => events.at(-1);

/** Each item is opened, filled and done before the next, and its deltas are what it came to. */
function checkOrder(events: readonly CanonEvent[]): void {
  let open: OutputItem | undefined;
  let told = "";
  for (const each of events) {
    if (each.type === "item") {
      expect(open).toBeUndefined();
      open = each.item;
      told = "";
    } else if (each.type === "item_done") {
      expect(open?.type).toBe(each.item.type);
      const { item } = each;
      if (item.type === "call") expect(told).toBe(item.arguments);
      if (item.type === "reasoning") expect(told).toBe(item.text ?? "");
      if (item.type === "message") {
        expect(told).toBe(item.parts.map((part) => ("text" in part ? part.text : "")).join(""));
      }
      open = undefined;
    } else if ("delta" in each) {
      expect(open).toBeDefined();
      told += each.delta;
    }
  }
  expect(open).toBeUndefined();
}

/** Written by hand after what each kind of vendor documents. */
const HAND_WRITTEN: Record<string, string> = {
  "OpenAI: text":
    FIRST + chunk({ content: "Grüß" }) + chunk({ content: " 🎉漢字" }) + STOP + COUNTS + DONE,
  "OpenAI: parallel calls":
    FIRST +
    calls(opened(0, "c1", "f")) +
    calls(piece(0, '{"a"')) +
    calls(piece(0, ":1}")) +
    calls(opened(1, "c2", "g")) +
    calls(piece(1, "{}")) +
    chunk({}, "tool_calls") +
    COUNTS +
    DONE,
  "OpenAI: refusal":
    FIRST + chunk({ refusal: "I" }) + chunk({ refusal: " will not" }) + STOP + DONE,
  "DeepSeek: thinking, usage on the finish chunk":
    chunk({ role: "assistant", content: null, reasoning_content: "hm" }) +
    chunk({ content: null, reasoning_content: " so" }) +
    chunk({ content: "yes", reasoning_content: null }) +
    chunk({ content: "" }, "stop", {
      usage: { ...USAGE, prompt_cache_hit_tokens: 5, prompt_cache_miss_tokens: 2 },
    }) +
    DONE,
  "Mistral: thinking as content":
    chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }) +
    chunk({ content: [{ type: "text", text: "yes" }] }) +
    chunk({ content: "" }, "length", { usage: USAGE }) +
    DONE,
  "with CRLF": (FIRST + chunk({ content: "a" }) + STOP + COUNTS + DONE).replaceAll("\n", "\r\n"),
};

describe("hand-written vendor streams", () => {
  test.each(Object.keys(HAND_WRITTEN))("%s: the same events wherever it is cut", (name) => {
    const stream = HAND_WRITTEN[name] ?? "";
    const whole = read(stream);
    expect(last(whole)?.type).toBe("end");
    checkOrder(whole);
    const { length } = Buffer.from(stream);
    for (let cut = 1; cut < length; cut += count(7, 1)) expect(read(stream, cut)).toEqual(whole);
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: length }), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, (places) => {
        expect(read(stream, ...places.sort((a, b) => a - b))).toEqual(whole);
      }),
      { numRuns: count(20, 50) },
    );
  });

  test("OpenAI: text", () => {
    const events = read(HAND_WRITTEN["OpenAI: text"] ?? "");
    expect(events.map(({ type }) => type).join(" ")).toBe(
      "begin item text text item_done usage end",
    );
    expect(events[0]).toEqual({ type: "begin", id: "chatcmpl-1" });
    expect(last(events)).toMatchObject({ status: "completed", usage: { fresh: 7, output: 3 } });
  });

  test("DeepSeek: thinking is an item before the message, and its cache is counted", () => {
    const events = read(HAND_WRITTEN["DeepSeek: thinking, usage on the finish chunk"] ?? "");
    expect(items(events)).toEqual([
      { type: "reasoning", summary: [], text: "hm so" },
      { type: "message", role: "assistant", parts: [{ type: "text", text: "yes" }] },
    ]);
    expect(last(events)).toMatchObject({ usage: { fresh: 2, cacheRead: 5 } });
  });

  test("Mistral: thinking as content", () => {
    const events = read(HAND_WRITTEN["Mistral: thinking as content"] ?? "");
    expect(items(events).map(({ type }) => type)).toEqual(["reasoning", "message"]);
    expect(last(events)).toMatchObject({ status: "incomplete", reason: "max_output_tokens" });
  });
});

describe("what else a chat vendor tells", () => {
  test("sources are annotations and count as a search", () => {
    const url_citation = { url: "https://a.test", title: "t", start_index: 0, end_index: 3 };
    const stream =
      chunk({ content: "yes" }) +
      chunk({ annotations: [{ type: "url_citation", url_citation }, { type: "other" }] }) +
      STOP +
      COUNTS;
    const events = read(stream);
    const annotation = { type: "url_citation", ...url_citation };
    expect(events).toContainEqual({ type: "annotation", annotation });
    expect(items(events)).toMatchObject([{ parts: [{ text: "yes", annotations: [annotation] }] }]);
    expect(last(events)).toMatchObject({ usage: { webSearches: 1 } });
  });

  test.each(["{}", '{"a":'])("space within a text behind the call of %s is part of it", (args) => {
    const stream =
      calls(opened(0, "c1", "f", args)) +
      ["\n", "one", " ", "two", "\n\n", "three", "\n"]
        .map((content) => chunk({ content }))
        .join("") +
      chunk({}, "tool_calls") +
      DONE;
    const events = read(stream);
    checkOrder(events);
    const said = items(events).find(({ type }) => type === "message");
    expect(said).toMatchObject({ parts: [{ text: "\none two\n\nthree" }] });
  });

  describe("sources that come while nothing is being said", () => {
    const source = (start_index: number, end_index: number) => ({
      type: "url_citation",
      url_citation: { url: "https://a.test", title: "t", start_index, end_index },
    });
    const flat = (start_index: number, end_index: number) => ({
      ...{ type: "url_citation", url: "https://a.test", title: "t", start_index, end_index },
    });

    test("before any text, amid thoughts, go with the text that follows", () => {
      const stream =
        FIRST +
        chunk({ annotations: [source(0, 3)] }) +
        chunk({ reasoning_content: "hm", annotations: [source(1, 2)] }) +
        chunk({ content: "yes" }) +
        chunk({ content: "." }) +
        STOP +
        DONE;
      const events = read(stream);
      checkOrder(events);
      const annotations = [flat(0, 3), flat(1, 2)];
      expect(items(events).at(-1)).toMatchObject({ parts: [{ text: "yes.", annotations }] });
      const told = events.filter(({ type }) => type === "annotation");
      expect(told).toEqual(annotations.map((annotation) => ({ type: "annotation", annotation })));
    });

    test("behind a call go with the text behind it, by their places there", () => {
      const stream =
        chunk({ content: "one " }) +
        calls(opened(0, "c1", "f", "{}")) +
        chunk({ annotations: [source(4, 7), source(0, 3)] }) +
        chunk({ content: "two", annotations: [source(5, 7)] }) +
        chunk({}, "tool_calls") +
        DONE;
      const events = read(stream);
      checkOrder(events);
      const annotations = [flat(0, 3), flat(0, 0), flat(1, 3)];
      expect(items(events).at(-1)).toMatchObject({ parts: [{ text: "two", annotations }] });
    });
  });

  test("log probabilities go with their text", () => {
    const token = { token: "yes", logprob: -0.1, bytes: [121], top_logprobs: [] };
    const choice = { index: 0, delta: { content: "yes" }, logprobs: { content: [token] } };
    const events = read(event({ choices: [choice] }) + STOP);
    expect(events).toContainEqual({ type: "text", delta: "yes", logprobs: [token] });
    expect(items(events)).toMatchObject([{ parts: [{ logprobs: [token] }] }]);
  });

  test("state in its details is sealed with the thought", () => {
    const detail = (more: object) => ({ type: "reasoning.text", index: 0, ...more });
    const stream =
      chunk({ reasoning: "h", reasoning_details: [detail({ text: "h" })] }) +
      chunk({ reasoning: "m", reasoning_details: [detail({ text: "m" })] }) +
      chunk({ reasoning_details: [detail({ signature: "s" })] }) +
      chunk({ content: "yes" }) +
      STOP;
    const [thought] = items(read(stream));
    expect(thought).toMatchObject({ type: "reasoning", text: "hm" });
    expect(thought?.type === "reasoning" && unseal("chat", thought.sealed)).toMatchObject({
      details: [{ type: "reasoning.text", index: 0, text: "hm", signature: "s" }],
    });
  });

  test("state may come without any text", () => {
    const reasoning_details = [{ type: "reasoning.encrypted", data: "x" }];
    const [thought, message] = items(
      read(chunk({ content: "", reasoning_details }) + chunk({ content: "yes" }) + STOP),
    );
    expect(thought).toMatchObject({ type: "reasoning", summary: [] });
    expect(thought?.type === "reasoning" && thought.sealed).toBeString();
    expect(message?.type).toBe("message");
  });

  test("usage may come twice, and inside a choice: the last word counts", () => {
    const counted = (n: number) => ({ usage: { ...USAGE, completion_tokens: n } });
    const inside = { index: 0, delta: {}, finish_reason: "stop", ...counted(8) };
    const stream = chunk({ content: "a" }, null, counted(1)) + event({ choices: [inside] });
    expect(last(read(stream))).toMatchObject({ usage: { output: 8 } });
    expect(last(read(stream + event({ choices: [], ...counted(9) }) + DONE))).toMatchObject({
      usage: { output: 9 },
    });
  });

  test.each([
    ["length", "max_output_tokens"],
    ["model_length", "max_output_tokens"],
    ["content_filter", "content_filter"],
    ["sensitive", "content_filter"],
  ] as const)("%s ends the answer early", (finish, reason) => {
    const events = read(chunk({ content: "a" }) + chunk({}, finish) + DONE);
    expect(last(events)).toMatchObject({ type: "end", status: "incomplete", reason });
  });

  test("only the first choice is read", () => {
    const other = event({
      choices: [{ index: 1, delta: { content: "b" }, finish_reason: "stop" }],
    });
    const events = read(chunk({ content: "a" }) + other + STOP + DONE);
    expect(items(events)).toMatchObject([{ parts: [{ text: "a" }] }]);
  });

  test.each([
    ["a first chunk without choices", event({ id: "", choices: [], prompt_filter_results: [] })],
    ["an empty finish reason", chunk({ content: "" }, "")],
    ["comments", ": waiting\n\n"],
    ["null", event("null")],
  ])("%s changes nothing", (_name, extra) => {
    const plain = chunk({ content: "a" }) + STOP + DONE;
    expect(read(chunk({ content: "a" }) + extra + STOP + DONE)).toEqual(read(plain));
    expect(items(read(extra + plain))).toEqual(items(read(plain)));
    expect(last(read(extra + plain))?.type).toBe("end");
  });

  test.each([{ choices: null }, {}, { choices: [null] }])(
    "counts are taken from a chunk whose choices are %j",
    (choices) => {
      const counts = event({ id: "chatcmpl-1", ...choices, usage: USAGE });
      const begun = chunk({ content: "a" }) + STOP;
      expect(read(begun + counts + DONE)).toEqual(read(begun + COUNTS + DONE));
    },
  );

  test("nothing behind the end is told", () => {
    const events = read(chunk({ content: "a" }) + STOP + DONE + chunk({ content: "b" }) + DONE);
    expect(items(events)).toHaveLength(1);
    expect(last(events)?.type).toBe("end");
  });
});

describe("a chat vendor that fails", () => {
  const TEXT = chunk({ content: "a" });

  test.each([
    ["an empty stream", "", 503],
    ["an end without an answer", FIRST + DONE, 503],
    ["a cut", FIRST + TEXT, 503],
    ["a cut inside a character", Buffer.from(chunk({ content: "漢" })).subarray(0, 121), 503],
    ["what is not JSON", `${TEXT}data: <html>\n\n${STOP}`, 503],
    ["what is no object", TEXT + event("[]") + STOP, 503],
    ["an error frame", TEXT + event({ error: { message: "m", type: "server_error" } }) + DONE, 503],
    ["an error that is a text", TEXT + event({ error: "overloaded" }), 503],
    ["an error object by itself", event({ object: "error", message: "m", code: 400 }), 400],
    ["a status as code", TEXT + event({ error: { message: "m", code: 400 } }), 400],
    ["a long prompt", event({ error: { message: "m", code: "context_length_exceeded" } }), 400],
    ["a finish reason of error", TEXT + chunk({}, "error") + DONE, 503],
    ["lack of resources", TEXT + chunk({}, "insufficient_system_resource") + DONE, 503],
  ])("%s", (_name, stream, status) => {
    const events = read(stream);
    const failed = events.filter(({ type }) => type === "failed");
    expect(failed).toHaveLength(1);
    expect(last(events)).toMatchObject({ type: "failed", fault: { status } });
    expect(events.map(({ type }) => type)).not.toContain("end");
  });

  test("tells what it had counted until then", () => {
    const events = read(chunk({ content: "a" }, null, { usage: USAGE }) + event({ error: {} }));
    expect(last(events)).toMatchObject({ type: "failed", usage: { fresh: 7, output: 3 } });
  });

  test("a cut behind the finish reason loses nothing but the counts", () => {
    const events = read(TEXT + STOP + COUNTS.slice(0, 30));
    expect(last(events)).toEqual({ type: "end", usage: undefined, status: "completed" });
  });
});
