import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { given } from "../../../../test/support/clients/given.ts";
import { count } from "../../../../test/support/counts.ts";
import { readConfig } from "../../../config/config.ts";
import { Fault } from "../../../lib/faults.ts";
import { NO_USAGE } from "../../usage.ts";
import streams from "../vendor-streams.json";
import { messagesWire } from "../wire.ts";
import { MessagesStream } from "./stream.ts";

const decoder = new TextDecoder();

function event(type: string, members: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}

/** Streams written by hand from the wire's documented shapes, as the bytes of a vendor. */
function bytesOf(name: keyof typeof streams): string {
  return streams[name].map(({ type, ...members }) => event(type, members)).join("");
}

const TEXT = bytesOf("text");
const END = { cost: "0.25", usage: NO_USAGE, echo: {} };

function pass(texts: readonly (string | Uint8Array)[], close = true) {
  const stream = new MessagesStream({ model: "ours-1.0", echo: {} });
  let out = "";
  for (const text of texts) out += given(stream.push(Buffer.from(text as string)));
  if (close) out += given(stream.close());
  return { out, stream };
}

describe("how much was read", () => {
  const OPTIONS = { model: "ours-1.0", inputTokens: 31, echo: {} };
  const start = (usage?: object) =>
    event("message_start", { message: { id: "msg_1", model: "m", ...(usage && { usage }) } });
  const end = (usage: object) =>
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage }) + event("message_stop");
  const PRICED = { cost: undefined, usage: { ...NO_USAGE, fresh: 29, output: 5 }, echo: {} };

  function usagesOf(vendor: string) {
    const stream = new MessagesStream(OPTIONS);
    const early = given(stream.push(Buffer.from(vendor))).toString();
    const late = decoder.decode(stream.finish(PRICED));
    const dataOf = (text: string) => JSON.parse(/data: (.*)/.exec(text)?.[1] ?? "");
    return { first: dataOf(early).message.usage, last: dataOf(late).usage, stream };
  }

  test.each([undefined, {}, { input_tokens: 0, output_tokens: 1 }, { input_tokens: null }])(
    "is told by our estimate where the vendor begins with %j",
    (usage) => {
      const { first, stream } = usagesOf(
        start(usage) + end({ input_tokens: 28, output_tokens: 5 }),
      );
      expect(first).toMatchObject({ input_tokens: 31 });
      expect(first.output_tokens).toBeNumber();
      expect(stream.usage).toMatchObject({ fresh: 28, output: 5 });
    },
  );

  test("is the vendor's own where it has counted, from a cache too", () => {
    for (const usage of [{ input_tokens: 9 }, { input_tokens: 0, cache_read_input_tokens: 9 }]) {
      expect(usagesOf(start(usage) + end({ output_tokens: 5 })).first).toEqual(usage);
    }
  });

  test("is told without what the vendor charged for it", () => {
    const cost = { cost: 0.25, cost_details: { upstream: 1 } };
    for (const input_tokens of [0, 9]) {
      const begun = start({ input_tokens, ...cost });
      const { first, last, stream } = usagesOf(begun + end({ output_tokens: 5, ...cost }));
      expect([Object.keys(first), Object.keys(last)].flat().join()).not.toContain("cost");
      expect(stream.usage?.vendorCost).toBe("0.25");
    }
  });

  test("is put right at the end, by the vendor's count or by what is charged", () => {
    const told = { input_tokens: 28, output_tokens: 5 };
    expect(usagesOf(start({ input_tokens: 0 }) + end(told)).last).toEqual(told);
    const silent = usagesOf(start({ input_tokens: 0 }) + end({ output_tokens: 5 }));
    expect(silent.last).toMatchObject({ input_tokens: 29, output_tokens: 5 });
    const counted = usagesOf(start({ input_tokens: 9 }) + end({ output_tokens: 5 }));
    expect(counted.last).toEqual({ output_tokens: 5 });
  });

  test("is not taken for a count", () => {
    expect(usagesOf(start()).stream.usage).toBeUndefined();
  });
});

