import { describe, expect, test } from "bun:test";
import { given } from "../../../../test/support/clients/given.ts";
import { Fault } from "../../../lib/faults.ts";
import { NO_USAGE } from "../../usage.ts";
import { ResponsesStream } from "./stream.ts";

const decoder = new TextDecoder();
const OPTIONS = { model: "ours-1.0", echo: { store: "true", previous_response_id: "null" } };
const END = { cost: "0.002", usage: NO_USAGE, echo: {} };
const USAGE = { input_tokens: 11, output_tokens: 4, total_tokens: 15 };
const ITEM = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "hello", annotations: [] }],
};

function response(fields: object = {}) {
  return {
    id: "resp_1",
    object: "response",
    status: "in_progress",
    model: "vendor-x",
    output: [] as unknown[],
    store: false,
    usage: null as unknown,
    ...fields,
  };
}

let next = 0;
function event(type: string, fields: object, named = true): string {
  const data = JSON.stringify({ type, sequence_number: next++, ...fields });
  return named ? `event: ${type}\ndata: ${data}\n\n` : `data: ${data}\n\n`;
}

/** A whole answer of one short message, as a list of events. */
function answer(named = true): string[] {
  next = 0;
  const text = (type: string, fields: object) =>
    event(type, { item_id: "msg_1", output_index: 0, content_index: 0, ...fields }, named);
  return [
    event("response.created", { response: response() }, named),
    event("response.in_progress", { response: response() }, named),
    event("response.output_item.added", { output_index: 0, item: { ...ITEM, content: [] } }, named),
    text("response.output_text.delta", { delta: "hel", logprobs: [] }),
    text("response.output_text.delta", { delta: "lo", logprobs: [] }),
    text("response.output_text.done", { text: "hello" }),
    event("response.output_item.done", { output_index: 0, item: ITEM }, named),
    event(
      "response.completed",
      { response: response({ status: "completed", output: [ITEM], usage: USAGE }) },
      named,
    ),
  ];
}

interface Read {
  readonly type: string;
  readonly sequence_number: number;
  readonly response?: Record<string, unknown>;
  readonly error?: Record<string, unknown>;
  readonly [name: string]: unknown;
}

/** The events of an answer as the client reads them. */
function events(text: string): Read[] {
  return text
    .split("\n\n")
    .filter(Boolean)
    .map((block) => {
      const data =
        block
          .split("\n")
          .find((line) => line.startsWith("data: "))
          ?.slice(6) ?? "";
      if (data === "[DONE]") return { type: "[DONE]", sequence_number: -1 };
      const parsed = JSON.parse(data) as Read;
      expect(block.split("\n")[0]).toBe(`event: ${parsed.type}`);
      return parsed;
    });
}

function pass(chunks: readonly string[], close = true) {
  const stream = new ResponsesStream(OPTIONS);
  let out = "";
  for (const chunk of chunks) out += given(stream.push(Buffer.from(chunk)));
  if (close) out += given(stream.close());
  return { out, stream };
}

function expectRising(list: readonly Read[]): void {
  const numbers = list.filter(({ type }) => type !== "[DONE]").map((e) => e.sequence_number);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(numbers.length);
}

