import { describe, expect, test } from "bun:test";
import { given } from "../../../../test/support/clients/given.ts";
import { readText, textOf } from "../../../../test/support/vendors/whole-answers.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { outputText, ownResponse, readResponseResult, writeResponse } from "./result.ts";
import { ResponsesStream } from "./stream.ts";

const TEXT =
  '{ "id":"resp_1","object":"response","created_at":1794700000,"model":"vendor-x","status":"completed","store":false,"odd": 1.50,' +
  '"output":[{"type":"reasoning","summary":[{"text":"hm"}]},{"type":"message","content":[' +
  '{"type":"output_text","text":"he"},{"type":"refusal","refusal":"no"},{"type":"output_text","text":"y"}]},' +
  '{"type":"function_call","arguments":"{}"}],"usage":{"input_tokens":5,"output_tokens":2,"total_tokens":7,"new":7} }';

describe("readResponseResult", () => {
  test("writes our model, the text in one piece, what we keep and the cost; the rest to the byte", () => {
    const result = readText(readResponseResult, TEXT);
    const options = { model: "ours-1.0", echo: { store: "true" } };
    expect(result.write(options, { cost: "0.5", usage: NO_USAGE, echo: {} })).toBe(
      TEXT.replace("vendor-x", "ours-1.0")
        .replace('"store":false', '"store":true')
        .replace('"new":7', '"new":7,"cost":0.5,"cost_exact":"0.5"')
        .replace("} }", '},"output_text":"hey" }'),
    );
  });

  test("is the same as an object", () => {
    for (const text of [TEXT, '{"output":[],"usage":null,"__proto__":1}', '{"output":[{}]}']) {
      const result = readText(readResponseResult, text);
      for (const mended of [true, false]) {
        const end = { cost: "0.5", usage: NO_USAGE, mended, echo: { store: "false" } };
        const options = { model: "ours-1.0", echo: { store: "true", user: '"u"' } };
        const written = writeResponse(JSON.stringify(result.body), result.body, options, end);
        const own = ownResponse(result.body, options, end);
        expect(JSON.stringify(own)).toBe(JSON.stringify(JSON.parse(written)));
      }
    }
  });

  test("reads id, usage and all text that was generated", () => {
    const result = readText(readResponseResult, TEXT);
    expect(result.id).toBe("resp_1");
    expect(result.usage).toMatchObject({ fresh: 5, output: 2 });
    expect(result.outputTokens).toBe(9 / 4);
    expect(result.failure).toBeUndefined();
  });

  test("shows no cost where the key hides it", () => {
    const end = { cost: undefined, usage: NO_USAGE, echo: {} };
    expect(readText(readResponseResult, TEXT).write({ model: "m", echo: {} }, end)).not.toContain(
      "cost",
    );
  });

  test("keeps the vendor's own price from the client", () => {
    const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const costs = { cost: 0.7, cost_details: { a: 1 }, cost_in_usd_ticks: 9, estimated_cost: 1 };
    const text = JSON.stringify({ output: [], usage: { ...usage, ...costs } });
    const write = (cost: string | undefined) => {
      const end = { cost, usage: NO_USAGE, echo: {} };
      const options = { model: "m", echo: {} };
      const result = readText(readResponseResult, text);
      const written = JSON.parse(textOf(result.write(options, end)));
      expect(ownResponse(result.body, options, end).usage).toEqual(written.usage);
      return written.usage;
    };
    expect(write(undefined)).toEqual(usage);
    expect(write("0.5")).toEqual({ ...usage, cost: 0.5, cost_exact: "0.5" });
  });

  test.each([
    [{ cost_in_usd_ticks: 37_756_000 }, "0.0037756"],
    [{ cost: 0.0123 }, "0.0123"],
    [{ cost: "much" }, undefined],
    [{}, undefined],
  ])("reads what the vendor charged of %j", (costs, expected) => {
    const usage = { input_tokens: 1, output_tokens: 2, ...costs };
    const result = readText(readResponseResult, JSON.stringify({ output: [], usage }));
    expect(result.usage?.vendorCost).toBe(expected);
  });

  test("says what was priced where the vendor said nothing", () => {
    const usage = { ...NO_USAGE, fresh: 7, output: 3 };
    const bare = readText(readResponseResult, '{"output":[],"usage":null}');
    const written = textOf(bare.write({ model: "m", echo: {} }, { cost: "1", usage, echo: {} }));
    expect(JSON.parse(written).usage).toMatchObject({
      input_tokens: 7,
      output_tokens: 3,
      total_tokens: 10,
      cost: 1,
      cost_exact: "1",
    });
  });

  const web = (type?: string) => ({
    type: "web_search_call",
    status: "completed",
    ...(type && { action: { type } }),
  });
  const PAGES = [web("search"), web("open_page"), web("find_in_page"), web("find"), web()];

  test.each([
    ["what it lists, where pages that were opened are no searches", {}, 2],
    ["its bill", { tool_usage: { web_search: { num_requests: 1 } } }, 1],
    ["none on its bill", { tool_usage: { web_search: { num_requests: 0 } } }, 0],
    ["its list where the bill has no count", { tool_usage: { web_search: null } }, 2],
    ["its list where the bill is absurd", { tool_usage: { web_search: { num_requests: -1 } } }, 2],
    ["the calls of xAI", { usage: { server_side_tool_usage_details: { web_search_calls: 4 } } }, 4],
  ])("the vendor's searches are %s", (_name, more, expected) => {
    const { usage: details = {}, ...members } = more as Record<string, object>;
    const usage = { input_tokens: 5, output_tokens: 2, total_tokens: 7, ...details };
    const text = JSON.stringify({ output: PAGES, ...members, usage });
    const result = readText(readResponseResult, text);
    expect([result.webSearches, result.usage?.webSearches]).toEqual([expected, expected]);
    const stream = new ResponsesStream({ model: "m", echo: {} });
    const done = PAGES.map((item) => ({ type: "response.output_item.done", item }));
    const completed = { type: "response.completed", response: JSON.parse(text) };
    for (const event of done) stream.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    expect(stream.webSearches).toBe(2);
    stream.push(Buffer.from(`data: ${JSON.stringify(completed)}\n\n`));
    expect([stream.webSearches, stream.usage?.webSearches]).toEqual([expected, expected]);
  });

  test("a failed response is a failure although its status was 200", () => {
    const text = '{"status":"failed","error":{"code":"server_error","message":"m"},"output":[]}';
    expect(readText(readResponseResult, text).failure?.status).toBe(503);
    expect(readText(readResponseResult, '{"error":{"message":"m"}}').failure?.status).toBe(503);
  });

  test.each(["", "[]", "5", "{}", '{"output":null}', "<html>", '{"output":[}'])(
    "%p is not an answer",
    (text) => {
      expect(() => readText(readResponseResult, text)).toThrow();
    },
  );
});

