import { describe, expect, test } from "bun:test";
import { readConfig } from "../config.ts";
import { eventData, SseFramer } from "./sse.ts";
import { awkwardWire, openPassage } from "./translate.ts";
import { NOTHING_MORE } from "./unpriced.ts";
import type { UpstreamOptions } from "./wire.ts";
import { openWires } from "./wires.ts";

const wires = openWires(readConfig({}).limits);
const options: UpstreamOptions = {
  model: "theirs",
  outputClamp: undefined,
  allows: NOTHING_MORE,
  searchesMax: 4,
  keepReasoning: false,
  maxOutput: 1_000,
  rules: [],
  dialect: {},
  webSearch: false,
};
const answer = { model: "ours-1.0", echo: {} };

function chatRequest(more: object) {
  const body = { model: "ours-1.0", messages: [{ role: "user", content: "hi" }], ...more };
  return wires.chat.readRequest(body, JSON.stringify(body));
}

const PATCH = { type: "custom", custom: { name: "patch" } };

describe("a tool of free text on a vendor that has none", () => {
  const request = chatRequest({ tools: [PATCH], stream: true });
  const passage = () => openPassage(wires.chat, wires.chat, request, {});

  test("goes out as a function, though both sides speak the same wire", () => {
    const { text } = passage().writeRequest(options);
    expect(JSON.parse(text).tools[0]).toMatchObject({ type: "function" });
  });

  test("comes back as the tool that the client declared, its text whole", () => {
    const way = passage();
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
    const bytes = pass.push(Buffer.from(stream)) ?? new Uint8Array();
    const events = new SseFramer().push(bytes).map((event) => JSON.parse(eventData(event) ?? "{}"));
    const deltas = events.flatMap((event) => event.choices[0]?.delta.tool_calls ?? []);
    expect(deltas[0]).toMatchObject({ id: "call_1", type: "custom", custom: { name: "patch" } });
    const input = deltas.map((delta: { custom?: { input?: string } }) => delta.custom?.input ?? "");
    expect(input.join("")).toBe('a\n"b"');
    expect(pass.ended).toBe(true);
  });

  test("is refused with several choices, of which all but one would be lost", () => {
    const several = chatRequest({ tools: [PATCH], n: 2 });
    const way = openPassage(wires.chat, wires.chat, several, {});
    expect(() => way.writeRequest(options)).toThrow(expect.objectContaining({ param: "n" }));
    const native = openPassage(wires.chat, wires.chat, several, { customTools: true });
    expect(JSON.parse(native.writeRequest(options).text).n).toBe(2);
  });

  test("bytes pass where the vendor has such tools", () => {
    const native = openPassage(wires.chat, wires.chat, request, { customTools: true });
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
  const pass = openPassage(wires.chat, wires.messages, request, {}).openStream(answer);
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

describe("what the Responses wire has no word for", () => {
  test.each([
    [{ stop: ["x"] }],
    [{ n: 2 }],
    [{ max_tokens: 8 }],
    [{ seed: 1 }],
    [{ logit_bias: { "1": 1 } }],
  ])("%j is better said on another", (more) => {
    expect(awkwardWire(wires.chat, chatRequest(more))).toBe("responses");
  });

  test("most requests say nothing of the kind", () => {
    expect(awkwardWire(wires.chat, chatRequest({ max_tokens: 100, stop: null }))).toBeUndefined();
  });
});

test.each(["responses", "chat", "messages"] as const)(
  "several candidates are refused where the vendor speaks %s",
  (vendor) => {
    const contents = [{ role: "user", parts: [{ text: "hi" }] }];
    const body = { contents, generationConfig: { candidateCount: 2 } };
    const path = { model: "ours-1.0", stream: false };
    const request = wires.gemini.readRequest(body, JSON.stringify(body), path);
    const way = openPassage(wires.gemini, wires[vendor], request, {});
    const param = "generationConfig.candidateCount";
    expect(() => way.writeRequest(options)).toThrow(expect.objectContaining({ param }));
  },
);

test("a stream that its own wire does not take for ended has failed", () => {
  const deaf = {
    ...wires.chat,
    openWriter: () => ({ write: () => "" }),
  };
  const pass = openPassage(deaf, wires.messages, chatRequest({}), {}).openStream(answer);
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
  const pass = openPassage(wires.chat, wires.messages, chatRequest({}), {}).openStream(answer);
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