describe("a Responses stream that ends well", () => {
  test("keeps its terminal event back until it is finished, then ends with the marker", () => {
    const { out, stream } = pass([answer().join("")]);
    expect(events(out).map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.output_item.done",
    ]);
    expect(stream.ended).toBe(true);
    const [completed, done] = events(given(stream.finish(END)).toString());
    expect(done?.type).toBe("[DONE]");
    expect(completed?.response).toMatchObject({
      id: "resp_1",
      model: "ours-1.0",
      output: [ITEM],
      output_text: "hello",
      store: true,
      previous_response_id: null,
      usage: { ...USAGE, cost: 0.002, cost_exact: "0.002" },
    });
  });

  test("carries our model and what we keep in every snapshot", () => {
    for (const { response: snapshot } of events(pass([answer().join("")]).out).slice(0, 2)) {
      expect(snapshot).toMatchObject({ model: "ours-1.0", store: true, output_text: "" });
    }
  });

  test("keeps the vendor's own price to itself in every snapshot", () => {
    const usage = { ...USAGE, cost_in_usd_ticks: 37_756_000, cost_details: { upstream: 1 } };
    next = 0;
    const { out, stream } = pass([
      event("response.created", { response: response({ usage: { ...usage, cost: 1 } }) }),
      event("response.completed", { response: response({ status: "completed", usage }) }),
    ]);
    expect(events(out)[0]?.response?.usage).toEqual(USAGE);
    expect(stream.usage?.vendorCost).toBe("0.0037756");
    const [completed] = events(given(stream.finish(END)).toString());
    expect(completed?.response?.usage).toEqual({ ...USAGE, cost: 0.002, cost_exact: "0.002" });
    const hidden = given(stream.finish({ ...END, cost: undefined })).toString();
    expect(hidden).not.toContain("cost");
  });

  test("reads usage, id and the final object", () => {
    const { stream } = pass([answer().join("")]);
    expect(stream.usage).toMatchObject({ fresh: 11, output: 4 });
    expect(stream.id).toBe("resp_1");
    expect(stream.final?.status).toBe("completed");
    expect(stream.outputTokens).toBe(5 / 4);
  });

  test("an incomplete answer is an end too", () => {
    const list = answer().slice(0, -1);
    const final = response({ status: "incomplete", incomplete_details: {}, usage: USAGE });
    const { stream } = pass([...list, event("response.incomplete", { response: final })]);
    expect(stream.ended).toBe(true);
    expect(events(given(stream.finish(END)).toString())[0]?.type).toBe("response.incomplete");
  });

  test.each([[[]], [null], [undefined]])(
    "whose last event lists %p has the items that were done on the way, in their order",
    (output) => {
      const search = { id: "ws_1", type: "web_search_call", status: "completed" };
      const list = answer().slice(0, -2);
      // Done behind the message, and yet before it in the answer.
      list.push(event("response.output_item.done", { output_index: 1, item: ITEM }));
      list.push(event("response.output_item.done", { output_index: 0, item: search }));
      const final = response({ status: "completed", output, usage: USAGE, x: 1 });
      const { stream } = pass([...list, event("response.completed", { response: final })]);
      expect(stream.final?.output).toEqual([search, ITEM]);
      expect(stream.usage).toMatchObject({ output: 4, webSearches: 1 });
      expect([stream.webSearches, stream.outputTokens]).toEqual([1, 5 / 4]);
      const [completed] = events(given(stream.finish(END)).toString());
      expect(completed?.response).toMatchObject({
        ...{ id: "resp_1", model: "ours-1.0", status: "completed", x: 1 },
        output: [search, ITEM],
        output_text: "hello",
        usage: { ...USAGE, cost: 0.002, cost_exact: "0.002" },
      });
    },
  );

  test("what is told at the end about keeping wins", () => {
    const { stream } = pass([answer().join("")]);
    const end = events(given(stream.finish({ ...END, echo: { store: "false" } })).toString());
    expect(end[0]?.response?.store).toBe(false);
  });

  test("events without names get them", () => {
    const { out, stream } = pass([answer(false).join("")]);
    expect(events(out)).toHaveLength(7);
    expect([stream.ended, stream.outputTokens]).toEqual([true, 5 / 4]);
  });

  test("line ends become LF whatever the vendor writes", () => {
    const crlf = answer().join("").replaceAll("\n", "\r\n");
    const { out, stream } = pass([crlf]);
    expect(out).toBe(pass([answer().join("")]).out);
    expect(stream.ended).toBe(true);
  });

  test("unknown fields, escapes and number forms survive", () => {
    const list = answer();
    const odd = `event: response.output_text.annotation.added\ndata: {"type":"response.output_text.annotation.added","sequence_number":3, "x" : 1.50, "big":12345678901234567890,"u":"\\u0041"}\n\n`;
    const { out } = pass([list.slice(0, 3).join("") + odd]);
    expect(out.endsWith(odd)).toBe(true);
  });

  test("a marker or events behind the end change nothing", () => {
    const { out, stream } = pass([`${answer().join("")}data: [DONE]\n\ndata: [DONE]\n\n`]);
    expect(out).not.toContain("[DONE]");
    expect(
      given(stream.finish(END))
        .toString()
        .match(/\[DONE\]/g),
    ).toHaveLength(1);
  });

  test("what is only in the last event has been delivered too", () => {
    const [created = ""] = answer();
    const call = { type: "function_call", name: "look", arguments: "" };
    const final = response({ status: "completed", output: [ITEM, call] });
    const { stream } = pass([created, event("response.completed", { response: final })]);
    expect(stream.outputTokens).toBe("hellolook".length / 4);
  });

  test("absurd usage is clamped", () => {
    const list = answer().slice(0, -1);
    const usage = { input_tokens: -1, output_tokens: 9e15 };
    const final = response({ status: "completed", usage });
    const { stream } = pass([...list, event("response.completed", { response: final })]);
    expect(stream.usage).toMatchObject({ fresh: 0, output: 100_000_000, clamped: true });
  });
});

