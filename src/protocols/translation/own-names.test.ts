import { describe, expect, test } from "bun:test";
import { given } from "../../../test/support/clients/given.ts";
import { UPSTREAM_OPTIONS } from "../../../test/support/samples/upstream-options.ts";
import { readConfig } from "../../config/config.ts";
import { JsonText } from "../bytes/splice.ts";
import type { CallItem, CanonEvent } from "../canon.ts";
import { isObject } from "../fields.ts";
import { NO_USAGE } from "../usage.ts";
import type { ClientRequest, Endpoint } from "../wire.ts";
import { openWires } from "../wires.ts";
import { openTranslation } from "./translate.ts";

const wires = openWires(readConfig({}).limits);
const options = UPSTREAM_OPTIONS;
const answer = { model: "ours-1.0", echo: {} };
const end = { cost: undefined, usage: { ...NO_USAGE, fresh: 1, output: 1 }, echo: {} };

/** What the vendors of every wire take for the name of a function. */
const TAKEN = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

/** A conversation in which a tool was called and must be called again. */
const ASKED: Readonly<Record<Endpoint, (name: string) => object>> = {
  chat: (name) => ({
    messages: [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_0", type: "function", function: { name, arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "call_0", content: "done" },
    ],
    tools: [{ type: "function", function: { name, parameters: { type: "object" } } }],
    tool_choice: { type: "function", function: { name } },
  }),
  responses: (name) => ({
    input: [
      { role: "user", content: "go" },
      { type: "function_call", call_id: "call_0", name, arguments: "{}" },
      { type: "function_call_output", call_id: "call_0", output: "done" },
    ],
    tools: [{ type: "function", name, parameters: { type: "object" } }],
    tool_choice: { type: "function", name },
  }),
  messages: (name) => ({
    max_tokens: 50,
    messages: [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "call_0", name, input: {} }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_0", content: "done" }],
      },
    ],
    tools: [{ name, input_schema: { type: "object" } }],
    tool_choice: { type: "tool", name },
  }),
  gemini: (name) => ({
    contents: [
      { role: "user", parts: [{ text: "go" }] },
      { role: "model", parts: [{ functionCall: { id: "call_0", name, args: {} } }] },
      {
        role: "user",
        parts: [{ functionResponse: { id: "call_0", name, response: { output: "done" } } }],
      },
    ],
    tools: [{ functionDeclarations: [{ name }] }],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [name] } },
  }),
};

function requestOf(wire: Endpoint, name: string, stream: boolean): ClientRequest {
  const body = { model: "ours-1.0", stream, ...ASKED[wire](name) };
  return wires[wire].readRequest(body, JSON.stringify(body), { model: "ours-1.0", stream });
}

/** Every name in a body, and what only may be called. */
function namesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isObject(value)) return [];
  const { name, allowedFunctionNames, ...rest } = value;
  const own = name === undefined ? [] : [name];
  const allowed = Array.isArray(allowedFunctionNames) ? allowedFunctionNames : [];
  return [...own, ...allowed, ...Object.values(rest).flatMap(namesIn)];
}

const WIRES = ["responses", "chat", "messages", "gemini"] as const;
const PAIRS = WIRES.flatMap((client) =>
  WIRES.flatMap((vendor) => (client === vendor ? [] : [[client, vendor] as const])),
);

describe.each([
  ["begins with a digit", "21st_component_builder"],
  ["has a dot and a colon", "server:weather.get"],
  ["is longer than vendors take", `tool_${"x".repeat(90)}`],
  ["is of another script", "天气"],
])("a tool whose name %s", (_name, name) => {
  test.each(PAIRS)("goes from %s to %s and back", (client, vendor) => {
    const way = (stream: boolean) => {
      const request = requestOf(client, name, stream);
      const translation = openTranslation(wires[client], wires[vendor], request, {});
      const sent = new Set(namesIn(translation.writeRequest(options).value));
      expect(sent.size).toBe(1);
      const [told] = sent;
      expect(told).toMatch(TAKEN);
      return { translation, told: String(told) };
    };
    const callOf = (told: string): CallItem => {
      return { type: "call", callId: "call_1", name: told, custom: false, arguments: "{}" };
    };
    const theirs = requestOf(vendor, "f", true);

    const whole = way(false);
    const items = [callOf(whole.told)];
    const written = wires[vendor].writeAnswer(
      { id: "1", items, usage: end.usage, status: "completed" },
      theirs,
      answer,
    );
    const text = JSON.stringify(written);
    const result = whole.translation.readResult(JSON.parse(text), new JsonText(text), answer);
    const own = wires[client].readAnswer(JSON.parse(String(result.write(answer, end))));
    expect(own.items).toMatchObject([{ type: "call", name }]);

    const streamed = way(true);
    const call = callOf(streamed.told);
    const events: CanonEvent[] = [
      { type: "begin", id: "1" },
      { type: "item", item: { ...call, arguments: "" } },
      { type: "arguments", delta: "{}" },
      { type: "item_done", item: call },
      { type: "end", status: "completed", usage: end.usage },
    ];
    const writer = wires[vendor].openWriter(theirs, answer);
    const filter = streamed.translation.openStream(answer);
    const bytes = Buffer.from(events.map((event) => writer.write(event)).join(""));
    const first = filter.push(bytes);
    const rest = filter.ended ? undefined : filter.close();
    const reader = wires[client].openReader();
    const parts = [first, rest, filter.finish(end)].filter((each) => each !== undefined);
    const read = [...reader.push(Buffer.concat(parts.map(given))), ...reader.close()];
    const done = read.flatMap((event) => (event.type === "item_done" ? [event.item] : []));
    expect(done).toMatchObject([{ type: "call", name }]);
  });
});
