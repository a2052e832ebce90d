import { describe, expect, test } from "bun:test";
import { given } from "../../../../test/support/clients/given.ts";
import { Fault } from "../../../lib/faults.ts";
import { DONE } from "../../bytes/sse.ts";
import { NO_USAGE } from "../../usage.ts";
import { ChatStream } from "./stream.ts";

const decoder = new TextDecoder();
const END = { cost: "0.001", usage: NO_USAGE, echo: {} };

interface Passed {
  readonly out: string;
  readonly stream: ChatStream;
}

/** Feeds whole texts and closes; `out` is what the client has been given so far. */
function pass(chunks: readonly (string | Uint8Array)[], usageWanted = false, close = true): Passed {
  const stream = new ChatStream({ model: "ours-1.0", echo: {} }, usageWanted);
  let out = "";
  for (const chunk of chunks) out += given(stream.push(Buffer.from(chunk as string)));
  if (close) out += given(stream.close());
  return { out, stream };
}

function event(chunk: unknown): string {
  return `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`;
}

function delta(fields: object, more: object = {}, finish: string | null = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    model: "vendor-x",
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
    ...more,
  };
}

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const FIRST = event(delta({ role: "assistant", content: "" }));
const HELLO = event(delta({ content: "hello" }));
const STOP = event(delta({}, {}, "stop"));
const COUNTS = event({ ...delta({}), choices: [], usage: USAGE });

describe("a chat stream that ends well", () => {
  test("carries our model everywhere and keeps its end back until it is finished", () => {
    const { out, stream } = pass([FIRST + HELLO + STOP + COUNTS + event("[DONE]")]);
    expect(out).toBe((FIRST + HELLO + STOP).replaceAll("vendor-x", "ours-1.0"));
    expect(stream.ended).toBe(true);
    expect(stream.id).toBe("chatcmpl-1");
    expect(stream.usage).toMatchObject({ fresh: 7, output: 3 });
    expect(decoder.decode(stream.finish(END))).toBe("data: [DONE]\n\n");
  });

  test("gives the usage chunk with the cost to a client that asked, at the very end", () => {
    const { out, stream } = pass([FIRST + STOP + COUNTS + event("[DONE]")], true);
    expect(out).not.toContain("prompt_tokens");
    const end = decoder.decode(stream.finish(END));
    const [usage, done] = end.split("\n\n");
    expect(JSON.parse(usage?.slice(6) ?? "")).toMatchObject({
      model: "ours-1.0",
      choices: [],
      usage: { ...USAGE, cost: 0.001, cost_exact: "0.001" },
    });
    expect(done).toBe("data: [DONE]");
  });

  test("shows no cost where the key does not", () => {
    const { stream } = pass([STOP + COUNTS + event("[DONE]")], true);
    expect(decoder.decode(stream.finish({ ...END, cost: undefined }))).not.toContain("cost");
  });

  test("takes usage from a chunk with choices, and the last word where there are several", () => {
    const early = event(delta({ content: "a" }, { usage: { ...USAGE, completion_tokens: 1 } }));
    const late = event(delta({}, { usage: { ...USAGE, completion_tokens: 9 } }, "stop"));
    const { stream } = pass([early + late + event("[DONE]")]);
    expect(stream.usage).toMatchObject({ fresh: 7, output: 9 });
  });

  test("a null usage behind a real one does not take it away", () => {
    const { stream } = pass([COUNTS + event(delta({}, { usage: null }, "stop")) + event("[DONE]")]);
    expect(stream.usage).toMatchObject({ output: 3 });
  });

  test.each([{}, { prompt_tokens: 0, completion_tokens: 0 }])(
    "%p behind real counts does not take them away",
    (usage) => {
      const { stream } = pass([COUNTS + event(delta({}, { usage }, "stop")) + event("[DONE]")]);
      expect(stream.usage).toMatchObject({ output: 3 });
    },
  );

  test("clamps counts that cannot be", () => {
    const wrong = { prompt_tokens: -5, completion_tokens: 9e15 };
    const { stream } = pass([STOP + event({ choices: [], usage: wrong }) + event("[DONE]")]);
    expect(stream.usage).toMatchObject({ fresh: 0, output: 100_000_000, clamped: true });
  });

  test("a finish reason is end enough for vendors without an end marker", () => {
    const { stream } = pass([FIRST + HELLO + STOP]);
    expect([stream.ended, stream.failure]).toEqual([true, undefined]);
  });

  test("the marker may come without its blank line", () => {
    expect(pass([FIRST + HELLO, "data: [DONE]"]).stream.ended).toBe(true);
  });

  test("what comes behind the end is not passed on, a second marker included", () => {
    const { out, stream } = pass([STOP + event("[DONE]") + event("[DONE]") + HELLO]);
    expect(out).toBe(STOP.replace("vendor-x", "ours-1.0"));
    expect(decoder.decode(stream.finish(END))).toBe(decoder.decode(DONE));
  });

  test("comments of the vendor are swallowed", () => {
    expect(pass([`: ping\n\n${HELLO}: ping\n\n`]).out).toBe(HELLO.replace("vendor-x", "ours-1.0"));
  });
});

