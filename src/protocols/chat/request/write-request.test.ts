import { describe, expect, test } from "bun:test";
import { UPSTREAM_OPTIONS } from "../../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../../config/config.ts";
import { seal } from "../../envelope.ts";
import { ANYTHING } from "../../unpriced.ts";
import type { Dialect, UpstreamOptions } from "../../wire.ts";
import { chatWire } from "../wire.ts";

const wire = chatWire(readConfig({}).limits);
const BASE = { model: "m-1.0", messages: [{ role: "user", content: "hi" }] };
const OPENAI: Dialect = { developerRole: true, customTools: true };
const OPTIONS: UpstreamOptions = {
  ...UPSTREAM_OPTIONS,
  model: "vendor-name",
  maxOutput: 100_000,
  dialect: OPENAI,
};

function writeWith(options: Partial<UpstreamOptions>, body: object) {
  const text = JSON.stringify(body);
  const request = wire.readRequest(JSON.parse(text), text);
  const written = wire.writeRequest(request, { ...OPTIONS, ...options });
  return { body: JSON.parse(written.text), dropped: written.dropped, text: written.text };
}

const write = (body: object, outputClamp?: number) => writeWith({ outputClamp }, body);

describe("writing a chat request for a vendor of the same wire", () => {
  test("changes the model and nothing else, to the byte", () => {
    const text =
      '{ "model" : "m-1.0", "messages":[{"role":"user","content":"h\\u0069"}], "seed": 12345678901234567890, "x":1.0 }';
    const request = wire.readRequest(JSON.parse(text), text);
    const options = { ...OPTIONS, model: "v", allows: ANYTHING };
    expect(wire.writeRequest(request, options).text).toBe(text.replace('"m-1.0"', '"v"'));
  });

  test("asks for usage on every stream and keeps the client's other options", () => {
    const stream_options = { include_usage: false, include_obfuscation: false };
    expect(write({ ...BASE, stream: true }).body.stream_options).toEqual({ include_usage: true });
    expect(write({ ...BASE, stream: true, stream_options }).body.stream_options).toEqual({
      include_usage: true,
      include_obfuscation: false,
    });
    expect(write(BASE).body).not.toHaveProperty("stream_options");
  });

  test("keeps the client's wish for counts from a vendor that does not know the word", () => {
    const asked = { ...BASE, stream: true, usage: { include: true } };
    const { body, dropped } = write(asked);
    expect([body.usage, body.stream_options, dropped]).toEqual([
      undefined,
      { include_usage: true },
      [],
    ]);
    const takes = { dialect: { ...OPENAI, takes: ["usage"] } };
    expect(writeWith(takes, asked).body.usage).toEqual({ include: true });
  });

  test.each([
    ["the newer of two", { max_tokens: 90, max_completion_tokens: 70 }, undefined, [70]],
    ["the newer of two, clamped", { max_tokens: 90, max_completion_tokens: 70 }, 50, [50]],
    ["the newer beside none", { max_tokens: null, max_completion_tokens: 70 }, 50, [50]],
    ["the newer where none is said", { max_tokens: null }, 50, [50]],
    ["the older where only that is said", { max_tokens: 90 }, 50, [undefined, 50]],
    ["the older beside none", { max_tokens: 90, max_completion_tokens: null }, 50, [undefined, 50]],
    ["none where none is said", { max_tokens: null }, undefined, []],
  ])("tells a vendor one maximum of output: %s", (_name, asked, clamp, [newer, older]) => {
    const { body } = write({ ...BASE, ...asked }, clamp);
    expect(body.max_completion_tokens ?? undefined).toBe(newer);
    expect(body.max_tokens ?? undefined).toBe(older);
  });

  test("leaves out what has no price and says so", () => {
    const { body, dropped } = write({ ...BASE, service_tier: "priority", web_search_options: {} });
    expect(dropped).toEqual(["service_tier", "web_search_options"]);
    expect(body).not.toHaveProperty("service_tier");
    expect(body).not.toHaveProperty("web_search_options");
    expect(write({ ...BASE, service_tier: "auto" }).dropped).toEqual([]);
  });

  test("leaves out tools that a vendor would run, and what only goes with tools", () => {
    const search = { type: "web_search" };
    const tool = { type: "function", function: { name: "f" } };
    const some = write({ ...BASE, tools: [search, tool], tool_choice: "auto" });
    expect([some.body.tools, some.body.tool_choice]).toEqual([[tool], "auto"]);
    expect(some.dropped).toEqual(["tools[0]"]);
    const none = write({
      ...BASE,
      tools: [search],
      tool_choice: "auto",
      parallel_tool_calls: true,
    });
    expect(none.body).toEqual(write(BASE).body);
  });

  test("lets no vendor keep anything", () => {
    const { body } = write({ ...BASE, store: true, metadata: { a: "b" } });
    expect(body.store).toBe(false);
    expect(body).not.toHaveProperty("metadata");
  });

  test.each([
    [{}, { max_completion_tokens: 50 }],
    [{ max_tokens: 100 }, { max_tokens: 50 }],
    [{ max_completion_tokens: 100 }, { max_completion_tokens: 50 }],
    [{ max_completion_tokens: 20 }, { max_completion_tokens: 20 }],
    [{ max_tokens: 50 }, { max_tokens: 50 }],
  ])("clamps %p to 50 as %p", (asked, sent) => {
    expect(write({ ...BASE, ...asked }, 50).body).toMatchObject(sent);
  });

  test.each([
    { max_completion_tokens: 100, max_tokens: null },
    { max_completion_tokens: 100, max_tokens: 5 },
    { max_completion_tokens: 100, max_tokens: 100 },
  ])("leaves no limit above the clamp: %p", (asked) => {
    const { body } = write({ ...BASE, ...asked }, 50);
    for (const limit of [body.max_tokens, body.max_completion_tokens]) {
      if (typeof limit === "number") expect(limit).toBeLessThanOrEqual(50);
    }
  });
});

