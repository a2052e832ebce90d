// Calls whose arguments are so long that they are read in steps, and what other wires are told of them.

import { describe, expect, test } from "bun:test";
import { count } from "../../../test/support/counts.ts";
import { UPSTREAM_OPTIONS } from "../../../test/support/samples/upstream-options.ts";
import { ticksDuring } from "../../../test/support/waiting.ts";
import { readConfig } from "../../config/config.ts";
import { JsonText } from "../bytes/splice.ts";
import { openWires } from "../wires.ts";
import { openTranslation } from "./translate.ts";

const wires = openWires(readConfig({}).limits);
const OPTIONS = UPSTREAM_OPTIONS;
const ANSWER = { model: "ours-1.0", echo: {} };
/** Wires on which arguments are values. */
const READING = ["messages", "gemini"] as const;

const numbers = (length: number) => `{"list":[${"1234567,".repeat(length)}1]}`;
const SHORT = JSON.stringify({ said: "a fox; ".repeat(1_000) });
/** Turns of reading some three megabytes: one for each quarter of a megabyte. */
const TURNS_MIN = 10;

type Named = [name: string, args: readonly string[]];
const LONG: Named[] = [
  ["one call of very many numbers", [numbers(400_000)]],
  ["very many calls", Array.from({ length: 500 }, () => SHORT)],
];
/** Read in three steps at least, which tell as much as a dozen do. */
const STEPPED = numbers(count(100_000, 400_000));
const ANY: Named[] = [
  ["one call of many numbers", [STEPPED]],
  ["many calls", Array.from({ length: count(120, 500) }, () => SHORT)],
  ["no JSON", [STEPPED.slice(0, -1), "{", " ", ""]],
  ["no object", [`[${STEPPED}]`, "null", "7", '"x"']],
  ["space around it", [` ${STEPPED}\n`, " {} "]],
];

function functionCall(args: string, index: number) {
  return { id: `call_${index}`, type: "function", function: { name: "f", arguments: args } };
}

function asked(args: readonly string[], vendor: (typeof READING)[number]) {
  const tool_calls = args.map(functionCall);
  const results = tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "done" }));
  const user = { role: "user", content: "hi" };
  const messages = [user, { role: "assistant", content: null, tool_calls }, ...results];
  const body = { model: "ours-1.0", messages };
  const request = wires.chat.readRequest(body, JSON.stringify(body));
  return openTranslation(wires.chat, wires[vendor], request, {});
}

describe.each(READING)("a long request that is translated for %s", (vendor) => {
  test.each(ANY)("says what a short one says, with %s", async (_name, args) => {
    const long = await asked(args, vendor).writeLongRequest(OPTIONS);
    expect(Bun.deepEquals(long.value, asked(args, vendor).writeRequest(OPTIONS).value)).toBe(true);
  });

  test.each(LONG)("leaves others their turns, with %s", async (_name, args) => {
    const way = asked(args, vendor);
    const turns = await ticksDuring(async () => way.writeLongRequest(OPTIONS));
    expect(turns).toBeGreaterThan(TURNS_MIN);
  });
});

const ASKS = {
  messages: { model: "ours-1.0", max_tokens: 64, messages: [{ role: "user", content: "hi" }] },
  gemini: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
};

function answered(args: readonly string[], client: (typeof READING)[number]) {
  const path = { model: "ours-1.0", stream: false };
  const request = wires[client].readRequest(ASKS[client], JSON.stringify(ASKS[client]), path);
  const way = openTranslation(wires[client], wires.chat, request, {});
  way.writeRequest(OPTIONS);
  const message = { role: "assistant", content: null, tool_calls: args.map(functionCall) };
  const body = { id: "c1", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  return { way, body, json: new JsonText(JSON.stringify(body)) };
}

/** Without the names that each answer has of its own. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, each) =>
    ["id", "responseId"].includes(name) ? "-" : each,
  );
}

describe.each(READING)("a long answer that is translated for %s", (client) => {
  test.each(ANY)("says what a short one says, with %s", async (_name, args) => {
    const { way, body, json } = answered(args, client);
    const long = await way.readLongResult(body, json, ANSWER);
    const short = way.readResult(body, json, ANSWER);
    expect(Bun.deepEquals(plain(long.body), plain(short.body))).toBe(true);
  });

  test.each(LONG)("leaves others their turns, with %s", async (_name, args) => {
    const { way, body, json } = answered(args, client);
    const turns = await ticksDuring(async () => way.readLongResult(body, json, ANSWER));
    expect(turns).toBeGreaterThan(TURNS_MIN);
  });
});

test("a long call of a tool of free text has its text again", async () => {
  const text = 'a "fox"\n'.repeat(100_000);
  const tools = [{ type: "custom", name: "patch" }];
  const body = { model: "ours-1.0", input: "hi", tools };
  const request = wires.responses.readRequest(body, JSON.stringify(body));
  const way = openTranslation(wires.responses, wires.chat, request, {});
  way.writeRequest(OPTIONS);
  const call = { name: "patch", arguments: JSON.stringify({ input: text }) };
  const message = { content: null, tool_calls: [{ id: "1", type: "function", function: call }] };
  const told = { id: "c1", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
  const json = new JsonText(JSON.stringify(told));
  const { body: response } = await way.readLongResult(told, json, ANSWER);
  expect(response.output).toMatchObject([{ type: "custom_tool_call", name: "patch", input: text }]);
});