/** Written by hand after what vendors other than OpenAI do. */
describe("a chat stream of another vendor", () => {
  const renamed = (text: string) => text.replaceAll("vendor-x", "ours-1.0");
  const usageOf = (stream: ChatStream) =>
    JSON.parse(decoder.decode(stream.finish(END)).split("\n\n")[0]?.slice(6) ?? "");

  test("may begin with a chunk without choices, which clients break on", () => {
    const filters = event({ id: "", model: "", choices: [], prompt_filter_results: [] });
    const { out, stream } = pass([filters + FIRST + HELLO + STOP + COUNTS + event("[DONE]")], true);
    expect(out).toBe(renamed(FIRST + HELLO + STOP));
    expect([stream.ended, stream.id]).toEqual([true, "chatcmpl-1"]);
    expect(usageOf(stream)).toMatchObject({ id: "chatcmpl-1", usage: USAGE });
  });

  describe.each([
    ["null", { choices: null }],
    ["nothing", {}],
    ["a list of null", { choices: [null] }],
  ])("may have %s for the choices of a chunk", (_name, choices) => {
    const { choices: _choices, ...head } = delta({});
    const bare = event({ ...head, ...choices });
    const counts = event({ ...head, ...choices, usage: USAGE });
    // Twice the same words, so that events like the first of them are known by their bytes.
    const said = bare + FIRST + HELLO + bare + HELLO + STOP + counts + event("[DONE]");

    test("which a client never sees", () => {
      const { out, stream } = pass([said]);
      expect(out).toBe(renamed(FIRST + HELLO + HELLO + STOP));
      expect([stream.ended, stream.failure]).toEqual([true, undefined]);
      expect(stream.usage).toMatchObject({ fresh: 7, output: 3 });
      expect(decoder.decode(stream.finish(END))).toBe("data: [DONE]\n\n");
    });

    test("which is an empty list in the counts that a client asked for", () => {
      const { out, stream } = pass([said], true);
      expect(out).toBe(renamed(FIRST + HELLO + HELLO + STOP));
      expect(usageOf(stream)).toMatchObject({ model: "ours-1.0", choices: [], usage: USAGE });
    });

    test("which alone is no answer", () => {
      const { stream } = pass([bare + counts + event("[DONE]")]);
      expect([stream.started, stream.ended, stream.failure?.status]).toEqual([false, false, 503]);
    });
  });

  test("may say null between its chunks, and nothing else that is no object", () => {
    const nothing = event("null");
    const { out, stream } = pass([nothing + FIRST + HELLO + nothing + HELLO + STOP + nothing]);
    expect(out).toBe(renamed(FIRST + HELLO + HELLO + STOP));
    expect([stream.ended, stream.failure]).toEqual([true, undefined]);
    for (const other of ["1", '"text"', "[]"]) expect(() => pass([FIRST + event(other)])).toThrow();
  });

  test("may count on the finish chunk and send no end marker", () => {
    const counted = event(delta({}, { usage: { ...USAGE, cost: 0.0123 } }, "stop"));
    const asked = pass([FIRST + HELLO + counted], true);
    expect(asked.stream.ended).toBe(true);
    expect(asked.stream.usage).toMatchObject({ fresh: 7, output: 3 });
    expect(asked.out).not.toContain("prompt_tokens");
    expect(usageOf(asked.stream)).toMatchObject({
      choices: [],
      model: "ours-1.0",
      usage: { ...USAGE, cost: 0.001, cost_exact: "0.001" },
    });
    const unasked = pass([FIRST + HELLO + counted]);
    expect(unasked.out).toBe(renamed(FIRST + HELLO + STOP));
  });

  test("may count inside the choice", () => {
    const choice = { index: 0, delta: {}, finish_reason: "stop", usage: USAGE };
    const { stream } = pass([FIRST + event({ ...delta({}), choices: [choice] })]);
    expect(stream.usage).toMatchObject({ fresh: 7, output: 3 });
  });

  test("keeps its own price to itself", () => {
    const usage = { ...USAGE, cost: 0.0123, cost_details: { upstream: 1 }, cost_in_usd_ticks: 9 };
    const counted = event({ ...delta({}), choices: [], usage });
    const { stream } = pass([FIRST + STOP + counted + event("[DONE]")], true);
    expect(usageOf(stream).usage).toEqual({ ...USAGE, cost: 0.001, cost_exact: "0.001" });
    const hidden = decoder.decode(stream.finish({ ...END, cost: undefined }));
    expect(hidden).not.toContain("cost");
  });

  test("may write an empty finish reason on every chunk, which ends nothing", () => {
    const open = event(delta({ content: "a" }, {}, ""));
    expect(pass([open + open]).stream.ended).toBe(false);
    expect(pass([open + STOP]).stream.ended).toBe(true);
  });

  test.each([
    ["a text", { error: "overloaded" }, 503],
    ["an object by itself", { object: "error", message: "bad", code: 400 }, 400],
    ["a status as its code", { error: { message: "bad", code: 422 } }, 400],
    ["a finish reason", delta({}, {}, "error"), 503],
  ])("may write its error as %s", (_name, frame, status) => {
    const { out, stream } = pass([FIRST + event(frame) + event("[DONE]")]);
    expect(out).toBe(renamed(FIRST));
    expect([stream.ended, stream.failure?.status]).toEqual([false, status]);
  });

  test("has searched where it names its sources, which has a price", () => {
    const sources = [{ type: "url_citation", url_citation: { url: "https://a.test" } }];
    const cited = event(delta({ content: "a", annotations: sources }));
    const stream = new ChatStream({ model: "ours-1.0", echo: {} }, false, 1);
    stream.push(Buffer.from(FIRST + HELLO + cited + STOP + COUNTS));
    expect([stream.webSearches, stream.usage?.webSearches]).toEqual([1, 1]);
    const plain = new ChatStream({ model: "ours-1.0", echo: {} }, false, 1);
    plain.push(Buffer.from(FIRST + HELLO + event(delta({ annotations: [] })) + STOP + COUNTS));
    expect([plain.webSearches, plain.usage?.webSearches]).toEqual([0, 0]);
  });
});