describe("a messages stream that ends well", () => {
  test("carries our model, passes deltas as they are and keeps its end back", () => {
    const { out, stream } = pass([TEXT]);
    const end = TEXT.indexOf("event: message_delta");
    const expected = TEXT.slice(0, end).replace(event("ping"), "");
    expect(out).toBe(expected.replace("claude-vendor", "ours-1.0"));
    expect([stream.ended, stream.failure, stream.id]).toEqual([true, undefined, "msg_01"]);
    expect(stream.usage).toMatchObject({ fresh: 25, cacheRead: 7, output: 15 });
    const ending = decoder.decode(stream.finish(END));
    expect(ending).toContain('"cost":0.25,"cost_exact":"0.25"');
    expect(ending).toContain('"stop_reason":"end_turn"');
    expect(ending).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  });

  test("tells what it used before the answer begins", () => {
    const start = TEXT.slice(0, TEXT.indexOf("event: content_block_start"));
    expect(pass([start], false).stream.usage).toMatchObject({ fresh: 25, cacheRead: 7 });
  });

  test("output that was counted before there was any is no count of it", () => {
    const silent = TEXT.replace(/("stop_sequence":null\}),"usage":\{[^}]*\}/, "$1");
    expect(silent).not.toBe(TEXT);
    const { usage } = pass([silent]).stream;
    expect(usage).toMatchObject({
      fresh: 25,
      cacheRead: 7,
      missing: { input: false, output: true },
    });
    expect(pass([TEXT]).stream.usage?.missing).toBeUndefined();
    const reader = messagesWire(readConfig({}).limits).openReader();
    const end = reader.push(Buffer.from(silent)).at(-1);
    expect(end).toMatchObject({ type: "end", usage: { missing: { output: true } } });
  });

  test("tells what was priced where the vendor's words would mislead", () => {
    const usage = { ...NO_USAGE, fresh: 3, output: 4 };
    const ending = decoder.decode(pass([TEXT]).stream.finish({ ...END, usage, mended: true }));
    expect(ending).toContain('"input_tokens":3');
    expect(ending).toContain('"output_tokens":4');
  });

  test("shows no cost where the key does not, and what was priced where the vendor was silent", () => {
    const { stream } = pass([TEXT]);
    expect(decoder.decode(stream.finish({ ...END, cost: undefined }))).not.toContain("cost");
    const silent = pass([TEXT.replaceAll(/"usage":\{[^}]*\}/g, '"usage":null')]).stream;
    const usage = { ...NO_USAGE, fresh: 3, output: 4 };
    const ending = decoder.decode(silent.finish({ ...END, usage }));
    expect(ending).toContain('"input_tokens":3');
    expect(ending).toContain('"output_tokens":4');
  });

  test("takes counts that follow the reason of the end", () => {
    const late = event("message_delta", { delta: {}, usage: { output_tokens: 99 } });
    const cut = TEXT.replace(event("message_stop"), late + event("message_stop"));
    const { stream } = pass([cut]);
    expect(stream.usage?.output).toBe(99);
    const ending = decoder.decode(stream.finish(END));
    expect(ending).toContain('"stop_reason":"end_turn"');
    expect(ending).toContain('"output_tokens":99');
  });

  test("has ended when its reason was told, also without the end marker", () => {
    const { stream } = pass([TEXT.replace(event("message_stop"), "")]);
    expect([stream.ended, stream.failure]).toEqual([true, undefined]);
  });

  test("has ended so with the end marker of another wire too", () => {
    const done = "event: data\ndata: [DONE]\n\n";
    const { out, stream } = pass([TEXT.replace(event("message_stop"), done)]);
    expect([stream.ended, stream.failure]).toEqual([true, undefined]);
    expect(out).toBe(pass([TEXT]).out);
  });

  test("that stops before it has begun is no answer", () => {
    const { stream } = pass([event("message_stop")]);
    expect([stream.ended, stream.failure?.status]).toEqual([false, 503]);
  });

  test("counts searches and the cache that is kept for long", () => {
    const { stream } = pass([bytesOf("search")]);
    expect(stream.webSearches).toBe(2);
    expect(stream.usage).toMatchObject({ cacheWrite: 10, cacheWriteLong: 30 });
  });

  test("meters text, thinking and arguments alike, parsed or passed", () => {
    const members = /"(text|thinking|partial_json)":"/g;
    const spaced = (text: string) => text.replaceAll(members, '"$1": "');
    for (const text of [bytesOf("thinking"), bytesOf("tools")]) {
      const passed = pass([text]).stream.outputTokens;
      expect(passed).toBeGreaterThan(0);
      expect(pass([spaced(text)]).stream.outputTokens).toBe(passed);
    }
  });
});