describe("writing a chat request in a vendor's dialect", () => {
  const custom = { type: "custom", custom: { name: "patch", description: "Edits files." } };
  const plain = { type: "function", function: { name: "f", "x-own": 1 } };
  const write = (dialect: Dialect, body: object) => writeWith({ dialect }, { ...BASE, ...body });

  test.each([
    [{ max_completion_tokens: 7 }, { max_tokens: 7 }],
    [{ max_tokens: 7 }, { max_tokens: 7 }],
    [{ max_tokens: 9, max_completion_tokens: 7 }, { max_tokens: 7 }],
    [{ max_completion_tokens: null }, {}],
    [{}, {}],
  ])("gives the output maximum %p the vendor's name", (asked, sent) => {
    const { model: _, messages: __, ...rest } = write({ maxTokensName: "max_tokens" }, asked).body;
    expect(rest).toEqual(sent);
  });

  test("clamps under the vendor's name", () => {
    const dialect: Dialect = { maxTokensName: "max_tokens" };
    const clamped = (asked: object) =>
      writeWith({ dialect, outputClamp: 5 }, { ...BASE, ...asked }).body;
    expect(clamped({}).max_tokens).toBe(5);
    expect(clamped({ max_completion_tokens: 9 })).toMatchObject({ max_tokens: 5 });
    expect(clamped({ max_completion_tokens: 3 })).toMatchObject({ max_tokens: 3 });
    expect(clamped({ max_completion_tokens: 9 })).not.toHaveProperty("max_completion_tokens");
  });

  test("turns developers into the system where that is all there is", () => {
    const messages = [{ role: "developer", content: "x" }, BASE.messages[0]];
    expect(write({}, { messages }).body.messages[0]).toEqual({ role: "system", content: "x" });
    expect(write(OPENAI, { messages }).body.messages).toEqual(messages);
  });

  test("wraps tools of free text, their calls and their choice as functions", () => {
    const call = { id: "c1", type: "custom", custom: { name: "patch", input: 'a "b"' } };
    const body = {
      tools: [custom, plain],
      tool_choice: { type: "custom", custom: { name: "patch" } },
      messages: [
        ...BASE.messages,
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "done" },
      ],
    };
    const sent = write({}, body).body;
    expect(sent.tools[0]).toMatchObject({
      type: "function",
      function: { name: "patch", description: "Edits files.", parameters: { required: ["input"] } },
    });
    expect(sent.tools[1].function.name).toBe("f");
    expect(sent.tool_choice).toEqual({ type: "function", function: { name: "patch" } });
    const { function: inner } = sent.messages[1].tool_calls[0];
    expect(JSON.parse(inner.arguments)).toEqual({ input: 'a "b"' });
    expect(write(OPENAI, body).body).toMatchObject(body);
  });

  test("gives a schema as JSON with instructions where the vendor knows no schemas", () => {
    const schema = { type: "object", properties: { a: { type: "number" } } };
    const response_format = { type: "json_schema", json_schema: { name: "n", schema } };
    const { body, dropped } = write({ jsonSchema: false }, { response_format });
    expect(dropped).toEqual(["response_format.json_schema"]);
    expect(body.response_format).toEqual({ type: "json_object" });
    expect(body.messages[0].role).toBe("system");
    expect(body.messages[0].content).toContain(JSON.stringify(schema));
    expect(body.messages.slice(1)).toEqual(BASE.messages);
    expect(write({}, { response_format }).body.response_format).toEqual(response_format);
    expect(
      write({ jsonSchema: false }, { response_format: { type: "json_object" } }).dropped,
    ).toEqual([]);
  });

  test("leaves out what the vendor refuses, by name where the client asked for it", () => {
    const dialect: Dialect = { refuses: ["seed", "logit_bias", "stream_options", "store"] };
    const asked = { seed: 1, stream: true, store: true, logit_bias: null };
    const { body, dropped } = write(dialect, asked);
    expect(dropped).toEqual(["seed"]);
    expect(Object.keys(body).sort()).toEqual(["messages", "model", "stream"]);
  });

  test("leaves out sampling where the model has none", () => {
    const asked = { temperature: 0.5, top_p: null, presence_penalty: 1, seed: 1 };
    const { body, dropped } = writeWith({ rules: ["no_sampling"] }, { ...BASE, ...asked });
    expect(dropped).toEqual(["temperature", "presence_penalty"]);
    expect(body).not.toHaveProperty("temperature");
    expect(body.seed).toBe(1);
    expect(writeWith({}, { ...BASE, ...asked }).body).toMatchObject(asked);
  });

  test("passes a search on where it has a price", () => {
    const body = { ...BASE, web_search_options: { search_context_size: "low" } };
    const { web_search_options } = writeWith({ webSearch: true }, body).body;
    expect(web_search_options).toEqual(body.web_search_options);
    expect(writeWith({ webSearch: true }, body).dropped).toEqual([]);
    expect(writeWith({}, body).dropped).toEqual(["web_search_options"]);
  });
});