describe("signs of life", () => {
  test("take a number of their own and move those behind them", () => {
    const list = answer();
    const stream = new ResponsesStream(OPTIONS);
    let out = "";
    list.forEach((text, i) => {
      out += given(stream.push(Buffer.from(text)));
      if (i === 2 || i === 4) out += decoder.decode(stream.keepAlive());
    });
    out += given(stream.finish(END)).toString();
    const read = events(out);
    expect(read.filter(({ type }) => type === "keepalive")).toHaveLength(2);
    expect(read.slice(0, -1).map((e) => e.sequence_number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("one that is sent while the end waits for its settlement is numbered before the end", () => {
    const { out, stream } = pass([answer().join("")]);
    const late = decoder.decode(stream.keepAlive()) + given(stream.finish(END)).toString();
    expectRising(events(out + late));
  });

  test("are followed by a failure with rising numbers", () => {
    const { out, stream } = pass([answer().slice(0, 4).join("")], false);
    const end =
      decoder.decode(stream.keepAlive()) +
      given(stream.fail(new Fault("upstream_unavailable", "gone"))).toString();
    expectRising(events(out + end));
  });
});

describe("a Responses stream that fails", () => {
  test("is cut before its terminal event", () => {
    const { stream } = pass([answer().slice(0, -1).join("")]);
    expect([stream.ended, stream.failure?.status]).toEqual([false, 503]);
  });

  test("only a marker is no end", () => {
    const { stream } = pass([`${answer().slice(0, -1).join("")}data: [DONE]\n\n`]);
    expect([stream.ended, stream.failure?.status]).toEqual([false, 503]);
  });

  test("an error as the first event is known before anything was given out", () => {
    next = 0;
    const { out, stream } = pass([event("error", { error: { message: "no", code: "x" } })], false);
    expect([out, stream.started, stream.failure?.status]).toEqual(["", false, 503]);
  });

  test("an error on the way stops everything behind it, flat or nested", () => {
    for (const error of [{ error: { message: "m", code: "c" } }, { message: "m", code: "c" }]) {
      const list = answer();
      const { out, stream } = pass([list.slice(0, 4).join("") + event("error", error) + list[4]]);
      expect(events(out)).toHaveLength(4);
      expect(stream.failure?.status).toBe(503);
    }
  });

  test("a failed response brings its usage along", () => {
    const list = answer().slice(0, 4);
    const failed = response({
      status: "failed",
      error: { code: "server_error", message: "m" },
      usage: USAGE,
    });
    const { out, stream } = pass([...list, event("response.failed", { response: failed })]);
    expect(events(out)).toHaveLength(4);
    expect(stream.failure?.status).toBe(503);
    expect(stream.usage).toMatchObject({ fresh: 11, output: 4 });
  });

  test("tells it as an error, a failed response in the same terms, and the marker", () => {
    const { out, stream } = pass([answer().slice(0, 7).join("")], false);
    const fault = new Fault("upstream_unavailable", "The vendor broke off.");
    const [error, failed, done] = events(given(stream.fail(fault)).toString());
    expect(error).toMatchObject({
      type: "error",
      code: "server_error",
      message: "The vendor broke off.",
      param: null,
      error: { code: "server_error", message: "The vendor broke off.", param: null },
    });
    expect(failed?.type).toBe("response.failed");
    expect(failed).not.toHaveProperty("error");
    expect(failed?.response).toMatchObject({
      id: "resp_1",
      model: "ours-1.0",
      status: "failed",
      error: { code: "server_error", message: "The vendor broke off." },
      output: [ITEM],
      output_text: "hello",
      usage: null,
    });
    expect(done?.type).toBe("[DONE]");
    expectRising([...events(out), error, failed].filter((e) => e !== undefined));
  });

  test("a money fault keeps its own code", () => {
    const { stream } = pass([answer().slice(0, 4).join("")], false);
    const [error] = events(given(stream.fail(new Fault("storage_unavailable", "x"))).toString());
    expect(error?.code).toBe("storage_unavailable");
  });

  test("what is no event is an error of the vendor, never passed on", () => {
    for (const junk of ["data: {\n\n", 'data: "x"\n\n', "data: {}\n\n"]) {
      expect(() => pass([answer()[0] ?? "", junk], false)).toThrow();
    }
  });
});