describe("a chat stream keeps what it does not know", () => {
  test("to the byte: fields, escapes and number forms", () => {
    const odd =
      '{"id":"c","model":"vendor-x","seed":12345678901234567890,"x":1.50e+3,' +
      '"choices":[{"index":0,"delta":{"content":"\\u0041\\/","odd":[ 1 , 2 ]},"finish_reason":null}],"z":null}';
    const { out } = pass([event(odd).repeat(3)]);
    expect(out).toBe(event(odd.replace("vendor-x", "ours-1.0")).repeat(3));
  });

  test("also of a vendor that writes spaces behind its colons", () => {
    const spaced =
      '{"id": "c", "model": "vendor-x", "choices": [{"index": 0, "delta": {"content": "hi"}, "finish_reason": null}]}';
    const stop = spaced
      .replace('{"content": "hi"}', "{}")
      .replace('"finish_reason": null', '"finish_reason": "stop"');
    const { out, stream } = pass([event(spaced) + event(spaced) + event(stop)]);
    expect(out).toBe(
      (event(spaced) + event(spaced) + event(stop)).replaceAll("vendor-x", "ours-1.0"),
    );
    expect(stream.ended).toBe(true);
    expect(stream.outputTokens).toBe(1);
  });

  test("a model that changes on the way is renamed all the same", () => {
    const other = HELLO.replace("vendor-x", "vendor-x-2026-02-02");
    expect(pass([FIRST + HELLO + other]).out).not.toContain("vendor-x");
  });

  test("text that speaks of models and usage is only text", () => {
    const text = '"model":"vendor-x" "usage":{ "finish_reason":"stop" "error":';
    const { out, stream } = pass([FIRST + HELLO + event(delta({ content: text }))], false, false);
    expect(JSON.parse(out.split("\n\n")[2]?.slice(6) ?? "").choices[0].delta.content).toBe(text);
    expect([stream.failure, stream.usage, stream.ended]).toEqual([undefined, undefined, false]);
  });
});

