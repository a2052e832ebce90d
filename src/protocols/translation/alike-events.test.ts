import { describe, expect, test } from "bun:test";
import { given } from "../../../test/support/clients/given.ts";
import { readConfig } from "../../config/config.ts";
import { JsonText } from "../bytes/splice.ts";
import type { CanonEvent, OutputItem } from "../canon.ts";
import { NO_USAGE } from "../usage.ts";
import { visibleReasoning } from "../visible-reasoning.ts";
import type { Endpoint } from "../wire.ts";
import { openWires } from "../wires.ts";
import { openTranslation } from "./translate.ts";

const wires = openWires(readConfig({}).limits);
const OPTIONS = { model: "ours", echo: {} };
const END = { cost: undefined, usage: NO_USAGE, echo: {} };

function asked(client: Endpoint) {
  const said = { role: "user", content: "hi" };
  const bodies: Record<Endpoint, object> = {
    responses: { model: "ours", input: "hi" },
    chat: { model: "ours", messages: [said] },
    messages: { model: "ours", max_tokens: 100, messages: [said] },
    gemini: {
      contents: [{ role: "user", parts: [{ text: "hi" }] }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    },
  };
  const body = bodies[client];
  return wires[client].readRequest(body, JSON.stringify(body), { model: "ours", stream: true });
}

/** What a client of a wire reads of a vendor's stream. */
function streamed(client: Endpoint, vendor: Endpoint, events: readonly object[]): OutputItem[] {
  const pass = openTranslation(wires[client], wires[vendor], asked(client), {}).openStream(OPTIONS);
  const reader = wires[client].openReader();
  const read: CanonEvent[] = [];
  for (const event of events) {
    const name = "type" in event ? `event: ${event.type}\n` : "";
    const bytes = pass.push(Buffer.from(`${name}data: ${JSON.stringify(event)}\n\n`));
    if (bytes) read.push(...reader.push(given(bytes)));
  }
  const rest = pass.close();
  if (rest) read.push(...reader.push(given(rest)));
  read.push(...reader.push(given(pass.finish(END))), ...reader.close());
  return read.flatMap((event) => (event.type === "item_done" ? [event.item] : []));
}

/** What it reads of a whole answer. */
function whole(client: Endpoint, vendor: Endpoint, body: object): readonly OutputItem[] {
  const way = openTranslation(wires[client], wires[vendor], asked(client), {});
  const json = new JsonText(JSON.stringify(body));
  return wires[client].readAnswer(way.readResult(body, json, OPTIONS).body).items;
}

describe("arguments that are no object, for a client that takes nothing else", () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id: "chatcmpl-1",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const called = (items: readonly OutputItem[]) =>
    items.flatMap((each) => (each.type === "call" ? [JSON.parse(each.arguments)] : []));

  test.each([
    [["[1", "]"], { value: [1] }],
    [[" ", "null"], { value: null }],
    [["no JSON"], { text: "no JSON" }],
    [[" ", '{"a":', "1}"], { a: 1 }],
    [[""], {}],
  ])("%j are told alike", (pieces, input) => {
    const call = (text: string) => ({
      ...{ id: "call_1", type: "function", function: { name: "f", arguments: text } },
    });
    const message = { role: "assistant", content: null, tool_calls: [call(pieces.join(""))] };
    const body = {
      id: "chatcmpl-1",
      choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    };
    expect(called(whole("messages", "chat", body))).toEqual([input]);
    const events = [
      chunk({ tool_calls: [{ index: 0, ...call("") }] }),
      ...pieces.map((text) => chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
      chunk({}, "tool_calls"),
    ];
    expect(called(streamed("messages", "chat", events))).toEqual([input]);
  });
});

describe("a thought with a summary and a text, of a Responses vendor", () => {
  const delta = (type: string, text: string, more: object) => ({
    type: `response.${type}.delta`,
    item_id: "rs_1",
    output_index: 0,
    delta: text,
    ...more,
  });
  const sums = (text: string, part: number) =>
    delta("reasoning_summary_text", text, { summary_index: part });
  const thinks = (text: string) => delta("reasoning_text", text, { content_index: 0 });

  const item = (summary: readonly string[], text: string) => ({
    id: "rs_1",
    type: "reasoning",
    summary: summary.map((part) => ({ type: "summary_text", text: part })),
    content: [{ type: "reasoning_text", text }],
  });
  const said = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "so", annotations: [] }],
  };

  const response = (thought: object) => ({
    id: "resp_1",
    object: "response",
    status: "completed",
    output: [thought, said],
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  });
  const stream = (thought: object, deltas: readonly object[]) => [
    { type: "response.created", response: { id: "resp_1", status: "in_progress", output: [] } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { id: "rs_1", type: "reasoning", summary: [] },
    },
    ...deltas,
    { type: "response.output_item.done", output_index: 0, item: thought },
    { type: "response.output_item.done", output_index: 1, item: said },
    { type: "response.completed", response: response(thought) },
  ];
  const thoughts = (items: readonly OutputItem[]) =>
    items.flatMap((each) => (each.type === "reasoning" ? [visibleReasoning(each)] : []));

  test.each(["chat", "messages", "gemini"] as const)("is told alike to %s clients", (client) => {
    const thought = item(["sum one", "sum two"], "the text");
    const deltas = [sums("sum ", 0), sums("one", 0), thinks("the "), sums("sum two", 1)];
    const shown = ["sum one\n\nsum two\n\nthe text"];
    expect(thoughts(whole(client, "responses", response(thought)))).toEqual(shown);
    const events = stream(thought, [...deltas, thinks("text")]);
    expect(thoughts(streamed(client, "responses", events))).toEqual(shown);
    expect(thoughts(streamed(client, "responses", stream(thought, [])))).toEqual(shown);
  });

  test.each(["chat", "messages", "gemini"] as const)(
    "is told once to %s clients where both say the same",
    (client) => {
      const thought = item(["the same"], "the same");
      const events = stream(thought, [thinks("the same"), sums("the same", 0)]);
      expect(thoughts(whole(client, "responses", response(thought)))).toEqual(["the same"]);
      expect(thoughts(streamed(client, "responses", events))).toEqual(["the same"]);
    },
  );
});
