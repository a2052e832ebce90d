import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { given } from "../../../test/support/clients/given.ts";
import { UPSTREAM_OPTIONS } from "../../../test/support/samples/upstream-options.ts";
import { readText } from "../../../test/support/vendors/whole-answers.ts";
import { readConfig } from "../../config/config.ts";
import { UNBOUNDED } from "../../lib/json/json-bounds.ts";
import { readLargeJson } from "../../lib/json/large-json.ts";
import type { JsonText } from "../bytes/splice.ts";
import { eventData, SseFramer } from "../bytes/sse.ts";
import { NO_USAGE } from "../usage.ts";
import type { Endpoint, UpstreamOptions } from "../wire.ts";
import { openWires } from "../wires.ts";
import { openTranslation } from "./translate.ts";

const wires = openWires(readConfig({}).limits);
const options = UPSTREAM_OPTIONS;
const answer = { model: "ours-1.0", echo: {} };

function chatRequest(more: object) {
  const body = { model: "ours-1.0", messages: [{ role: "user", content: "hi" }], ...more };
  return wires.chat.readRequest(body, JSON.stringify(body));
}

const PATCH = { type: "custom", custom: { name: "patch" } };

describe("a tool of free text on a vendor that has none", () => {
  const request = chatRequest({ tools: [PATCH], stream: true });
  const translation = () => openTranslation(wires.chat, wires.chat, request, {});

  test("goes out as a function, though both sides speak the same wire", () => {
    const { text } = translation().writeRequest(options);
    expect(JSON.parse(text).tools[0]).toMatchObject({ type: "function" });
  });

  test("comes back as the tool that the client declared, its text whole", () => {
    const way = translation();
    way.writeRequest(options);
    const pass = way.openStream(answer);
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: "c", model: "theirs", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const call = { index: 0, id: "call_1", type: "function", function: { name: "patch" } };
    const parts = ['{"inp', 'ut":"a\\n', '\\"b\\""}'];
    const stream = [
      chunk({ role: "assistant", tool_calls: [call] }),
      ...parts.map((text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
      chunk({}, "tool_calls"),
      "data: [DONE]\n\n",
    ].join("");
    const bytes = given(pass.push(Buffer.from(stream)));
    const events = new SseFramer().push(bytes).map((event) => JSON.parse(eventData(event) ?? "{}"));
    const deltas = events.flatMap((event) => event.choices[0]?.delta.tool_calls ?? []);
    expect(deltas[0]).toMatchObject({ id: "call_1", type: "custom", custom: { name: "patch" } });
    const input = deltas.map((delta: { custom?: { input?: string } }) => delta.custom?.input ?? "");
    expect(input.join("")).toBe('a\n"b"');
    expect(pass.ended).toBe(true);
  });

  test("is refused with several choices, of which all but one would be lost", () => {
    const several = chatRequest({ tools: [PATCH], n: 2 });
    const way = openTranslation(wires.chat, wires.chat, several, {});
    expect(() => way.writeRequest(options)).toThrow(expect.objectContaining({ param: "n" }));
    const native = openTranslation(wires.chat, wires.chat, several, { customTools: true });
    expect(JSON.parse(native.writeRequest(options).text).n).toBe(2);
  });

  test("bytes pass where the vendor has such tools", () => {
    const native = openTranslation(wires.chat, wires.chat, request, { customTools: true });
    const { text } = native.writeRequest({ ...options, dialect: { customTools: true } });
    expect(JSON.parse(text).tools).toEqual([PATCH]);
  });
});

test("a failure of the vendor keeps the counts that came before it", () => {
  const body = { model: "m", max_tokens: 5, stream: true, messages: [] };
  const request = wires.chat.readRequest(
    { ...body, messages: [{ role: "user", content: "x" }] },
    JSON.stringify(body),
  );
  const pass = openTranslation(wires.chat, wires.messages, request, {}).openStream(answer);
  const start = {
    type: "message_start",
    message: {
      id: "m1",
      type: "message",
      role: "assistant",
      content: [],
      usage: { input_tokens: 7 },
    },
  };
  pass.push(Buffer.from(`event: message_start\ndata: ${JSON.stringify(start)}\n\n`));
  pass.close();
  expect(pass.failure?.status).toBe(503);
  expect(pass.usage?.fresh).toBe(7);
  expect(pass.ended).toBe(false);
});

test.each(["responses", "chat", "messages"] as const)(
  "several candidates are refused where the vendor speaks %s",
  (vendor) => {
    const contents = [{ role: "user", parts: [{ text: "hi" }] }];
    const body = { contents, generationConfig: { candidateCount: 2 } };
    const path = { model: "ours-1.0", stream: false };
    const request = wires.gemini.readRequest(body, JSON.stringify(body), path);
    const way = openTranslation(wires.gemini, wires[vendor], request, {});
    const param = "generationConfig.candidateCount";
    expect(() => way.writeRequest(options)).toThrow(expect.objectContaining({ param }));
  },
);

test("a stream that its own wire does not take for ended has failed", () => {
  const deaf = {
    ...wires.chat,
    openWriter: () => ({ write: () => "" }),
  };
  const pass = openTranslation(deaf, wires.messages, chatRequest({}), {}).openStream(answer);
  const events = [
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1 } } },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  for (const event of events) {
    pass.push(Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  }
  // Neither would have its reader ask for more for ever.
  expect([pass.ended, pass.failure?.fault]).toEqual([false, "upstream_unavailable"]);
});

test("searches count before the vendor has counted them", () => {
  const pass = openTranslation(wires.chat, wires.messages, chatRequest({}), {}).openStream(answer);
  const use = { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "fox" } };
  const found = { type: "web_search_result", url: "https://a.example/", title: "A" };
  const result = { type: "web_search_tool_result", tool_use_id: "s1", content: [found] };
  const events = [
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 9 } } },
    { type: "content_block_start", index: 0, content_block: use },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: result },
    { type: "content_block_stop", index: 1 },
  ];
  for (const event of events) {
    pass.push(Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  }
  // A client that leaves now has had its search.
  expect([pass.usage?.webSearches, pass.webSearches]).toEqual([0, 1]);
});