test("outputText is empty for whatever is no list of messages", () => {
  for (const output of [undefined, null, "x", [null], [{ type: "message" }], [{ content: [] }]]) {
    expect(outputText(output)).toBe("");
  }
});

describe("a response of a vendor that has its own idea of one", () => {
  const output = [
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "hi" }] },
  ];
  const end = { cost: undefined, usage: readUsage(), echo: {} };
  function readUsage() {
    return readText(
      readResponseResult,
      JSON.stringify({ output, usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } }),
    ).usage as Usage;
  }

  test("is told with the id, the kind, the time and the counts that every one has", () => {
    const raw = {
      id: "gen-1/x",
      created_at: 17.5,
      output,
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    const result = readText(readResponseResult, JSON.stringify(raw));
    const told = JSON.parse(textOf(result.write({ model: "ours-1.0", echo: {} }, end)));
    expect(told).toMatchObject({
      ...{ id: "resp_gen-1_x", object: "response", created_at: 17, model: "ours-1.0" },
      usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
      output_text: "hi",
    });
    expect([result.id, result.body.id]).toEqual([told.id, told.id]);
  });

  test("without any of it gets it", () => {
    const told = JSON.parse(
      textOf(
        readText(readResponseResult, JSON.stringify({ output })).write(
          { model: "m", echo: {} },
          end,
        ),
      ),
    );
    expect(told.id).toMatch(/^resp_\w+$/);
    expect(Number.isInteger(told.created_at)).toBe(true);
    expect(told.usage).toMatchObject({ input_tokens: 3, output_tokens: 4, total_tokens: 7 });
  });

  test("keeps one id through its stream", () => {
    for (const id of ["gen-1", undefined]) {
      const stream = new ResponsesStream({ model: "m", echo: {} });
      const event = (type: string, more: object) =>
        Buffer.from(`data: ${JSON.stringify({ type, response: { id, output: [], ...more } })}\n\n`);
      const begun = given(stream.push(event("response.created", {}))).toString();
      stream.push(event("response.completed", { output, status: "completed" }));
      const ended = given(stream.finish(end)).toString();
      const ids = [begun, ended].map((text) => /"id":"(resp_[^"]+)"/.exec(text)?.[1]);
      expect(ids).toEqual([stream.id, stream.id]);
      expect(stream.final?.id).toBe(stream.id);
    }
  });
});