describe("a messages stream that fails", () => {
  test.each([
    ["overloaded_error", "Overloaded", "upstream_unavailable"],
    ["rate_limit_error", "slow down", "upstream_unavailable"],
    ["api_error", "oops", "upstream_unavailable"],
    ["invalid_request_error", "bad", "upstream_rejected"],
    ["invalid_request_error", "prompt is too long: 9 > 8", "context_length_exceeded"],
    ["invalid_request_error", "Your credit balance is too low", "upstream_unavailable"],
  ])("by the event %s (%s)", (type, message, fault) => {
    const { out, stream } = pass([event("error", { error: { type, message } })], false);
    expect([out, stream.started, stream.failure?.fault]).toEqual(["", false, fault as never]);
  });

  test("is cut without a reason", () => {
    const { stream } = pass([TEXT.slice(0, TEXT.indexOf("event: message_delta"))]);
    expect([stream.ended, stream.failure?.status]).toEqual([false, 503]);
  });

  test("tells the client in the wire's own shape", () => {
    const { stream } = pass([]);
    const frame = decoder.decode(stream.fail(new Fault("upstream_unavailable", "gone")));
    expect(frame).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"gone"}}\n\n',
    );
  });

  test("lives while it waits", () => {
    expect(decoder.decode(pass([]).stream.keepAlive())).toBe(event("ping"));
  });
});

const NAMES = Object.keys(streams) as (keyof typeof streams)[];

describe.each(NAMES)("the stream written by hand: %s", (name) => {
  const wire = messagesWire(readConfig({}).limits);
  const text = bytesOf(name);
  const bytes = Buffer.from(text);
  const play = (pieces: readonly Uint8Array[]) => {
    const stream = wire.openStream({} as never, { model: "ours-1.0", echo: {} });
    const reader = wire.openReader();
    const out: Uint8Array[] = [];
    const events = pieces.flatMap((piece) => {
      out.push(given(stream.push(piece)));
      return reader.push(piece);
    });
    out.push(given(stream.close()));
    events.push(...reader.close());
    const { usage, outputTokens, ended } = stream;
    const end = ended ? given(stream.finish(END)).toString() : "";
    return { events, out: Buffer.concat(out).toString(), usage, outputTokens, ended, end };
  };

  test("is the same wherever it is cut", () => {
    const all = play([bytes]);
    for (let at = 1; at < bytes.length; at += count(17, 1)) {
      const split = play([bytes.subarray(0, at), bytes.subarray(at)]);
      if (!Bun.deepEquals(split, all)) expect({ at, ...split }).toEqual({ at, ...all });
    }
    expect(play(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(all);
  });

  test("is the same however it is chopped, with either line end", () => {
    const crlf = Buffer.from(text.replaceAll("\n", "\r\n"));
    const all = play([bytes]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (places) => {
        const edges = [0, ...places.map((at) => at % (crlf.length + 1)), crlf.length];
        edges.sort((a, b) => a - b);
        const pieces = edges.slice(1).map((end, i) => crlf.subarray(edges[i], end));
        expect(play(pieces)).toEqual(all);
      }),
      { numRuns: 25 },
    );
  });
});
