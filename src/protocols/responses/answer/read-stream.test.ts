// Vendor bytes written by hand after the documented shapes of the Responses wire.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { count } from "../../../../test/support/counts.ts";
import type { CanonEvent } from "../../canon.ts";
import { unseal } from "../../envelope.ts";
import { readResponsesAnswer } from "./read-answer.ts";
import { ResponsesReader } from "./read-stream.ts";

const USAGE = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 2 },
};
const SOURCE = { type: "url_citation", url: "https://example.com", start_index: 0, end_index: 2 };
const LOGPROB = { token: "Grü", logprob: -0.1, bytes: [71], top_logprobs: [] };
const REASONING = {
  id: "rs_1",
  type: "reasoning",
  summary: [
    { type: "summary_text", text: "Think" },
    { type: "summary_text", text: "More" },
  ],
  encrypted_content: "gAA",
};
const SEARCH = {
  id: "ws_1",
  type: "web_search_call",
  status: "completed",
  action: { type: "search", query: "q" },
};
const MESSAGE = {
  id: "msg_1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [
    { type: "output_text", text: "Grüße 你好", annotations: [SOURCE], logprobs: [LOGPROB] },
  ],
};
const call = (n: number) => ({
  id: `fc_${n}`,
  type: "function_call",
  status: "completed",
  call_id: `call_${n}`,
  name: `f${n}`,
  arguments: `{"n":${n}}`,
});
const CUSTOM = {
  id: "ctc_1",
  type: "custom_tool_call",
  status: "completed",
  call_id: "call_9",
  name: "patch",
  input: "*** begin",
};
const SHELL = { id: "lsh_1", type: "local_shell_call", status: "completed" };

type Raw = { readonly [name: string]: unknown };

