import { expect } from "bun:test";
import { PNG } from "./answer-scenarios.ts";
import type { AskTool, ReportedCall } from "./client.ts";
import {
  answerTurn,
  askPair,
  isTranslated,
  prompt,
  resultOf,
  resultTurn,
  type Scenario,
  TIME_TOOL,
  WEATHER_TOOL,
} from "./scenario.ts";
import {
  callId,
  FIND_ARGUMENTS,
  FREE_TEXT,
  OTHER_WEATHER_ARGUMENTS,
  TEXT,
  TIME_ARGUMENTS,
  WEATHER_ARGUMENTS,
  type WireName,
} from "./scenes.ts";
import type { Seen } from "./seen.ts";

function weatherCall(vendor: WireName): ReportedCall {
  return { id: callId(vendor, "a1"), name: WEATHER_TOOL.name, arguments: WEATHER_ARGUMENTS };
}

function timeCall(vendor: WireName): ReportedCall {
  return { id: callId(vendor, "b2"), name: TIME_TOOL.name, arguments: TIME_ARGUMENTS };
}

function expectDeclared(seen: Seen, ...tools: AskTool[]): void {
  const expected = tools.map(({ name, description, schema }) => {
    // One client writes schemas in a form that cannot close an object.
    const { additionalProperties: _, ...open } = schema;
    return { name, description, schema: open };
  });
  expect(seen.tools).toMatchObject(expected);
  expect(seen.tools).toHaveLength(tools.length);
}

const tool: Scenario = {
  name: "tool and its result",
  async run(cell) {
    const tools = [WEATHER_TOOL];
    const first = prompt("tool");
    const { told, seen } = await askPair(cell, [first], { tools, mustCall: true });
    expectDeclared(seen, WEATHER_TOOL);
    expect(seen.choice).toBe("required");
    expect(told).toMatchObject({ text: "", finish: "calls", calls: [weatherCall(cell.vendor)] });
    const result = resultOf(told.calls[0], "text");
    const second = await askPair(cell, [first, answerTurn(told), resultTurn(result)], { tools });
    expect(second.seen.calls).toEqual([weatherCall(cell.vendor)]);
    expect(second.seen.results).toEqual([
      { id: callId(cell.vendor, "a1"), text: result.text, images: [] },
    ]);
    expect(second.told).toMatchObject({ text: TEXT, calls: [], finish: "done" });
  },
};

const textAndTool: Scenario = {
  name: "text before a tool",
  async run(cell) {
    const tools = [WEATHER_TOOL];
    const first = prompt("text-and-tool");
    const { told } = await askPair(cell, [first], { tools });
    expect(told).toMatchObject({ text: TEXT, finish: "calls", calls: [weatherCall(cell.vendor)] });
    const result = resultTurn(resultOf(told.calls[0], "text"));
    const { seen } = await askPair(cell, [first, answerTurn(told), result], { tools });
    expect(seen.said.join("")).toBe(TEXT);
    expect(seen.calls).toEqual([weatherCall(cell.vendor)]);
  },
};

const parallelTools: Scenario = {
  name: "parallel tools",
  async run(cell) {
    const { vendor } = cell;
    const tools = [WEATHER_TOOL, TIME_TOOL];
    const first = prompt("parallel-tools");
    const { told, seen } = await askPair(cell, [first], { tools });
    expectDeclared(seen, ...tools);
    expect(told).toMatchObject({
      finish: "calls",
      calls: [weatherCall(vendor), timeCall(vendor)],
    });
    // The slower tool was asked first: what it says comes last.
    const results = [resultOf(told.calls[1], "text"), resultOf(told.calls[0], "text")];
    const turns = [first, answerTurn(told), resultTurn(...results)];
    const second = await askPair(cell, turns, { tools });
    expect(second.seen.calls).toEqual([weatherCall(vendor), timeCall(vendor)]);
    const byId = new Map(second.seen.results.map(({ id, text }) => [id, text]));
    expect(byId.get(callId(vendor, "a1"))).toContain(WEATHER_TOOL.name);
    expect(byId.get(callId(vendor, "b2"))).toContain(TIME_TOOL.name);
    expect(second.told.text).toBe(TEXT);
  },
};

const bareTool: Scenario = {
  name: "tool without arguments",
  async run(cell) {
    const tools = [TIME_TOOL];
    const first = prompt("bare-tool");
    const { told } = await askPair(cell, [first], { tools });
    const call = { ...timeCall(cell.vendor), arguments: {} };
    expect(told).toMatchObject({ finish: "calls", calls: [call] });
    const result = resultTurn(resultOf(told.calls[0], "text"));
    const { seen } = await askPair(cell, [first, answerTurn(told), result], { tools });
    expect(seen.calls).toEqual([call]);
  },
};