describe("thinking on its way back to a vendor of the same wire", () => {
  const ours = { type: "reasoning.encrypted", data: seal("messages", { signature: "s" }) };
  const theirs = { type: "reasoning.text", text: "hm", signature: "own" };
  const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
  const signed = { ...call, extra_content: { google: { thought_signature: "g" } } };
  const told = { role: "assistant", content: "x", reasoning_content: "hm" };
  const calling = { role: "assistant", content: null };
  const written = (dialect: Dialect, message: object) =>
    writeWith({ dialect }, { ...BASE, messages: [...BASE.messages, message] });
  const sent = (dialect: Dialect, message: object) => written(dialect, message).body.messages[1];

  test("is left out where the vendor does not know it", () => {
    const details = [ours, theirs];
    expect(sent(OPENAI, { ...told, reasoning_details: details })).toEqual({
      role: "assistant",
      content: "x",
    });
    expect(sent(OPENAI, { ...calling, tool_calls: [signed] })).toEqual({
      ...calling,
      tool_calls: [call],
    });
  });

  test("stays where the vendor wants it, without our envelopes", () => {
    const dialect: Dialect = { reasoningBack: true };
    expect(sent(dialect, { ...told, reasoning_details: [ours, theirs] })).toEqual({
      ...told,
      reasoning_details: [theirs],
    });
    expect(sent(dialect, { ...told, reasoning_details: [ours] })).toEqual(told);
    expect(sent(dialect, { ...told, tool_calls: [signed] })).toEqual({
      ...told,
      tool_calls: [signed],
    });
  });

  test("is named where nothing of it goes to the vendor", () => {
    const dropped = (dialect: Dialect, message: object) => written(dialect, message).dropped;
    const back: Dialect = { reasoningBack: true };
    const hidden = { ...calling, tool_calls: [call], reasoning_details: [ours] };
    expect(dropped(OPENAI, told)).toEqual(["reasoning"]);
    expect(dropped(OPENAI, { ...calling, tool_calls: [signed] })).toEqual(["reasoning"]);
    expect(dropped(back, hidden)).toEqual(["reasoning"]);
    expect(dropped(back, { ...told, reasoning_details: [ours] })).toEqual([]);
    expect(dropped(back, { ...calling, tool_calls: [signed] })).toEqual([]);
    expect(dropped(OPENAI, { ...told, reasoning_content: null })).toEqual([]);
  });

  test("is not taken for the setting of its name", () => {
    const dialect: Dialect = { takes: ["reasoning"] };
    const body = { ...BASE, reasoning: { effort: "low" }, messages: [...BASE.messages, told] };
    expect(writeWith({ dialect }, body).body.reasoning).toEqual({ effort: "low" });
  });

  test("is not empty on a turn with calls that another model took", () => {
    const dialect: Dialect = { reasoningBack: true };
    const message = sent(dialect, { ...calling, tool_calls: [call] });
    expect(message).toEqual({ ...calling, tool_calls: [call], reasoning_content: " " });
    expect(sent(dialect, { role: "assistant", content: "x" })).not.toHaveProperty(
      "reasoning_content",
    );
  });
});