test("a stream of several choices has ended only when each of them has", () => {
  const second = { ...delta({}), choices: [{ index: 1, delta: {}, finish_reason: "stop" }] };
  const cut = new ChatStream({ model: "ours-1.0", echo: {} }, false, 2);
  cut.push(Buffer.from(FIRST + HELLO + STOP));
  cut.close();
  expect([cut.ended, cut.failure?.status]).toEqual([false, 503]);
  const whole = new ChatStream({ model: "ours-1.0", echo: {} }, false, 2);
  whole.push(Buffer.from(FIRST + STOP + event(second)));
  whole.close();
  expect([whole.ended, whole.failure]).toEqual([true, undefined]);
});

describe("what was delivered", () => {
  test.each([
    ["text", { content: "four" }, 4],
    ["a refusal", { refusal: "no" }, 2],
    ["reasoning", { reasoning_content: "hmm" }, 3],
    ["reasoning under its other name", { reasoning: "hmm" }, 3],
    ["reasoning under both names once", { reasoning_content: "hmm", reasoning: "hmm" }, 3],
    ["a tool call", { tool_calls: [{ index: 0, function: { name: "f", arguments: '{"a"' } }] }, 5],
    ["a custom call", { tool_calls: [{ index: 0, custom: { name: "g", input: "xy" } }] }, 3],
    ["nothing", { role: "assistant" }, 0],
  ])("counts %s", (_name, fields, chars) => {
    expect(pass([FIRST + event(delta(fields))], false, false).stream.outputTokens).toBe(chars / 4);
  });

  test("counts thoughts under both names once however many come", () => {
    const twice = event(delta({ reasoning_content: "hmm", reasoning: "hmm" }));
    const other = event(delta({ reasoning_content: "aha!", reasoning: "aha!" }));
    const { stream } = pass([FIRST + twice + twice + other], false, false);
    expect(stream.outputTokens).toBe(10 / 4);
  });

  test("counts alike whether an event is parsed or passed", () => {
    const parsed = pass([event(delta({ content: 'a\n"漢字' }))], false, false).stream;
    const passed = pass([FIRST + event(delta({ content: 'a\n"漢字' }))], false, false).stream;
    expect(passed.outputTokens).toBe(parsed.outputTokens);
  });
});

describe("a chat stream that fails", () => {
  test("is cut: neither end marker nor finish reason", () => {
    const { stream } = pass([FIRST + HELLO]);
    expect(stream.ended).toBe(false);
    expect(stream.failure?.code).toBe("upstream_unavailable");
    expect(stream.started).toBe(true);
  });

  test.each([
    ["nothing at all", []],
    ["an end alone", [event("[DONE]")]],
    ["no choice", [event({ ...delta({}), choices: [] }) + event("[DONE]")]],
  ])("is empty: %s", (_name, chunks) => {
    const { stream } = pass(chunks);
    expect([stream.started, stream.ended, stream.failure?.status]).toEqual([false, false, 503]);
  });

  test("an error as the first event is known before anything was given out", () => {
    const { out, stream } = pass([event({ error: { message: "quota", code: "x" } })], false, false);
    expect([out, stream.started, stream.failure?.status]).toEqual(["", false, 503]);
  });

  test("an error on the way stops everything behind it", () => {
    const error = event({ error: { message: "overloaded", type: "server_error" } });
    const { out, stream } = pass([HELLO + error + HELLO + event("[DONE]")]);
    expect(out).toBe(HELLO.replace("vendor-x", "ours-1.0"));
    expect([stream.ended, stream.failure?.status]).toEqual([false, 503]);
  });

  test("an error that blames the request says so", () => {
    const error = event({ error: { message: "too long", code: "context_length_exceeded" } });
    expect(pass([error]).stream.failure?.status).toBe(400);
  });

  test("a cut inside an event is no answer", () => {
    const { stream, out } = pass([HELLO, HELLO.slice(0, 40)]);
    expect(stream.failure?.status).toBe(503);
    expect(out.match(/data: /g)).toHaveLength(1);
  });

  test("tells the client with one error frame and no end marker", () => {
    const { stream } = pass([HELLO]);
    const frame = decoder.decode(stream.fail(new Fault("upstream_unavailable", "gone")));
    expect(frame.endsWith("\n\n")).toBe(true);
    expect(JSON.parse(frame.slice(6)).error).toEqual({
      message: "gone",
      type: "service_unavailable_error",
      code: "upstream_unavailable",
      param: null,
    });
    expect(frame).not.toContain("[DONE]");
  });
});

test("a sign of life is a comment, which no chat client takes for a chunk", () => {
  expect(decoder.decode(pass([]).stream.keepAlive())).toMatch(/^:[^\n]*\n\n$/);
});