const namelessCalls: Scenario = {
  name: "two calls of one tool, without ids",
  // Vendors of other wires give ids; a client of this one's own gets its calls as they are.
  fits: ({ client, vendor }) => vendor === "gemini" && isTranslated({ client, vendor }),
  async run(cell) {
    const tools = [WEATHER_TOOL];
    const first = prompt("nameless-calls");
    const { told } = await askPair(cell, [first], { tools });
    const expected = [WEATHER_ARGUMENTS, OTHER_WEATHER_ARGUMENTS];
    expect(told.calls.map((call) => call.arguments)).toEqual(expected);
    const ids = told.calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    const results = told.calls.map((call) => resultOf(call, "text")).reverse();
    const turns = [first, answerTurn(told), resultTurn(...results)];
    const { seen } = await askPair(cell, turns, { tools });
    expect(seen.calls.map(({ id }) => id)).toEqual(ids);
    expect(seen.calls.map((call) => call.arguments)).toEqual(expected);
    expect(seen.results.map(({ id }) => id).sort()).toEqual([...ids].sort());
  },
};

const imageInResult: Scenario = {
  name: "image in a tool's result",
  fits: ({ client }) => client.abilities.includes("image in result"),
  async run(cell) {
    const tools = [WEATHER_TOOL];
    const first = prompt("tool");
    const { told } = await askPair(cell, [first], { tools });
    const result = resultOf(told.calls[0], "text", PNG);
    const turns = [first, answerTurn(told), resultTurn(result)];
    const { seen } = await askPair(cell, turns, { tools });
    // Vendors of the chat wire take images from the user only, so that it comes right behind.
    const moved = cell.vendor === "chat" && isTranslated(cell);
    expect(seen.results).toMatchObject([{ text: result.text, images: moved ? [] : [PNG] }]);
    expect(seen.images).toEqual(moved ? [PNG] : []);
  },
};

const SQL_TOOL: AskTool = {
  name: "run_sql",
  description: "Runs a query.",
  schema: {},
  custom: true,
};
const FIND_TOOL: AskTool = {
  name: "find",
  namespace: "crm",
  description: "Finds a customer.",
  schema: {
    type: "object",
    properties: { id: { type: "integer" } },
    required: ["id"],
    additionalProperties: false,
  },
};

/** Both tools and their calls as a vendor knows them that has only plain functions. */
function plainCalls(vendor: WireName): ReportedCall[] {
  return [
    { id: callId(vendor, "c3"), name: "run_sql", arguments: { input: FREE_TEXT } },
    { id: callId(vendor, "d4"), name: "crm__find", arguments: FIND_ARGUMENTS },
  ];
}

function ownCalls(vendor: WireName): ReportedCall[] {
  return [
    { id: callId(vendor, "c3"), name: "run_sql", arguments: FREE_TEXT },
    { id: callId(vendor, "d4"), name: "find", namespace: "crm", arguments: FIND_ARGUMENTS },
  ];
}

const customTools: Scenario = {
  name: "custom tool and tool of a group",
  fits: ({ client }) => client.abilities.includes("custom tools"),
  async run(cell) {
    const { vendor } = cell;
    const isNative = vendor === "responses";
    const tools = [SQL_TOOL, FIND_TOOL];
    const first = prompt("custom-tools");
    const { told, seen } = await askPair(cell, [first], { tools });
    expect(seen.tools).toMatchObject(
      isNative
        ? [
            { name: "run_sql", custom: true },
            { name: "find", namespace: "crm" },
          ]
        : [
            { name: "run_sql", schema: { required: ["input"] } },
            { name: "crm__find", schema: { required: ["id"] } },
          ],
    );
    expect(told).toMatchObject({ finish: "calls", calls: ownCalls(vendor) });
    const results = told.calls.map((call) => resultOf(call, "text"));
    const turns = [first, answerTurn(told), resultTurn(...results)];
    const second = await askPair(cell, turns, { tools });
    expect(second.seen.calls).toEqual(isNative ? ownCalls(vendor) : plainCalls(vendor));
    expect(second.seen.results.map(({ id, text }) => [id, text])).toEqual(
      results.map(({ call, text }) => [call.id, text]),
    );
    expect(second.told.text).toBe(TEXT);
  },
};

export const TOOL_SCENARIOS: readonly Scenario[] = [
  tool,
  textAndTool,
  parallelTools,
  bareTool,
  namelessCalls,
  imageInResult,
  customTools,
];