function event(type: string, members: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0, ...members })}\n\n`;
}

const begin = event("response.created", { response: { id: "resp_1", output: [], usage: null } });
const added = (output_index: number, item: Raw) =>
  event("response.output_item.added", { output_index, item });
const done = (output_index: number, item: Raw) =>
  event("response.output_item.done", { output_index, item });
const delta = (name: string, output_index: number, text: string, members: object = {}) =>
  event(`response.${name}.delta`, { output_index, delta: text, ...members });
const end = (status: "completed" | "incomplete", response: object) =>
  event(`response.${status}`, { response: { id: "resp_1", status, usage: USAGE, ...response } });

/** Everything that this wire can say, two calls mixed into one another. */
const WHOLE = [
  begin,
  event("response.in_progress", { response: { id: "resp_1" } }),
  added(0, { ...REASONING, summary: [], encrypted_content: "early" }),
  event("response.reasoning_summary_part.added", { output_index: 0, summary_index: 0 }),
  delta("reasoning_summary_text", 0, "Think", { summary_index: 0 }),
  delta("reasoning_summary_text", 0, "More", { summary_index: 1 }),
  done(0, REASONING),
  added(1, { ...SEARCH, status: "in_progress" }),
  event("response.web_search_call.searching", { output_index: 1, item_id: "ws_1" }),
  done(1, SEARCH),
  ": a comment\n\n",
  added(2, { ...MESSAGE, status: "in_progress", content: [] }),
  delta("output_text", 2, "Grüße ", { content_index: 0, logprobs: [LOGPROB], obfuscation: "x" }),
  delta("output_text", 2, "你好", { content_index: 0, logprobs: [] }),
  event("response.output_text.annotation.added", { output_index: 2, annotation: SOURCE }),
  event("response.output_text.done", { output_index: 2, text: "Grüße 你好" }),
  done(2, MESSAGE),
  added(3, { ...call(1), arguments: "" }),
  added(4, { ...call(2), arguments: "" }),
  delta("function_call_arguments", 4, '{"n":'),
  delta("function_call_arguments", 3, '{"n":1}'),
  delta("function_call_arguments", 4, "2}"),
  done(4, call(2)),
  done(3, call(1)),
  added(5, { ...CUSTOM, input: "" }),
  delta("custom_tool_call_input", 5, "*** begin"),
  done(5, CUSTOM),
  added(6, SHELL),
  done(6, SHELL),
  end("completed", { output: [] }),
  "data: [DONE]\n\n",
].join("");

function read(text: string, cuts: readonly number[] = []): CanonEvent[] {
  const bytes = Buffer.from(text);
  const reader = new ResponsesReader();
  const events: CanonEvent[] = [];
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    events.push(...reader.push(bytes.subarray(from, to)));
    from = to;
  }
  return [...events, ...reader.close()];
}

const types = (events: readonly CanonEvent[]) => events.map(({ type }) => type).join(" ");
const itemsOf = (events: readonly CanonEvent[]) =>
  events.flatMap((e) => (e.type === "item_done" ? e.item : []));

describe("a hand-written Responses stream", () => {
  const events = read(WHOLE);

  test("is told item by item, mixed ones one behind the other", () => {
    expect(types(events)).toBe(
      [
        "begin",
        "item summary summary item_done",
        "item item_done",
        "item text text annotation item_done",
        "item arguments item_done",
        "item arguments arguments item_done",
        "item arguments item_done",
        "item item_done",
        "end",
      ].join(" "),
    );
    expect(events[0]).toEqual({ type: "begin", id: "resp_1" });
  });

  test("announces items empty and gives them whole", () => {
    const opened = events.flatMap((e) => (e.type === "item" ? e.item : []));
    expect(opened[0]).toEqual({ type: "reasoning", summary: [] });
    expect(opened[1]).toMatchObject({ type: "search", status: "in_progress" });
    expect(opened[3]).toMatchObject({ callId: "call_1", name: "f1", arguments: "" });
    const [reasoning, search, message, first, second, custom, shell] = itemsOf(events);
    expect(reasoning).toMatchObject({ summary: ["Think", "More"] });
    expect(search).toEqual({
      type: "search",
      id: "ws_1",
      status: "completed",
      action: SEARCH.action,
    });
    expect(message).toMatchObject({
      role: "assistant",
      parts: [{ type: "text", text: "Grüße 你好", annotations: [SOURCE], logprobs: [LOGPROB] }],
    });
    expect([first, second]).toMatchObject([{ arguments: '{"n":1}' }, { arguments: '{"n":2}' }]);
    expect(custom).toMatchObject({ custom: true, name: "patch", arguments: "*** begin" });
    expect(shell).toEqual({ type: "foreign", raw: SHELL });
  });

  test("seals the final form of its reasoning", () => {
    const [reasoning] = itemsOf(events);
    const sealed = reasoning?.type === "reasoning" ? reasoning.sealed : undefined;
    expect(unseal("responses", sealed)).toMatchObject({ id: "rs_1", encrypted_content: "gAA" });
  });

  test("ends with its counts, searches by what was sent although the last list is empty", () => {
    expect(events.at(-1)).toMatchObject({
      type: "end",
      status: "completed",
      usage: { fresh: 20, cacheRead: 10, output: 7, reasoning: 2, webSearches: 1 },
    });
  });

  test("is the same wherever its bytes are cut", () => {
    const { length } = Buffer.from(WHOLE);
    const whole = JSON.stringify(events);
    for (let at = 1; at < length; at += count(17, 1))
      expect(JSON.stringify(read(WHOLE, [at])) === whole).toBe(true);
    const cuts = fc.uniqueArray(fc.nat(length), { maxLength: 20 });
    fc.assert(
      fc.property(cuts, (list) => {
        expect(
          read(
            WHOLE,
            list.toSorted((a, b) => a - b),
          ),
        ).toEqual(events);
      }),
      { numRuns: count(20, 60) },
    );
    expect(read(WHOLE.replaceAll("\n", "\r\n"))).toEqual(events);
  });

  test("cut short anywhere it fails, whatever came before", () => {
    const bytes = Buffer.from(WHOLE);
    const last = bytes.lastIndexOf("event: response.completed");
    for (let at = 0; at < last; at += 11) {
      const reader = new ResponsesReader();
      const cut = [...reader.push(bytes.subarray(0, at)), ...reader.close()];
      expect(cut.at(-1)?.type).toBe("failed");
      expect(types(cut)).not.toContain("end");
    }
  });
});

describe("vendors that say less", () => {
  test("only the final list", () => {
    const events = read(begin + end("completed", { output: [REASONING, MESSAGE, call(1)] }));
    expect(types(events)).toBe(
      "begin item summary summary item_done item text annotation item_done " +
        "item arguments item_done end",
    );
  });

  test("no deltas", () => {
    const text = begin + added(0, { ...MESSAGE, content: [] }) + done(0, MESSAGE);
    const events = read(text + end("completed", { output: [MESSAGE] }));
    expect(types(events)).toBe("begin item text annotation item_done end");
  });

  test("no announcement and no end of items", () => {
    const text = delta("output_text", 0, "a") + delta("refusal", 0, "no");
    const events = read(text + end("completed", { output: [] }));
    expect(types(events)).toBe("begin item text refusal item_done end");
    expect(itemsOf(events)).toEqual([
      {
        type: "message",
        role: "assistant",
        parts: [
          { type: "text", text: "a" },
          { type: "refusal", text: "no" },
        ],
      },
    ]);
  });

  test("raw thinking under either of its names", () => {
    for (const name of ["reasoning_text", "reasoning"]) {
      const open = added(0, { id: "rs_1", type: "reasoning", summary: [] });
      const events = read(begin + open + delta(name, 0, "so") + end("completed", {}));
      expect(itemsOf(events)).toEqual([{ type: "reasoning", summary: [], text: "so" }]);
    }
  });
});

describe("how a Responses stream ends", () => {
  test.each(["max_output_tokens", "content_filter"])("early by %s", (reason) => {
    const events = read(begin + end("incomplete", { incomplete_details: { reason } }));
    expect(events.at(-1)).toMatchObject({ type: "end", status: "incomplete", reason });
  });

  test("failed, with what was counted", () => {
    const error = { code: "context_length_exceeded", message: "too long" };
    const response = { status: "failed", error, usage: USAGE };
    const [first, failed, ...rest] = read(begin + event("response.failed", { response }) + begin);
    expect(first?.type).toBe("begin");
    expect(failed).toMatchObject({ type: "failed", usage: { fresh: 20 } });
    expect(failed?.type === "failed" && failed.fault.code).toBe("context_length_exceeded");
    expect(rest).toEqual([]);
  });

  test.each([{ error: { message: "m", code: "c" } }, { message: "m", code: "c" }])(
    "with an error as its first event: %p",
    (members) => {
      const [failed, ...rest] = read(event("error", members));
      expect(failed?.type === "failed" && failed.fault.status).toBe(503);
      expect(rest).toEqual([]);
    },
  );

  test("with what is no event", () => {
    for (const junk of ["data: {\n\n", 'data: "x"\n\n', "data: {}\n\n"]) {
      expect(() => read(begin + junk)).toThrow();
    }
  });
});

describe("searches for a client of another wire", () => {
  const PAGE = { ...SEARCH, id: "ws_2", action: { type: "open_page", url: "https://example.com" } };
  const BILL = { tool_usage: { web_search: { num_requests: 3 } } };

  test.each([
    ["without the pages that were opened", {}, 1],
    ["as the vendor bills them", BILL, 3],
  ])("are counted %s", (_name, more, expected) => {
    const response = { id: "resp_1", status: "completed", usage: USAGE, ...more };
    const streamed = read(
      event("response.output_item.done", { output_index: 0, item: SEARCH }) +
        event("response.output_item.done", { output_index: 1, item: PAGE }) +
        event("response.completed", { response: { ...response, output: [] } }),
    );
    expect(streamed.at(-1)).toMatchObject({ type: "end", usage: { webSearches: expected } });
    const whole = readResponsesAnswer({ ...response, output: [SEARCH, PAGE] });
    expect(whole.usage?.webSearches).toBe(expected);
  });
});

describe("a hand-written whole answer", () => {
  test("has the items that its stream has", () => {
    const output = [REASONING, SEARCH, MESSAGE, call(1), call(2), CUSTOM, SHELL];
    const answer = readResponsesAnswer({
      ...{ id: "resp_1", status: "completed", output, usage: USAGE },
    });
    expect(answer.items).toEqual(itemsOf(read(WHOLE)));
    expect(answer).toMatchObject({ id: "resp_1", status: "completed", usage: { webSearches: 1 } });
  });

  test("says why it stopped, or that it failed", () => {
    const incomplete_details = { reason: "max_output_tokens" };
    const cut = { status: "incomplete", incomplete_details, output: [] };
    expect(readResponsesAnswer(cut)).toMatchObject({
      status: "incomplete",
      reason: "max_output_tokens",
    });
    const failed = { status: "failed", error: { code: "server_error", message: "m" } };
    expect(readResponsesAnswer(failed).failure?.status).toBe(503);
    expect(() => readResponsesAnswer({})).toThrow();
  });
});