test("pages that the vendor opened are no searches, for a client that leaves too", () => {
  const pass = openTranslation(wires.chat, wires.responses, chatRequest({}), {}).openStream(answer);
  for (const [output_index, type] of ["search", "open_page", "find_in_page"].entries()) {
    const item = { id: type, type: "web_search_call", status: "completed", action: { type } };
    const event = { type: "response.output_item.done", output_index, item };
    pass.push(Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  }
  expect(pass.webSearches).toBe(1);
});

describe("a response that was made on another wire repeats what was used", () => {
  const WHOLE = {
    messages: {
      ...{ id: "msg_1", type: "message", role: "assistant", model: "theirs" },
      ...{ content: [{ type: "text", text: "hi" }], stop_reason: "end_turn" },
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    gemini: {
      candidates: [{ content: { role: "model", parts: [{ text: "hi" }] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
    chat: {
      ...{ id: "c", object: "chat.completion", model: "theirs" },
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    },
  };
  const f = { type: "function", name: "f", parameters: { type: "object" } };

  function ask(vendor: keyof typeof WHOLE, more: object, changes: Partial<UpstreamOptions> = {}) {
    const body = { model: "ours-1.0", input: "hi", ...more };
    const request = wires.responses.readRequest(body, JSON.stringify(body));
    const way = openTranslation(wires.responses, wires[vendor], request, changes.dialect ?? {});
    const written = way.writeRequest({ ...options, ...changes });
    const { text, dropped } = written;
    // A long one goes out in pieces, and a vendor cannot tell.
    expect([...written.pieces()].join("")).toBe(text);
    // What it costs is judged by what it says.
    expect(JSON.parse(JSON.stringify(written.value))).toEqual(JSON.parse(text));
    const read = (body: unknown, json: JsonText) => way.readResult(body, json, answer);
    const { body: response } = readText(read, JSON.stringify(WHOLE[vendor]));
    return { sent: JSON.parse(text), dropped, response };
  }

  test.each<
    [string, keyof typeof WHOLE, object, Partial<UpstreamOptions>, readonly string[], object]
  >([
    [
      "a temperature above the model's",
      "messages",
      { temperature: 1.7 },
      {},
      ["temperature"],
      { temperature: 1 },
    ],
    [
      "a temperature that the model does not take",
      "messages",
      { temperature: 0.3 },
      { rules: ["no_sampling"] },
      ["temperature"],
      { temperature: 1 },
    ],
    [
      "a temperature above the model's beside its thinking",
      "messages",
      { temperature: 1.7, reasoning: { effort: "high" } },
      { rules: ["adaptive_thinking"] },
      ["temperature"],
      { temperature: 1, reasoning: { effort: "high", summary: null } },
    ],
    [
      "one of two samplings",
      "messages",
      { temperature: 0.5, top_p: 0.5 },
      {},
      ["top_p"],
      { temperature: 0.5, top_p: 1 },
    ],
    [
      "an effort that the model has not",
      "messages",
      { reasoning: { effort: "minimal" } },
      { rules: ["adaptive_thinking"] },
      ["reasoning_effort"],
      { reasoning: { effort: "low", summary: null } },
    ],
    [
      "an effort above the model's",
      "gemini",
      { reasoning: { effort: "xhigh" } },
      { rules: ["thinking_level"] },
      ["reasoning_effort"],
      { reasoning: { effort: null, summary: null } },
    ],
    [
      "penalties",
      "messages",
      { presence_penalty: 1 },
      {},
      ["presence_penalty"],
      { presence_penalty: 0 },
    ],
    [
      "one call at a time",
      "gemini",
      { parallel_tool_calls: false, tools: [f] },
      {},
      ["parallel_tool_calls"],
      { parallel_tool_calls: true },
    ],
    [
      "a conversation that may be cut",
      "chat",
      { truncation: "auto" },
      {},
      ["truncation"],
      { truncation: "disabled" },
    ],
    [
      "a schema",
      "chat",
      { text: { format: { type: "json_schema", name: "n", schema: { type: "object" } } } },
      { dialect: { jsonSchema: false } },
      ["response_format.json_schema"],
      { text: { format: { type: "json_object" } } },
    ],
    [
      "tools that the vendor does not run",
      "chat",
      { tools: [{ type: "mcp" }, f, { type: "web_search" }] },
      {},
      ["tools[0]", "tools.web_search"],
      { tools: [{ description: null, strict: null, ...f }] },
    ],
    [
      "what a user is called",
      "gemini",
      { safety_identifier: "u", verbosity: "low" },
      {},
      ["verbosity", "user"],
      { safety_identifier: null },
    ],
    [
      "a maximum above the model's",
      "chat",
      { max_output_tokens: 5_000 },
      {},
      [],
      { max_output_tokens: 1_000 },
    ],
    [
      "a maximum that money lowers",
      "gemini",
      {},
      { outputClamp: 77 },
      [],
      { max_output_tokens: 77 },
    ],
    ["no maximum at all", "messages", {}, {}, [], { max_output_tokens: null }],
    [
      "everything that is taken",
      "chat",
      { temperature: 1.7, top_p: 0.2 },
      {},
      [],
      { temperature: 1.7, top_p: 0.2 },
    ],
  ])("%s", (_what, vendor, more, changes, names, said) => {
    const { dropped, response } = ask(vendor, more, changes);
    expect(dropped).toEqual(names);
    expect(response).toMatchObject(said);
  });

  test("in a stream from its first event on", () => {
    const body = { model: "ours-1.0", input: "hi", temperature: 1.7, stream: true };
    const request = wires.responses.readRequest(body, JSON.stringify(body));
    const way = openTranslation(wires.responses, wires.messages, request, {});
    way.writeRequest(options);
    const start = { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1 } } };
    const sent = way.openStream(answer).push(Buffer.from(`data: ${JSON.stringify(start)}\n\n`));
    const [created] = new SseFramer().push(given(sent));
    expect(JSON.parse(eventData(created ?? new Uint8Array()) ?? "{}").response.temperature).toBe(1);
  });

  test("names of members that every object has are only names", () => {
    const { dropped } = ask("chat", JSON.parse('{"constructor": 1, "toString": 2}'));
    expect(dropped).toEqual(["constructor", "toString"]);
  });
});

describe("a translated stream that has begun", () => {
  const STREAMS = 8;
  const MESSAGES = [{ role: "user", content: "hi" }];
  const BODIES = {
    responses: { model: "ours-1.0", input: MESSAGES, stream: true },
    chat: { model: "ours-1.0", messages: MESSAGES, stream: true },
    messages: { model: "ours-1.0", messages: MESSAGES, max_tokens: 5, stream: true },
    gemini: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  };
  const FIRST = {
    chat: { id: "c", model: "theirs", choices: [{ index: 0, delta: { content: "Hello" } }] },
    messages: { type: "message_start", message: { id: "m", usage: { input_tokens: 1 } } },
  };

  /** A stream of which something has come, and nothing else of its way. */
  function begun(client: Endpoint, vendor: "chat" | "messages", body: object, text: string) {
    const path = { model: "ours-1.0", stream: true };
    const request = wires[client].readRequest(body, text, path);
    const way = openTranslation(wires[client], wires[vendor], request, {});
    way.writeRequest(options);
    const pass = way.openStream(answer);
    pass.push(Buffer.from(`data: ${JSON.stringify(FIRST[vendor])}\n\n`));
    return pass;
  }

  /** Takes away what nobody holds. The collector may take one of several for used that is not, but not most of them. */
  async function collect(): Promise<void> {
    await Bun.sleep(0);
    Bun.gc(true);
  }

  const WAYS = [
    ["responses", "messages"],
    ["responses", "chat"],
    ["chat", "messages"],
    ["messages", "chat"],
    ["gemini", "chat"],
  ] as const;

  function severalBegun(client: Endpoint, vendor: "chat" | "messages") {
    const said: WeakRef<object>[] = [];
    const streams = Array.from({ length: STREAMS }, () => {
      const body = structuredClone(BODIES[client]);
      const { input, messages, contents } = body as Record<string, object>;
      said.push(new WeakRef((input ?? messages ?? contents) as object));
      return begun(client, vendor, body, JSON.stringify(body));
    });
    return { said, streams };
  }

  /** Of all ways at once: the collector looks through the whole process each time. */
  const begunOn = new Map<string, ReturnType<typeof severalBegun>>();
  beforeAll(async () => {
    for (const [client, vendor] of WAYS) {
      begunOn.set(`${client} behind ${vendor}`, severalBegun(client, vendor));
    }
    await collect();
  });
  afterAll(() => begunOn.clear());

  test.each(WAYS)("holds nothing of what was said, on %s behind %s", (client, vendor) => {
    const here = begunOn.get(`${client} behind ${vendor}`);
    expect(here?.streams.map(({ failure }) => failure)).toEqual(Array(STREAMS).fill(undefined));
    expect(here?.said.filter((list) => list.deref()).length).toBeLessThan(STREAMS / 2);
  });

  test("holds no large body by a long text that it will repeat", async () => {
    const instructions = "x".repeat(100_000);
    const body = { ...BODIES.responses, instructions, input: "y".repeat(2_000_000) };
    const text = JSON.stringify(body);
    await collect();
    const before = heapStats().heapSize;
    const streams = [];
    for (let i = 0; i < STREAMS; i++) {
      const own = Buffer.from(text).toString();
      streams.push(
        begun("responses", "chat", (await readLargeJson(own, UNBOUNDED)) as object, own),
      );
    }
    await collect();
    expect(heapStats().heapSize - before).toBeLessThan((STREAMS * text.length) / 2);
    expect(streams.filter(({ failure }) => failure)).toEqual([]);
  });
});

describe("a long answer in another wire's words", () => {
  const CHARS = 3_000_000;
  const SAID = "a fox; ".repeat(CHARS / 7);
  const completion = JSON.stringify({
    id: "c1",
    object: "chat.completion",
    model: "theirs",
    choices: [{ index: 0, message: { role: "assistant", content: SAID }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  });
  const ASKS = {
    responses: { input: "hi" },
    messages: { max_tokens: 64, messages: [{ role: "user", content: "hi" }] },
    gemini: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
  };

  test.each(Object.entries(ASKS))("is never put together for %s", async (endpoint, ask) => {
    const client = wires[endpoint as keyof typeof ASKS];
    const body = endpoint === "gemini" ? ask : { model: "ours-1.0", ...ask };
    const path = { model: "ours-1.0", stream: false };
    const request = client.readRequest(body, JSON.stringify(body), path);
    const way = openTranslation(client, wires.chat, request, {});
    way.writeRequest(options);
    const read = (value: unknown, json: JsonText) => way.readLongResult(value, json, answer);
    const result = await readText(read, completion);
    const written = result.write(answer, { cost: "0.1", usage: NO_USAGE, echo: {} });
    if (typeof written === "string") throw new Error("it is one text");
    const pieces = [...written];
    expect(pieces.join("")).toContain(SAID);
    // Each is a step of its own, and so is encoding it.
    for (const piece of pieces) expect(piece.length).toBeLessThan(512 * 1024);
  });
});
